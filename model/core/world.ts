import type { Errno } from './errno.ts';
import type { Locals } from './part.ts';
import type { DeepReadonly } from './readonly.ts';
import type { Warning } from './warning.ts';

/** The fields of every kernel state that routines themselves need, whatever else is in it. */
export interface World {
  /** The profile by name, with what is overridden: `6.12`, `6.12, imageLifecycle = A`. */
  readonly profile: string;
  /** Locks that are held, by the routine that took each. */
  locks: Record<string, string>;
  /** WARNs so far, in order; reported with the operation that raised them. */
  warnings: Warning[];
  /** A failure that was ordered and has not happened yet. */
  fault: InjectedFault | null;
  /** Work that was started and runs by itself: callbacks of grace periods, work items. */
  deferred: Deferred[];
}

/** The same for those who only look. */
export type WorldView = DeepReadonly<World>;

/** An allocation, or a text poke, in one function fails: the next one, or the `nth` from then on. */
export interface InjectedFault {
  readonly what: 'allocation' | 'poke';
  readonly where: string;
  /** How many are left until it fails, itself included; absent: it is the next one. */
  readonly nth?: number;
}

/** A routine that was handed to a grace period or to a work queue, and how far it has got. */
export interface Deferred {
  readonly routine: string;
  readonly args: Locals;
  /** It frees memory that only calls under way read: without such a call, no actor can tell when. */
  readonly reclaims?: true;
  /** It is a work item that runs, and waits for a lock of the operation that runs as well. */
  readonly begun?: boolean;
  /** Its frames, the innermost last, once it has started. */
  frames?: RoutineFrame[];
}

/** One routine of an operation that is being executed: plain data, so that a half-done operation can be kept. */
export interface RoutineFrame {
  /** Number of the next instruction. */
  pc: number;
  locals: Locals;
  /** How the routine is ending, while its locks are released and what it did is undone. */
  end?: Ended;
  /** Loops and rollbacks that are under way, by instruction number. */
  loops?: Record<number, Loop>;
}

export interface Loop {
  list: readonly unknown[];
  next: number;
}

/** How an operation ended. */
export type Ended = Errno | 0;

/** Writes a WARN down. */
export function warn(k: World, warning: Warning): void {
  k.warnings.push(warning);
}

/** Whether the ordered failure is this one; it happens once. */
export function fails(k: World, what: InjectedFault['what'], where: string): boolean {
  if (k.fault === null || k.fault.what !== what || k.fault.where !== where) return false;
  const { nth = 1 } = k.fault;
  k.fault = nth > 1 ? faultOf(what, where, nth - 1) : null;
  return nth === 1;
}

/** The failure of the `nth` allocation or poke; of the next one there is only one spelling. */
export function faultOf(what: InjectedFault['what'], where: string, nth: number): InjectedFault {
  return nth === 1 ? { what, where } : { what, where, nth };
}
