import type { Part } from '../core/part.ts';
import type { Words } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
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

function contentOf(k: FtraceWorld, table: number): DirectFunctions {
  if (table === k.ftrace.tables.directFunctions) return k.ftrace.directFunctions;
  if (table === EMPTY_HASH) return {};
  return retiredTable<DirectFunctions>(k, table, 'direct_functions');
}
