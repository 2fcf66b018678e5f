import type { Ip, OpsId } from '../core/ids.ts';
import type { FtraceOps, Hash } from './ops.ts';
import { ensureOps, hashContainsIp, opsOf } from './ops.ts';
import { EMPTY_HASH, freeTable, replaceTable, retiredTable } from './tables.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/** Which of an ops's two hashes. */
export type Which = 'filter' | 'notrace';

const BOTH: readonly Which[] = ['filter', 'notrace'];

function pointer(ops: OpsId, which: Which): string {
  return `${ops}.${which}`;
}

function current({ ftrace }: FtraceView, ops: OpsId, which: Which): number {
  return ftrace.tables.hashes[pointer(ops, which)] ?? EMPTY_HASH;
}

/** Publishes a hash. Gives the one that it replaces, which is somebody's to free: undefined for the empty one. */
export function publishHash(
  k: FtraceWorld,
  ops: OpsId,
  which: Which,
  hash: Hash,
): { readonly table: number } | undefined {
  const { tables } = k.ftrace;
  const table = current(k, ops, which);
  const owner: FtraceOps = ensureOps(k, ops);
  if (hash.length > 0) tables.hashes[pointer(ops, which)] = replaceTable(tables, table, owner[which]);
  else {
    if (table !== EMPTY_HASH) tables.retired[table] = owner[which];
    delete tables.hashes[pointer(ops, which)];
  }
  owner[which] = hash;
  return table === EMPTY_HASH ? undefined : { table };
}

/** Publishes the hash of before once more; gives the one that was current meanwhile. */
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

/** free_ftrace_hash() of both, with no grace period: nobody may be reading them. */
export function freeHashes(k: FtraceWorld, ops: OpsId): void {
  for (const which of BOTH) {
    const old = publishHash(k, ops, which, []);
    if (old !== undefined) freeTable(k, old);
  }
}

/** The memory of an ops, and its hashes, are given back: who still uses it crashes. */
export function freeOps(k: FtraceWorld, ops: OpsId): void {
  freeHashes(k, ops);
  delete k.ftrace.ops[ops];
}

/** The two pointers as a reader holds them. */
export interface OpsHash {
  readonly ops: OpsId;
  readonly filter: number;
  readonly notrace: number;
}

/** The first moment of ftrace_ops_test(): the pointers. */
export function loadHashes(k: FtraceView, name: OpsId): OpsHash {
  const ops = opsOf(k, name).hashOf;
  return { ops, filter: current(k, ops, 'filter'), notrace: current(k, ops, 'notrace') };
}

/** The second one: what they lead to. A hash that has been freed meanwhile is a crash. */
export function testHashes(k: FtraceView, hashes: OpsHash, ip: Ip): boolean {
  return hashContainsIp(contentOf(k, hashes, 'filter'), contentOf(k, hashes, 'notrace'), ip);
}

function contentOf(k: FtraceView, hashes: OpsHash, which: Which): Hash {
  const { ops } = hashes;
  const table = hashes[which];
  if (table === EMPTY_HASH) return [];
  if (table === current(k, ops, which)) return opsOf(k, ops)[which];
  return retiredTable<Hash>(k, table, { is: 'hash', which, ops });
}
