import type { CodeName, Ip } from '../core/ids.ts';
import { useAfterFree } from '../core/oops.ts';
import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { functionAddress } from '../text/space.ts';
import type { Word } from '../x86/word.ts';
import type { DirectFunctions } from './tables.ts';
import { EMPTY_HASH, freeTable, replaceTable, retiredTable } from './tables.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * `direct_functions`: the address of each site's direct call. Until 6.3 entries come and go in one table, which
 * is replaced when it has to grow; later each registration publishes a new one. An address is changed in place.
 *
 * A lookup is two steps, as in the kernel: load the pointer, then follow it. 6.12 disables preemption around
 * both, 6.1 does not. A third hazard is a lookup that is on an entry of its bucket while that entry is freed.
 */

/**
 * rcu_assign_pointer(): publishes a table. Returns the one that it replaces, which the caller frees; undefined
 * for the empty one, which is static.
 */
export function publishDirectFunctions(
  { ftrace }: FtraceWorld,
  table: Record<Ip, CodeName>,
): { readonly table: number } | undefined {
  const old = ftrace.tables.directFunctions;
  ftrace.tables.directFunctions = replaceTable(ftrace.tables, old, ftrace.directFunctions);
  ftrace.directFunctions = table;
  return old === EMPTY_HASH ? undefined : { table: old };
}

/** Publishes the previous table again; returns the one that was current meanwhile. */
export function restoreDirectFunctions(k: FtraceWorld, table: number): { readonly table: number } {
  const { ftrace } = k;
  const failed = ftrace.tables.directFunctions;
  ftrace.tables.retired[failed] = ftrace.directFunctions;
  ftrace.directFunctions = { ...contentOf(k, table) };
  ftrace.tables.directFunctions = table;
  freeTable(k, { table });
  return { table: failed };
}

/** register_ftrace_direct_cb(), from call_rcu_tasks(): a task may be preempted in the middle of a lookup. */
export const registerFtraceDirectCb = routine<FtraceWorld, { table: number }>(
  'register_ftrace_direct_cb',
  ({ wait, step }) => [wait('rcu_tasks'), step('free the table', freeTable)],
);

/** What a registration remembers of the table that it has replaced. */
export interface Replaced {
  replaced?: { readonly table: number } | undefined;
  /** It enlarged the table (6.3 and before). */
  grown?: boolean;
}

/**
 * ftrace_add_rec_direct() (6.3 and before): an empty table is replaced by one for 64 entries. That a table is
 * replaced because it is full is not modelled.
 */
export function makeRoom({ when, allocate, step }: RoutineWords<FtraceWorld, Replaced>): Part {
  return when('direct_functions is empty', isEmpty, [
    allocate('a larger direct_functions'),
    step('enlarge direct_functions', (k, locals) => {
      locals.replaced = publishDirectFunctions(k, {});
      locals.grown = true;
    }),
  ]);
}

function isEmpty({ ftrace }: FtraceView): boolean {
  return Object.keys(ftrace.directFunctions).length === 0;
}

/** The client waits until no task can be in the table that was replaced, even if that was the empty one. */
export function freeGrown({ when, wait, step }: RoutineWords<FtraceWorld, Replaced>): Part {
  return when('the table was enlarged', (_, { grown }) => grown === true, [
    wait('rcu_tasks'),
    step('free the table', (k, { replaced }) => {
      if (replaced !== undefined) freeTable(k, replaced);
    }),
  ]);
}

/** The first step of ftrace_find_rec_direct(): the pointer, as the number of a table. */
export function loadDirectFunctions({ ftrace }: FtraceView): number {
  return ftrace.tables.directFunctions;
}

/**
 * The second step: the address in that table, empty if it has none. A table that was freed meanwhile is a crash.
 */
export function lookupDirect(k: FtraceView, table: number, ip: Ip): string {
  return contentOf(k, table)[ip] ?? '';
}

/** An entry of a bucket that a lookup is on, on its way to another. */
export interface PassedEntry {
  readonly table: number;
  readonly ip: Ip;
}

/**
 * For each site the entry before its own in its bucket, if there is one: hlist_add_head() puts the newest first.
 * Entries of the (ip, address) interface are freed after a grace period; where it is used, none are reported.
 */
export function passedEntries(k: FtraceView, ips: readonly Ip[]): PassedEntry[] {
  if (ips.length === 0 || k.ftrace.directOpsHasHash) return [];
  const { fronts, oldest } = frontsOf(k);
  const { directFunctions, tables } = k.ftrace;
  const passed: PassedEntry[] = [];
  for (const ip of ips) {
    const isThere = directFunctions[ip] !== undefined;
    const front = isThere ? fronts.get(ip) : oldest.get(listOf(k, ip));
    if (front !== undefined) passed.push({ table: tables.directFunctions, ip: front });
  }
  return passed;
}

/**
 * The sites of direct_functions that have another entry before them, with that; and the last entry of each
 * bucket.
 */
function frontsOf(k: FtraceView) {
  const oldest = new Map<number | undefined, string>();
  const fronts = new Map<string, string>();
  for (const ip of Object.keys(k.ftrace.directFunctions).reverse()) {
    const list = listOf(k, ip);
    if (list === undefined) continue;
    const front = oldest.get(list);
    if (front !== undefined) fronts.set(ip, front);
    oldest.set(list, ip);
  }
  return { fronts, oldest };
}

/** `hlist_for_each_entry_rcu()` to the next: a crash if remove_direct_functions_hash() has kfree()d this one. */
export function leaveEntry({ ftrace }: FtraceView, { table, ip }: PassedEntry): void {
  if (table === ftrace.tables.directFunctions && ftrace.directFunctions[ip] === undefined)
    throw useAfterFree({ is: 'direct entry', ip });
}

/**
 * `GOLDEN_RATIO_64` of include/linux/hash.h, and the bits of a table of 32 buckets: no smaller table has more.
 */
const GOLDEN_RATIO_64 = 0x61c8864680b583ebn;
const LIST_BITS = 5n;

/**
 * hash_long(): the bucket of a site. In a table with fewer buckets two sites of one bucket share one as well. A
 * name that is no site, or was one in a module that is gone, has no address in the model and is in no bucket.
 */
function listOf(k: FtraceView, ip: Ip): number | undefined {
  const order = k.text.functions[ip];
  return order === undefined ? undefined : (LISTS[order] ??= listAt(functionAddress(order)));
}

/** The buckets of functions by their places, kept: computing one takes long. */
const LISTS: number[] = [];

function listAt({ hi, lo }: Word): number {
  const address = (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0);
  return Number(BigInt.asUintN(64, address * GOLDEN_RATIO_64) >> (64n - LIST_BITS));
}

function contentOf(k: FtraceView, table: number): DirectFunctions {
  if (table === k.ftrace.tables.directFunctions) return k.ftrace.directFunctions;
  if (table === EMPTY_HASH) return {};
  return retiredTable<DirectFunctions>(k, table, { is: 'direct_functions' });
}
