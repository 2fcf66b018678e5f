import { forget } from '../core/forget.ts';
import type { RethookId } from '../core/ids.ts';
import { useAfterFree } from '../core/oops.ts';
import type { Part } from '../core/part.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Cpu } from '../text/cpu.ts';
import type { Word } from '../x86/word.ts';
import { toHex } from '../x86/word.ts';
import { isListed } from './kprobe-table.ts';
import type { ProbeId, ProbeView, ProbeWorld, Rethook, RethookNode } from './probes.ts';

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
 * A stopped pool gives out no nodes and calls no handler, so the user may be freed while nodes are still taken. A user that
 * registers again has a new pool, also while the one before waits for RCU and for its nodes.
 */

/** `rp->rh`, `fp->rethook`. */
export function poolOf({ probes }: ProbeView, user: ProbeId): RethookId {
  return probes.newerPools?.[user] ?? user;
}

/** What that points to; undefined: it was freed. */
export function rethookOf(k: ProbeWorld, user: ProbeId): Rethook | undefined;
export function rethookOf(k: ProbeView, user: ProbeId): DeepReadonly<Rethook> | undefined;
export function rethookOf(k: ProbeView, user: ProbeId): DeepReadonly<Rethook> | undefined {
  return k.probes.rethooks[poolOf(k, user)];
}

/** The user of a pool. */
export function userOf({ probes }: ProbeView, pool: RethookId): ProbeId {
  return probes.rethooks[pool]?.user ?? (pool as ProbeId);
}

/** Whether a pool is there and has its handler. */
export function hasHandler({ probes }: ProbeView, pool: RethookId): boolean {
  return probes.rethooks[pool]?.handler === true;
}

/** rethook_alloc(): a pool with one node for each call that may be under way at once, in memory that was freed. */
export function rethookAlloc(k: ProbeWorld, user: ProbeId, nodes: number): void {
  const { probes } = k;
  forget(probes, 'stalePools');
  const pool = { free: nodes, max: nodes, handler: true, drained: false };
  const name = freeName(k, user);
  forgetPointer(k, user);
  if (name !== user) probes.newerPools = { ...probes.newerPools, [user]: name };
  probes.rethooks[name] = name === user ? pool : { ...pool, user };
}

/** The name of its user, or the first of those with a number that no pool has. */
function freeName({ probes: { rethooks } }: ProbeView, user: ProbeId): RethookId {
  let name: RethookId = user;
  for (let number = 2; rethooks[name] !== undefined; number++) name = `${user}.rh#${number}`;
  return name;
}

function forgetPointer({ probes }: ProbeWorld, user: ProbeId): void {
  const { [user]: own, ...others } = probes.newerPools ?? {};
  if (own === undefined) return;
  if (Object.keys(others).length === 0) forget(probes, 'newerPools');
  else probes.newerPools = others;
}

/** rethook_stop(): no node is given out any more, and no handler runs. A handler that runs already finishes. */
export function rethookStop(k: ProbeWorld, user: ProbeId): void {
  const rethook = rethookOf(k, user);
  if (rethook !== undefined) rethook.handler = false;
}

/** rethook_free(): stops the pool, and frees it in the background when its last node is back. */
export function rethookFree<L>(
  { step, reclaim }: RoutineWords<ProbeWorld, L>,
  user: (locals: L) => ProbeId,
): Part[] {
  return [
    step('stop the pool', (k, locals) => rethookStop(k, user(locals))),
    reclaim('free the pool', rethookFreeRcu, (k, locals) =>
      rethookOf(k, user(locals)) === undefined ? undefined : { rethook: poolOf(k, user(locals)) },
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
      if (rethook === undefined) return;
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
  const user = userOf(k, name);
  const isPointedTo = poolOf(k, user) === name;
  delete k.probes.rethooks[name];
  if (isPointedTo && isCalled(k, user)) k.probes.stalePools = [...(k.probes.stalePools ?? []), user];
  if (k.probes.rethooks[user] === undefined && rethookOf(k, user) === undefined) forgetPointer(k, user);
}

/** The kprobe of a kretprobe is still in the table, or the ops of an fprobe on the list: it could not be unregistered. */
function isCalled(k: ProbeWorld, user: ProbeId): boolean {
  return k.ftrace.opsList.includes(`${user}.ops`) || isListed(k, `${user}.kp`);
}

/**
 * Kretprobes on the shadow stack: references are counted, not nodes, and the owner is freed with the last. The pool that a
 * reference is of; undefined: it was stopped.
 */
export function rethookHold(k: ProbeWorld, user: ProbeId): RethookId | undefined {
  const rethook = rethookOf(k, user);
  if (rethook?.handler !== true) return undefined;
  rethook.free--;
  return poolOf(k, user);
}

/**
 * rethook_try_get(): a node, by its pool, unless the pool is empty or was stopped. Preemption is disabled. A client that has
 * unregistered keeps the pointer to its pool (`rp->rh`): freed memory is a stopped pool until another takes it.
 */
export function rethookTryGet(k: ProbeWorld, user: ProbeId): RethookId | undefined {
  const rethook = rethookOf(k, user);
  if (rethook === undefined) {
    if (k.probes.stalePools?.includes(user)) return undefined;
    throw useAfterFree({ is: 'rethook', name: user }, 'rethook_try_get');
  }
  if (!rethook.handler || rethook.free === 0) return undefined;
  rethook.free--;
  return poolOf(k, user);
}

/** rethook_recycle(). */
export function rethookRecycle(k: ProbeWorld, pool: RethookId): void {
  const rethook = k.probes.rethooks[pool];
  if (rethook === undefined) return;
  rethook.free++;
  if (!rethook.handler)
    k.deferred.push({ routine: freeRethookNodeRcu.name, args: { rethook: pool }, reclaims: true });
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
