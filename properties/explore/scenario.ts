import type { Action } from '../../model/action.ts';
import type { CallRequest } from '../../model/call-frame.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';

/** What is set up before anything is interleaved, who does what then, and on how many processors. */
export interface Scenario {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
  /** Done one after the other, to their end. */
  readonly setup: readonly Action[];
  /** Tasks that each do a list of operations. */
  readonly clients: readonly (readonly Action[])[];
  /** Tasks that each make a call. */
  readonly callers: readonly CallerScript[];
  readonly processors: number;
}

export interface CallerScript {
  readonly call: CallRequest;
  /** The idle task, where RCU is not watching. */
  readonly idle?: boolean;
  /** What an interrupt calls that may come once, at any point of the call. */
  readonly interrupt?: CallRequest;
}
