import type { KernelVersion, RecordedVersion } from '../../model/core/profile.ts';

/*
 * The audit: what each modelled kernel function does besides its result, beside what the model does. Written while
 * reading the function in the source of each kernel; the test beside this file compares it with the parts of the
 * model's routines.
 */

/**
 * An error path, a wait, a lock or an allocation of a kernel function. A branch is a path that has neither a goto nor a
 * return of its own: what is undone before the common return, what a loop skips.
 */
export type AuditKind = 'goto' | 'return' | 'branch' | 'wait' | 'deferred' | 'lock' | 'allocation';

export interface AuditRow {
  readonly kind: AuditKind;
  /**
   * The statement in our words: the label of a goto and its condition, the errno of a return and its condition, the
   * function that waits, the lock and what it protects, the memory that is allocated.
   */
  readonly what: string;
  /** The kernels whose source has it. */
  readonly in: readonly RecordedVersion[];
  readonly counterpart: Counterpart;
}

/** What the model has for it, or the reason why it has nothing. */
export type Counterpart =
  | {
      /**
       * Parts of routines, as `register_ftrace_direct: the ops is enabled`, or functions of the model, as
       * `model/trampoline/load.ts refuseAccess`. Of several audited parts of one name in a routine, the second is
       * `register_ftrace_direct: roll back (2)`; they are counted as the linker lays them out, a rollback before the
       * parts that it undoes.
       */
      readonly parts: readonly string[];
    }
  | { readonly omitted: string };

export interface AuditedFunction {
  readonly fn: string;
  /** The kernels that have the function. */
  readonly in: readonly RecordedVersion[];
  /** What its rows rest on for 7.2, where that is not the source of 7.2.13. */
  readonly basis?: string;
  readonly rows: readonly AuditRow[];
}

/** The functions of one file of the kernel. */
export interface Audit {
  readonly file: string;
  readonly functions: readonly AuditedFunction[];
}

export const ALL: readonly KernelVersion[] = ['6.1', '6.12', '7.2'];
export const V6_1: readonly KernelVersion[] = ['6.1'];
export const V6_12: readonly KernelVersion[] = ['6.12'];
export const V7_2: readonly KernelVersion[] = ['7.2'];
export const V7_3: readonly RecordedVersion[] = ['7.3'];
export const UNTIL_6_12: readonly KernelVersion[] = ['6.1', '6.12'];
export const SINCE_6_12: readonly KernelVersion[] = ['6.12', '7.2'];

/** The model has it: these parts. */
export function modelled(...parts: readonly string[]): Counterpart {
  return { parts };
}

/** The model does not have it; a reason that repeats is one of `reasons.ts`. */
export function omitted(why: string): Counterpart {
  return { omitted: why };
}

const rowsOf =
  (kind: AuditKind) =>
  (kernels: readonly RecordedVersion[], what: string, counterpart: Counterpart): AuditRow => ({
    kind,
    what,
    in: kernels,
    counterpart,
  });

export const gotos = rowsOf('goto');
export const returns = rowsOf('return');
export const branches = rowsOf('branch');
export const waits = rowsOf('wait');
export const defers = rowsOf('deferred');
export const locks = rowsOf('lock');
export const allocates = rowsOf('allocation');
