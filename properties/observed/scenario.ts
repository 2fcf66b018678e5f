import type { CallRequest } from '../../model/call/call-frame.ts';
import type { Action } from '../../model/client/all.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';

/** What is set up before anything is interleaved, who does what then, and on how many CPUs. */
export interface Scenario {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
  /** Tracepoints that the kernel declares; a caller hits one by its name. */
  readonly tracepoints?: readonly DeclaredTracepoint[];
  /** Done one after the other, to their end. */
  readonly setup: readonly Action[];
  /** Tasks that each do a list of operations. */
  readonly clients: readonly (readonly Action[])[];
  /** Tasks that each make a call. */
  readonly callers: readonly CallerScript[];
  readonly cpus: number;
  /** A client that is answered EAGAIN tries once more. */
  readonly retries?: boolean;
}

export interface CallerScript {
  readonly call: CallRequest;
  /** The idle task, where RCU is not watching. */
  readonly idle?: boolean;
  /** What an interrupt calls that may come once, at any point of the call. */
  readonly interrupt?: CallRequest;
  /** It has got somewhere before anybody begins. */
  readonly startsAt?: StartsAt;
}

/** Where a task stands in its call: before a function in C (`prog#1`, `body_hook`), or of an instruction (`tramp#1+0x4`). */
export interface StartsAt {
  readonly place: string;
  readonly condition: 'preempted' | 'asleep';
}

/** Whether somebody has a failure happen: what that leads to is not what well-behaved clients are owed. */
export function ordersFailure({ setup, clients }: Scenario): boolean {
  return [...setup, ...clients.flat()].some(({ do: name }) => name === 'fail');
}
