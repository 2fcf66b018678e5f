import type { Action } from '../../model/action.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';

/** A sequence of client calls in one kernel. */
export interface AttachCase {
  /** Kernel and overridden behaviours, as `profileNamed()` takes them. */
  readonly profile: string;
  /** All traced functions, those that others call included. */
  readonly functions: readonly TracedFunction[];
  readonly actions: readonly Action[];
}
