import type { CallRequest } from '../../model/call/call-frame.ts';
import type { Action } from '../../model/client/all.ts';
import type { InjectedFault } from '../../model/core/world.ts';
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

/** What may come into a task's call, and make a call of its own on top of it. */
export const INTERRUPTIONS = ['interrupt', 'earlyInterrupt', 'nmi', 'softInterrupt'] as const;
export type Interruption = (typeof INTERRUPTIONS)[number];

/** The calls that a task makes, and those that are made on top of it. */
export function requestsOf(script: CallerScript): CallRequest[] {
  return [script.call, ...INTERRUPTIONS.flatMap((kind) => script[kind] ?? [])];
}

export interface CallerScript {
  readonly call: CallRequest;
  /** The idle task, where RCU is not watching. */
  readonly idle?: boolean;
  /** What an interrupt calls that may arrive once, at any point of the call. */
  readonly interrupt?: CallRequest;
  /** The same of one that calls before irq_enter_rcu() has counted it in `preempt_count`. */
  readonly earlyInterrupt?: CallRequest;
  /** What an NMI calls that may arrive once, at any point of the call or of the call of an interrupt. */
  readonly nmi?: CallRequest;
  /** What a soft interrupt calls that may arrive once, at any point of the task's own call; the others come into it. */
  readonly softInterrupt?: CallRequest;
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

/** The failures that actors inject. */
export function orderedFaults({ setup, clients }: Scenario): InjectedFault[] {
  return [...setup, ...clients.flat()].flatMap((action) => (action.do === 'fail' ? [action.fault] : []));
}
