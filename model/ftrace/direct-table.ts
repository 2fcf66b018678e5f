import { Oops } from '../core/oops.ts';
import type { Part } from '../core/part.ts';
import type { Words } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { addressOf } from '../text/space.ts';
import type { DirectFunctions } from './tables.ts';
import { EMPTY_HASH, freeTable, replaceTable, retiredTable } from './tables.ts';
import type { FtraceWorld } from './world.ts';

/*
 * direct_functions: what the direct call of each site leads to. Until 6.3 entries come and go in the one table, which
 * is replaced when it has to grow; later each registration publishes a new one. An address is changed in place.
 */

/** Publishes another table. Gives the one that it replaces, which is somebody's to free: undefined for the empty one. */
export function publishDirectFunctions(
  { ftrace }: FtraceWorld,
  table: DirectFunctions,
): { readonly table: number } | undefined {
  const old = ftrace.tables.directFunctions;
  ftrace.tables.directFunctions = replaceTable(ftrace.tables, old, ftrace.directFunctions);
  ftrace.directFunctions = { ...table };
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
export function makeRoom({ when, step }: Words<FtraceWorld, Replaced>): Part {
  return when('direct_functions is empty', isEmpty, [
    step('make room in direct_functions', (k, at) => {
      at.replaced = publishDirectFunctions(k, {});
      at.grown = true;
    }),
  ]);
}

function isEmpty({ ftrace }: FtraceWorld): boolean {
  return Object.keys(ftrace.directFunctions).length === 0;
}

/** The client waits until nobody can be looking into the table that was replaced, even if that was the empty one. */
export function freeGrown({ when, wait, step }: Words<FtraceWorld, Replaced>): Part {
  return when('room was made', (_, { grown }) => grown === true, [
    wait('rcu_tasks'),
    step('free the table', (k, { replaced }) => {
      if (replaced !== undefined) freeTable(k, replaced);
    }),
  ]);
}

/** The first moment of ftrace_find_rec_direct(): the pointer, as the number of a table. */
export function loadDirectFunctions({ ftrace }: FtraceWorld): number {
  return ftrace.tables.directFunctions;
}

/** The second one: the address in that table, empty if it has none. A table that has been freed meanwhile is a crash. */
export function lookupDirect(k: FtraceWorld, table: number, ip: string): string {
  return contentOf(k, table)[ip] ?? '';
}

/** An entry that a look-up stands on, on its way to another. */
export interface PassedEntry {
  readonly table: number;
  readonly ip: string;
}

/**
 * The entry in front of that of a site, if there is one: lists begin with the newest. Entries of the interface by
 * (ip, address) are freed after a grace period, and are left out together with all others where it is used.
 */
export function passedEntry(k: FtraceWorld, ip: string): PassedEntry | undefined {
  if (k.ftrace.directOpsHasHash) return undefined;
  const names = Object.keys(k.ftrace.directFunctions);
  const list = listOf(k, ip);
  const front =
    list === undefined
      ? undefined
      : names.slice(names.indexOf(ip) + 1).find((other) => listOf(k, other) === list);
  return front === undefined ? undefined : { table: k.ftrace.tables.directFunctions, ip: front };
}

/** Going on from an entry that remove_direct_functions_hash() has freed meanwhile is a crash. */
export function leaveEntry({ ftrace }: FtraceWorld, { table, ip }: PassedEntry): void {
  if (table === ftrace.tables.directFunctions && ftrace.directFunctions[ip] === undefined)
    throw new Oops('use after free', `the entry of ${ip} in direct_functions has been freed`);
}

/** 2^64 divided by the golden ratio, and the bits of a table with 32 lists: no table of few entries has more. */
const GOLDEN_RATIO_64 = 0x61c8864680b583ebn;
const LIST_BITS = 5n;

/**
 * hash_long(): which list a site is in. In a table with fewer lists the same two sites are in one as well. What is no
 * site, or was one in a module that is gone, is at no address of the model: in none.
 */
function listOf(k: FtraceWorld, ip: string): bigint | undefined {
  if (k.text.functions[ip] === undefined) return undefined;
  const { hi, lo } = addressOf(k, ip);
  const address = (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0);
  return BigInt.asUintN(64, address * GOLDEN_RATIO_64) >> (64n - LIST_BITS);
}

function contentOf(k: FtraceWorld, table: number): DirectFunctions {
  if (table === k.ftrace.tables.directFunctions) return k.ftrace.directFunctions;
  if (table === EMPTY_HASH) return {};
  return retiredTable<DirectFunctions>(k, table, 'direct_functions');
}
