import type { RethookId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Cpu } from '../text/cpu.ts';
import type { Word } from '../x86/word.ts';
import { toHex } from '../x86/word.ts';
import type { ProbeWorld, RethookNode } from './probes.ts';

/** rethook_alloc(): a pool with a node for each call that may be under way at once. */
export function rethookAlloc(k: ProbeWorld, name: RethookId, nodes: number): void {
  k.probes.rethooks[name] = { free: nodes, max: nodes, handler: true, drained: false };
}

/** rethook_stop(): nothing is taken from the pool any more, and no handler runs. */
export function rethookStop(k: ProbeWorld, name: RethookId): void {
  const rethook = k.probes.rethooks[name];
  if (rethook !== undefined) rethook.handler = false;
}

/** rethook_free(): the pool is stopped. It goes in the background, when its last node has come back. */
export function rethookFree<L>(
  { step, reclaim }: RoutineWords<ProbeWorld, L>,
  pool: (locals: L) => string,
): Part[] {
  return [
    step('stop the pool', (k, locals) => rethookStop(k, pool(locals))),
    reclaim('free the pool', rethookFreeRcu, (k, locals) =>
      k.probes.rethooks[pool(locals)] === undefined ? undefined : { rethook: pool(locals) },
    ),
  ];
}

/** rethook_free_rcu(): the nodes that are not in use. */
export const rethookFreeRcu = routine<ProbeWorld, { rethook: RethookId }>(
  'rethook_free_rcu',
  ({ wait, step }) => [
    wait('rcu'),
    step('free the nodes of the pool', (k, { rethook: name }) => {
      const rethook = k.probes.rethooks[name];
      if (rethook === undefined || rethook.handler) return;
      rethook.drained = true;
      freeIfUnused(k, name);
    }),
  ],
);

/** free_rethook_node_rcu(): a node that has come back to a pool that was stopped. */
export const freeRethookNodeRcu = routine<ProbeWorld, { rethook: RethookId }>(
  'free_rethook_node_rcu',
  ({ wait, step }) => [wait('rcu'), step('free the node', (k, { rethook }) => freeIfUnused(k, rethook))],
);

function freeIfUnused(k: ProbeWorld, name: RethookId): void {
  const rethook = k.probes.rethooks[name];
  if (rethook?.drained === true && rethook.free === rethook.max) delete k.probes.rethooks[name];
}

/** Kretprobes on the shadow stack need no nodes: what is counted is who has them, so that they are freed with the last. */
export function rethookHold(k: ProbeWorld, name: RethookId): boolean {
  const rethook = k.probes.rethooks[name];
  if (rethook === undefined || !rethook.handler) return false;
  rethook.free--;
  return true;
}

/** rethook_try_get(): a node, unless the pool is empty or its user is going. */
export function rethookTryGet(k: ProbeWorld, name: RethookId): boolean {
  const rethook = k.probes.rethooks[name];
  if (rethook === undefined || !rethook.handler || rethook.free === 0) return false;
  rethook.free--;
  return true;
}

/**
 * rethook_recycle(). A pool of the same name is taken for that of before: when a client makes a new one while calls
 * hold nodes of the old one, what comes back to a full pool is forgotten.
 */
export function rethookRecycle(k: ProbeWorld, name: RethookId): void {
  const rethook = k.probes.rethooks[name];
  if (rethook === undefined) return;
  if (rethook.free < rethook.max) rethook.free++;
  if (!rethook.handler)
    k.deferred.push({ routine: freeRethookNodeRcu.name, args: { rethook: name }, reclaims: true });
}

/** rethook_hook(): the return address on the stack becomes the trampoline's, and the node keeps the real one. */
export function rethookHook(
  k: ProbeWorld,
  cpu: Cpu,
  node: Omit<RethookNode, 'retAddr' | 'frame'>,
  slot: Word,
  trampoline: Word,
): void {
  k.probes.hooked.push({ ...node, retAddr: toHex(cpu.read(slot)), frame: toHex(slot) });
  cpu.write(slot, trampoline);
}
