import type { Ip, OpsId } from '../core/ids.ts';
import { Oops, useAfterFree } from '../core/oops.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { FtraceOps, Hash } from './ops.ts';
import {
  ensureOps,
  FTRACE_OPS_FL_ENABLED,
  filterOf,
  hashContainsIp,
  matches,
  notInitialised,
  notraceOf,
  opsOf,
} from './ops.ts';
import { EMPTY_HASH, FREED_HASH, freeTable, NULL_HASH, replaceTable, retiredTable } from './tables.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * The two hashes of an ops, `func_hash->filter_hash` and `func_hash->notrace_hash`, as pointers that are
 * published and freed. Writers hold `ftrace_lock`; ftrace_ops_test() reads both without a lock, with preemption
 * disabled.
 */

/** Which of an ops's two hashes. */
export type Which = 'filter' | 'notrace';

const BOTH: readonly Which[] = ['filter', 'notrace'];

/** Its functions. */
export function hashOf(k: FtraceView, ops: OpsId, which: Which): Hash {
  return which === 'filter' ? filterOf(k, ops) : notraceOf(k, ops);
}

/** The key of a pointer in `tables.hashes`. */
function pointer(ops: OpsId, which: Which): string {
  return `${ops}.${which}`;
}

function current({ ftrace }: FtraceView, ops: OpsId, which: Which): number {
  return ftrace.tables.hashes[pointer(ops, which)] ?? EMPTY_HASH;
}

/**
 * rcu_assign_pointer(): publishes a hash. Returns the one that it replaces, which the caller frees; undefined for
 * `EMPTY_HASH` and NULL. An empty hash needs no table, and leaves `EMPTY_HASH` (__ftrace_hash_move()).
 */
export function publishHash(
  k: FtraceWorld,
  ops: OpsId,
  which: Which,
  hash: Hash,
): { readonly table: number } | undefined {
  const { tables } = k.ftrace;
  const table = isNullHash(k, ops, which) ? EMPTY_HASH : current(k, ops, which);
  if (table === FREED_HASH) throw useAfterFree({ is: 'hash', which, ops });
  const owner: FtraceOps = ensureOps(k, ops);
  if (hash.length > 0) tables.hashes[pointer(ops, which)] = replaceTable(tables, table, owner[which]);
  else {
    if (table !== EMPTY_HASH) tables.retired[table] = owner[which];
    delete tables.hashes[pointer(ops, which)];
  }
  owner[which] = hash;
  return table === EMPTY_HASH ? undefined : { table };
}

/** Publishes the previous hash again; returns the one that was current meanwhile. */
export function restoreHash(
  k: FtraceWorld,
  ops: OpsId,
  which: Which,
  old: { readonly table: number } | undefined,
): { readonly table: number } | undefined {
  const held = old === undefined ? [] : retiredTable<Hash>(k, old.table, { is: 'hash', which, ops });
  const failed = publishHash(k, ops, which, held);
  if (old !== undefined) {
    k.ftrace.tables.hashes[pointer(ops, which)] = old.table;
    freeTable(k, old);
  }
  return failed;
}

/** free_ftrace_hash() of both, with no grace period. The ops has empty ones from here on. */
export function freeHashes(k: FtraceWorld, ops: OpsId): void {
  for (const which of BOTH) {
    const old = publishHash(k, ops, which, []);
    if (old !== undefined) freeTable(k, old);
  }
}

/** The same by a function that leaves both pointers as they were. Hashes that were freed already are freed twice. */
export function freeHashesUnderPointers(k: FtraceWorld, ops: OpsId): void {
  for (const which of BOTH) {
    if (isNullHash(k, ops, which)) continue;
    const old = publishHash(k, ops, which, []);
    if (old === undefined) continue;
    freeTable(k, old);
    k.ftrace.tables.hashes[pointer(ops, which)] = FREED_HASH;
  }
}

/** The memory of an ops is cleared, or given back: its pointers are gone, whatever they pointed to. */
export function dropHashes(k: FtraceWorld, ops: OpsId): void {
  for (const which of BOTH) {
    if (current(k, ops, which) === FREED_HASH) delete k.ftrace.tables.hashes[pointer(ops, which)];
  }
  freeHashes(k, ops);
}

/** The memory of an IPMODIFY ops was cleared: its filter is NULL, until a hash is published. */
export function clearFilter({ ftrace }: FtraceWorld, ops: OpsId): void {
  ftrace.tables.hashes[pointer(ops, 'filter')] = NULL_HASH;
}

function isNullHash(k: FtraceView, ops: OpsId, which: Which): boolean {
  return current(k, ops, which) === NULL_HASH;
}

/**
 * The filter of an IPMODIFY ops, by a function that follows `ops->func_hash->filter_hash` without asking: NULL is a crash. Before
 * ftrace_ops_init() `func_hash` is NULL itself.
 */
export function followFilter(k: FtraceView, name: OpsId): Hash {
  const { hashOf: owner } = opsOf(k, name);
  if (!isNullHash(k, owner, 'filter')) return readHash(k, name, 'filter');
  const pointer = notInitialised(k, { ops: name }) ? 'func_hash' : 'filter_hash';
  throw new Oops({ is: 'ops without filter hash', ops: name, pointer });
}

/** kfree() of an ops and of its hashes: any later use is a crash, but for a walk of the list that it is still on. */
export function freeOps(k: FtraceWorld, ops: OpsId): void {
  const { ftrace } = k;
  if (ftrace.opsList.includes(ops)) ftrace.staleOps = { ...ftrace.staleOps, [ops]: { ...opsOf(k, ops) } };
  dropHashes(k, ops);
  delete k.ftrace.ops[ops];
}

/**
 * ftrace_free_filter() and kfree() of an ops. A hash is emptied before it is freed: one that is still on the list reads as if
 * its ops traced every function.
 */
export function freeOpsWithFilter(k: FtraceWorld, ops: OpsId): void {
  freeOps(k, ops);
  const stale = k.ftrace.staleOps?.[ops];
  if (stale !== undefined) Object.assign(stale, { filter: [], notrace: [] });
}

/** An ops that was freed while on the list. It reads as it was then: nothing has used its memory again. */
export function staleOps({ ftrace }: FtraceView, name: OpsId): DeepReadonly<FtraceOps> | undefined {
  return ftrace.ops[name] === undefined ? ftrace.staleOps?.[name] : undefined;
}

/** An ops of the list. */
export function opsOnList(k: FtraceView, name: OpsId): DeepReadonly<FtraceOps> {
  return staleOps(k, name) ?? opsOf(k, name);
}

/** Whether an ops of the list has a function: of freed memory, by what was left there. */
export function hasOnList(k: FtraceView, name: OpsId, ip: Ip): boolean {
  const stale = staleOps(k, name);
  return stale === undefined ? matches(k, name, ip) : hashContainsIp(stale.filter, stale.notrace, ip);
}

/** ops_references_ip(): the same for an enabled ops. */
export function opsReferencesIp(k: FtraceView, name: OpsId, ip: Ip): boolean {
  return (opsOnList(k, name).flags & FTRACE_OPS_FL_ENABLED) !== 0 && hasOnList(k, name, ip);
}

/** The two pointers as a reader holds them (`struct ftrace_ops_hash`). */
export interface OpsHash {
  readonly ops: OpsId;
  readonly filter: number;
  readonly notrace: number;
}

/** The first step of ftrace_ops_test(): the pointers. */
export function loadHashes(k: FtraceView, name: OpsId): OpsHash {
  const ops = opsOf(k, name).hashOf;
  return { ops, filter: current(k, ops, 'filter'), notrace: current(k, ops, 'notrace') };
}

/** The second step: their content. A hash that was freed meanwhile is a crash. */
export function testHashes(k: FtraceView, hashes: OpsHash, ip: Ip): boolean {
  return hashContainsIp(contentOf(k, hashes, 'filter'), contentOf(k, hashes, 'notrace'), ip);
}

/** A hash of an ops as a holder of `ftrace_lock` reads it. One that was freed under its pointer is a crash. */
export function readHash(k: FtraceView, name: OpsId, which: Which): Hash {
  return contentOf(k, loadHashes(k, name), which);
}

function contentOf(k: FtraceView, hashes: OpsHash, which: Which): Hash {
  const { ops } = hashes;
  const table = hashes[which];
  if (table === EMPTY_HASH || table === NULL_HASH) return [];
  if (table !== FREED_HASH && table === current(k, ops, which)) return opsOf(k, ops)[which];
  return retiredTable<Hash>(k, table, { is: 'hash', which, ops });
}
