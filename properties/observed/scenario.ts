import type { CallRequest } from '../../model/call/call-frame.ts';
import type { Action } from '../../model/client/all.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';

/** The setup before interleaving begins, then the actors, and the number of CPUs. */
export interface Scenario {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
  /** Tracepoints that the kernel declares; a caller hits one by its name. */
  readonly tracepoints?: readonly DeclaredTracepoint[];
  /** Run one after the other, to their end. */
  readonly setup: readonly Action[];
  /** Tasks that each run a list of operations. */
  readonly clients: readonly (readonly Action[])[];
  /** Tasks that each make a call. */
  readonly callers: readonly CallerScript[];
  readonly cpus: number;
  /** A client that gets EAGAIN retries. */
  readonly retries?: boolean;
}

export interface CallerScript {
  readonly call: CallRequest;
  /** The idle task, where RCU is not watching. */
  readonly idle?: boolean;
  /** What an interrupt calls that may arrive once, at any point of the call. */
  readonly interrupt?: CallRequest;
  /** The call has reached this place before any other actor begins. */
  readonly startsAt?: StartsAt;
}

/**
 * Where a task is in its call: before a C function (`prog#1`, `body_hook`), or before an instruction (`tramp#1+0x4`).
 */
export interface StartsAt {
  readonly place: string;
  readonly condition: 'preempted' | 'asleep';
}

/** Whether an actor injects a failure, after which well-behaved clients are owed nothing. */
export function ordersFailure({ setup, clients }: Scenario): boolean {
  return [...setup, ...clients.flat()].some(({ do: name }) => name === 'fail');
}
