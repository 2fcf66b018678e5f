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
 * direct_functions: what the direct call of each site leads to. Until 6.3 entries come and go in the one table, which
 * is replaced when it has to grow; later each registration publishes a new one. An address is changed in place.
 */

/** Publishes another table, which nobody else has. Gives the one that it replaces, which is somebody's to free: undefined for the empty one. */
export function publishDirectFunctions(
  { ftrace }: FtraceWorld,
  table: Record<Ip, CodeName>,
): { readonly table: number } | undefined {
  const old = ftrace.tables.directFunctions;
  ftrace.tables.directFunctions = replaceTable(ftrace.tables, old, ftrace.directFunctions);
  ftrace.directFunctions = table;
  return old === EMPTY_HASH ? undefined : { table: old };
}

/** Publishes the table of before once more; gives the one that was current meanwhile. */
export function restoreDirectFunctions(k: FtraceWorld, table: number): { readonly table: number } {
  const { ftrace } = k;
  const failed = ftrace.tables.directFunctions;
  ftrace.tables.retired[failed] = ftrace.directFunctions;
  ftrace.directFunctions = { ...contentOf(k, table) };
  ftrace.tables.directFunctions = table;
  freeTable(k, { table });
  return { table: failed };
}

/** register_ftrace_direct_cb(), a callback of call_rcu_tasks(): a task may be between two instructions of a lookup. */
export const registerFtraceDirectCb = routine<FtraceWorld, { table: number }>(
  'register_ftrace_direct_cb',
  ({ wait, step }) => [wait('rcu_tasks'), step('free the table', freeTable)],
);

/** What a registration remembers of the table that it has replaced. */
export interface Replaced {
  replaced?: { readonly table: number } | undefined;
  /** It made room in the table (6.3 and before). */
  grown?: boolean;
}

/**
 * ftrace_add_rec_direct() (6.3 and before): an empty table is replaced by one with room for 64 entries; that more are
 * needed is not modelled.
 */
export function makeRoom({ when, step }: RoutineWords<FtraceWorld, Replaced>): Part {
  return when('direct_functions is empty', isEmpty, [
    step('make room in direct_functions', (k, locals) => {
      locals.replaced = publishDirectFunctions(k, {});
      locals.grown = true;
    }),
  ]);
}

function isEmpty({ ftrace }: FtraceView): boolean {
  return Object.keys(ftrace.directFunctions).length === 0;
}

/** The client waits until nobody can be looking into the table that was replaced, even if that was the empty one. */
export function freeGrown({ when, wait, step }: RoutineWords<FtraceWorld, Replaced>): Part {
  return when('room was made', (_, { grown }) => grown === true, [
    wait('rcu_tasks'),
    step('free the table', (k, { replaced }) => {
      if (replaced !== undefined) freeTable(k, replaced);
    }),
  ]);
}

/** The first moment of ftrace_find_rec_direct(): the pointer, as the number of a table. */
export function loadDirectFunctions({ ftrace }: FtraceView): number {
  return ftrace.tables.directFunctions;
}

/** The second one: the address in that table, empty if it has none. A table that has been freed meanwhile is a crash. */
export function lookupDirect(k: FtraceView, table: number, ip: Ip): string {
  return contentOf(k, table)[ip] ?? '';
}

/** An entry that a look-up stands on, on its way to another. */
export interface PassedEntry {
  readonly table: number;
  readonly ip: Ip;
}

/**
 * For each of some sites the entry before its own, if there is one: lists begin with the newest. Entries of the
 * interface by (ip, address) are freed after a grace period, and are left out together with all others where it is used.
 */
export function passedEntries(k: FtraceView, ips: readonly Ip[]): PassedEntry[] {
  if (ips.length === 0 || k.ftrace.directOpsHasHash) return [];
  const { fronts, oldest } = frontsOf(k);
  const table = k.ftrace.tables.directFunctions;
  return ips.flatMap((ip) => {
    const isThere = k.ftrace.directFunctions[ip] !== undefined;
    const front = isThere ? fronts.get(ip) : oldest.get(listOf(k, ip));
    return front === undefined ? [] : [{ table, ip: front }];
  });
}

/** The sites of direct_functions that have another before them, with that; and the last one of each list. */
function frontsOf(k: FtraceView) {
  const oldest = new Map<bigint | undefined, string>();
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

/** Going on from an entry that remove_direct_functions_hash() has freed meanwhile is a crash. */
export function leaveEntry({ ftrace }: FtraceView, { table, ip }: PassedEntry): void {
  if (table === ftrace.tables.directFunctions && ftrace.directFunctions[ip] === undefined)
    throw useAfterFree({ is: 'direct entry', ip });
}

/** 2^64 divided by the golden ratio, and the bits of a table with 32 lists: no table of few entries has more. */
const GOLDEN_RATIO_64 = 0x61c8864680b583ebn;
const LIST_BITS = 5n;

/**
 * hash_long(): which list a site is in. In a table with fewer lists the same two sites are in one as well. What is no
 * site, or was one in a module that is gone, is at no address of the model: in none.
 */
function listOf(k: FtraceView, ip: Ip): bigint | undefined {
  const order = k.text.functions[ip];
  return order === undefined ? undefined : (LISTS[order] ??= listAt(functionAddress(order)));
}

/** The lists of functions by their places, kept: working one out takes long. */
const LISTS: bigint[] = [];

function listAt({ hi, lo }: Word): bigint {
  const address = (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0);
  return BigInt.asUintN(64, address * GOLDEN_RATIO_64) >> (64n - LIST_BITS);
}

function contentOf(k: FtraceView, table: number): DirectFunctions {
  if (table === k.ftrace.tables.directFunctions) return k.ftrace.directFunctions;
  if (table === EMPTY_HASH) return {};
  return retiredTable<DirectFunctions>(k, table, { is: 'direct_functions' });
}
