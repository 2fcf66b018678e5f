import { forget } from '../core/forget.ts';
import type { RethookId } from '../core/ids.ts';
import { useAfterFree } from '../core/oops.ts';
import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Cpu } from '../text/cpu.ts';
import type { Word } from '../x86/word.ts';
import { toHex } from '../x86/word.ts';
import { isListed } from './kprobe-table.ts';
import type { ProbeWorld, RethookNode } from './probes.ts';

/*
 * Return hooks (kernel/trace/rethook.c): a pool of nodes for each user. A node is taken at the entry, is linked
 * to the task while the call runs, and goes back at the return; it holds the original return address.
 *
 * ```text
 *   rethook_try_get()  free -> taken     no handler, or none free: the return is not hooked
 *   rethook_recycle()  taken -> free     pool stopped: taken -> freed after RCU
 *   rethook_free()     handler = NULL, then the free nodes after RCU; the pool goes with its last node
 * ```
 *
 * A stopped pool gives out no nodes and calls no handler, so the user may be freed while nodes are still taken.
 */

/** rethook_alloc(): a pool with one node for each call that may be under way at once, in memory that was freed. */
export function rethookAlloc(k: ProbeWorld, name: RethookId, nodes: number): void {
  forget(k.probes, 'stalePools');
  k.probes.rethooks[name] = { free: nodes, max: nodes, handler: true, drained: false };
}

/** rethook_stop(): no node is given out any more, and no handler runs. A handler that runs already finishes. */
export function rethookStop(k: ProbeWorld, name: RethookId): void {
  const rethook = k.probes.rethooks[name];
  if (rethook !== undefined) rethook.handler = false;
}

/** rethook_free(): stops the pool, and frees it in the background when its last node is back. */
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

/**
 * rethook_free_rcu(): frees the nodes that are not in use. `objpool_fini()` drops their references on the pool.
 */
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

/** free_rethook_node_rcu(): a node that is back in a pool that was stopped. */
export const freeRethookNodeRcu = routine<ProbeWorld, { rethook: RethookId }>(
  'free_rethook_node_rcu',
  ({ wait, step }) => [wait('rcu'), step('free the node', (k, { rethook }) => freeIfUnused(k, rethook))],
);

/** The pool is freed by whichever of the two callbacks comes last. */
function freeIfUnused(k: ProbeWorld, name: RethookId): void {
  const rethook = k.probes.rethooks[name];
  if (rethook?.drained !== true || rethook.free !== rethook.max) return;
  delete k.probes.rethooks[name];
  if (isCalled(k, name)) k.probes.stalePools = [...(k.probes.stalePools ?? []), name];
}

/** The kprobe of a kretprobe is still in the table, or the ops of an fprobe on the list: it could not be unregistered. */
function isCalled(k: ProbeWorld, name: RethookId): boolean {
  return k.ftrace.opsList.includes(`${name}.ops`) || isListed(k, `${name}.kp`);
}

/** Kretprobes on the shadow stack: references are counted, not nodes, and the owner is freed with the last. */
export function rethookHold(k: ProbeWorld, name: RethookId): boolean {
  const rethook = k.probes.rethooks[name];
  if (rethook === undefined || !rethook.handler) return false;
  rethook.free--;
  return true;
}

/**
 * rethook_try_get(): a node, unless the pool is empty or was stopped. Preemption is disabled. A client that has
 * unregistered keeps the pointer to its pool (`rp->rh`): freed memory is a stopped pool until another takes it.
 */
export function rethookTryGet(k: ProbeWorld, name: RethookId): boolean {
  const rethook = k.probes.rethooks[name];
  if (rethook === undefined) {
    if (k.probes.stalePools?.includes(name)) return false;
    throw useAfterFree({ is: 'rethook', name }, 'rethook_try_get');
  }
  if (!rethook.handler || rethook.free === 0) return false;
  rethook.free--;
  return true;
}

/**
 * rethook_recycle(). A pool is known by its name: when a client makes a new one while calls hold nodes of the old
 * one, a node that returns to a full pool is dropped.
 */
export function rethookRecycle(k: ProbeWorld, name: RethookId): void {
  const rethook = k.probes.rethooks[name];
  if (rethook === undefined) return;
  if (rethook.free < rethook.max) rethook.free++;
  if (!rethook.handler)
    k.deferred.push({ routine: freeRethookNodeRcu.name, args: { rethook: name }, reclaims: true });
}

/**
 * rethook_hook(): the trampoline replaces the return address on the stack, and the node keeps the original.
 * Nested hooks of one call keep the trampoline's address; only the first one holds a real return address.
 */
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
