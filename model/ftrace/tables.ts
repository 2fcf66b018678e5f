import type { CodeName, Ip } from '../core/ids.ts';
import type { KernelObject } from '../core/kernel-object.ts';
import { useAfterFree } from '../core/oops.ts';
import { routine } from '../core/routine.ts';
import type { Hash } from './ops.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * Tables that are published by a pointer (`struct ftrace_hash`): direct_functions, and the two hashes of each
 * ops. A reader loads the pointer in one step and follows it in another, and a table that was replaced is memory
 * until it is freed. The current content is kept where it is used; here are numbers for the pointers, and the
 * content of old tables.
 */

/** `EMPTY_HASH`: static, never freed. */
export const EMPTY_HASH = 0;

/**
 * The filter of an IPMODIFY ops in cleared memory: NULL. Most readers ask for an empty hash, and take NULL for one. NULL of any other
 * ops is `EMPTY_HASH` here.
 */
export const NULL_HASH = -2;

/** A pointer to a hash that was freed under it. */
export const FREED_HASH = -1;

/** An address for each call site. */
export type DirectFunctions = Readonly<Record<Ip, CodeName>>;

export interface Tables {
  /** How many there were so far: the number of the newest. */
  made: number;
  /** The pointer `direct_functions`. */
  directFunctions: number;
  /** The pointers of each ops, as `ops#1.filter`; an ops that is not here has the empty hash. */
  hashes: Record<string, number>;
  /** Tables that were replaced and not freed yet. */
  retired: Record<number, Hash | DirectFunctions>;
}

export function bootTables(): Tables {
  return { made: 0, directFunctions: EMPTY_HASH, hashes: {}, retired: {} };
}

/** A number for a new table, which is current from now on; the one before keeps its content until it is freed. */
export function replaceTable(tables: Tables, old: number, held: Hash | DirectFunctions): number {
  if (old !== EMPTY_HASH) tables.retired[old] = held;
  tables.made++;
  return tables.made;
}

/** The content of a table that is no longer current; a crash if it was freed. */
export function retiredTable<T extends Hash | DirectFunctions>(
  { ftrace }: FtraceView,
  table: number,
  what: KernelObject<'direct_functions' | 'hash'>,
): T {
  const held = ftrace.tables.retired[table];
  if (held === undefined) throw useAfterFree(what);
  return held as T;
}

interface TableArgs {
  table: number;
}

export function freeTable({ ftrace }: FtraceWorld, { table }: TableArgs): void {
  delete ftrace.tables.retired[table];
}

/** free_ftrace_hash_rcu(): ftrace_ops_test() reads a hash with preemption disabled. */
export const freeFtraceHashRcu = routine<FtraceWorld, TableArgs>('free_ftrace_hash_rcu', ({ wait, step }) => [
  wait('rcu'),
  step('free the hash', freeTable),
]);
