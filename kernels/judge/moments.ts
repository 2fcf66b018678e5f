import type { Call } from '../../model/client/call.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { knownFunction } from '../../model/trampoline/traced-function.ts';
import type { Moment } from '../../properties/law/sequence-law.ts';
import { expectedCall } from '../../properties/observed/expectation.ts';
import type { CallAnswer } from '../history/answer.ts';
import { lostRegisters } from '../history/recorded-words.ts';
import { asExpected, eventsOf } from './events.ts';
import { withPatches } from './live-patches.ts';
import { missedIn } from './missed.ts';
import type { ObservedStep } from './transcript.ts';

/*
 * A step of a running kernel, for the laws. `before` and `after` are the kernel as it was declared and booted: they say which
 * functions there are, and nothing of what was done to them. Laws that read more of a state do not judge it.
 */

/** An operation of the history. */
export function operationMoment(declared: KernelView, step: ObservedStep): Moment {
  const { action, errno, failed = null, faults, promised, promises } = step;
  const before = { ...declared, fault: failed };
  return {
    ...common(declared, faults),
    before,
    action,
    promised,
    promises,
    outcome: { errno, warnings: [] },
  };
}

/** A call of a function, of the history or of an examination. */
export function callMoment(
  declared: KernelView,
  { promises, faults }: Pick<ObservedStep, 'promises' | 'faults'>,
  call: Call,
  answer: CallAnswer,
): Moment {
  const expected = expectedCall(declared, promises, call);
  const fn = knownFunction(declared.functions, call.fn);
  const run = {
    rax: asExpected(fn, answer.rax, [expected.returns]),
    rdx: '0x0',
    events: eventsOf(declared, expected, withPatches(expected, promises, answer.events)),
    calleeSaved: lostRegisters(answer).split(' ').filter(Boolean),
    stackBalanced: true,
    callerStackIntact: true,
    fault: undefined,
    gone: false,
    instructions: 0,
  };
  return {
    ...common(declared, faults),
    action: call,
    promised: promises,
    promises,
    outcome: { errno: 0, warnings: [], call: run },
    missed: missedIn(expected, run.events, answer.misses),
  };
}

function common(
  declared: KernelView,
  faults: readonly InjectedFault[],
): Pick<Moment, 'previous' | 'before' | 'after' | 'program' | 'faults'> {
  return { previous: undefined, before: declared, after: declared, program: KERNEL_PROGRAM, faults };
}
