import { recordedLine } from '../../conformance/sequences/enabled.ts';
import { recordedEntry } from '../../conformance/sequences/entry.ts';
import { printAction } from '../../model/action-text.ts';
import type { Action } from '../../model/client/all.ts';
import { hasFunction } from '../../model/contract/promises.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { errnosFor } from '../../properties/errno/all.ts';
import { errnosOf } from '../../properties/errno/contract.ts';
import { detachingEverythingRestoresBootState } from '../../properties/ftrace/detaching-everything-restores-boot-state.ts';
import { failedCallsHaveNoEffect, isNoRefusal } from '../../properties/ftrace/failed-calls-have-no-effect.ts';
import {
  isRefusedForMisuse,
  noWarningWithoutMisuse,
} from '../../properties/ftrace/no-warning-without-misuse.ts';
import { onlyRequestedFunctionsAreTraced } from '../../properties/ftrace/only-requested-functions-are-traced.ts';
import { operationsNeitherOopsNorHang } from '../../properties/ftrace/operations-neither-oops-nor-hang.ts';
import { refusalsHaveTheirErrno } from '../../properties/ftrace/refusals-have-their-errno.ts';
import { tracedCallsReturn } from '../../properties/ftrace/traced-calls-return.ts';
import type { AttachLaw, Moment } from '../../properties/law/sequence-law.ts';
import { mayHaveCaused } from '../../properties/observed/fault-effects.ts';
import type { EndAnswer } from '../history/answer.ts';
import { asRecorded, inOldWords } from '../history/recorded-words.ts';
import type { ObservedFinding } from './finding.ts';
import { CALL_LAWS } from './laws.ts';
import { callMoment, operationMoment } from './moments.ts';
import type { Lost, ObservedLook, ObservedStep, Transcript } from './transcript.ts';

/*
 * A history that a kernel has run, judged by the contract: from what clients asked for and were answered, and from what
 * each call showed. Neither a profile's model nor the kernel's own state has a part in it.
 */

/** The first law that a kernel was seen to break. */
export interface ObservedBreach {
  readonly law: Pick<AttachLaw, 'name' | 'sentence' | 'source'>;
  readonly finding: ObservedFinding;
  /** Index of the call after which it shows; the number of calls: when everything is taken off. */
  readonly step: number;
  /** The function that was examined; undefined: it is the call itself. */
  readonly look: ObservedLook | undefined;
}

/** The first breach of a history, if any; `judged` counts judgements of laws. */
export interface JudgedTranscript {
  readonly breach: ObservedBreach | undefined;
  readonly judged: number;
}

export function judgeTranscript(transcript: Transcript): JudgedTranscript {
  const { profile, functions } = transcript.question.case;
  const judging = new Judging(bootKernel({ profile, boot: 'default', functions }), transcript);
  const breach = judging.first();
  return { breach, judged: judging.count };
}

class Judging {
  count = 0;

  constructor(
    private readonly declared: KernelView,
    private readonly transcript: Transcript,
  ) {}

  first(): ObservedBreach | undefined {
    const { steps, lost } = this.transcript;
    for (const [step, observed] of steps.entries()) {
      const found = this.ofStep(step, observed);
      if (found !== undefined) return found;
    }
    return lost === undefined ? this.ofEnd() : this.ofLost(lost);
  }

  private ofStep(step: number, observed: ObservedStep): ObservedBreach | undefined {
    const place = { step, look: undefined };
    const own = this.ofAction(observed, place) ?? this.ofWarnings(observed.answer.warnings, observed, place);
    if (own !== undefined) return own;
    const previous = this.transcript.steps[step - 1];
    for (const look of observed.looks) {
      const found = this.ofLook(look, observed, { step, look }) ?? ofRefusal(previous, observed, look, step);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private ofAction(observed: ObservedStep, place: Place): ObservedBreach | undefined {
    const { action, answer } = observed;
    if (action.do === 'call')
      return 'events' in answer
        ? this.byLaws(CALL_LAWS, callMoment(this.declared, observed, action, answer), place)
        : undefined;
    if (isRefusedForAGoneAddress(observed)) return undefined;
    return this.byLaws([refusalsHaveTheirErrno], operationMoment(this.declared, observed), place);
  }

  private ofLook(look: ObservedLook, observed: ObservedStep, place: Place): ObservedBreach | undefined {
    const { fn, entry, call, answer } = look;
    const { promises, action, faults } = observed;
    const isAsked = promises.clients.some((client) => hasFunction(promises, client, fn.name));
    this.count++;
    if (!isAsked && entry.target !== NOP && !mayHaveCaused('filterIsStale', faults))
      return {
        ...place,
        law: onlyRequestedFunctionsAreTraced,
        finding: { is: 'patched-without-a-client', fn: fn.name, entry: entryOf(look) },
      };
    return (
      this.byLaws(CALL_LAWS, callMoment(this.declared, observed, call, answer), place) ??
      warned(answer.warnings, `a call of ${fn.name} after ${action.do}()`, place, faults)
    );
  }

  private byLaws(laws: readonly AttachLaw[], moment: Moment, place: Place): ObservedBreach | undefined {
    for (const law of laws) {
      this.count++;
      const finding = law.judge(moment);
      if (typeof finding !== 'string') return { ...place, law, finding };
    }
    return undefined;
  }

  private ofWarnings(
    lines: readonly string[],
    observed: ObservedStep,
    place: Place,
  ): ObservedBreach | undefined {
    this.count++;
    if (isRefusedForMisuse(operationMoment(this.declared, observed))) return undefined;
    return warned(lines, this.printed(observed.action), place, observed.faults);
  }

  private ofLost({ step, in: where, hangs, console }: Lost): ObservedBreach {
    const { actions } = this.transcript.question.case;
    const action = actions[step];
    const isCall = where === 'look' || (where === 'call' && action?.do === 'call');
    const words = { call: 'calls', look: 'a call of a function after it', end: 'the last detach' }[where];
    return {
      step,
      look: undefined,
      law: isCall ? tracedCallsReturn : operationsNeitherOopsNorHang,
      finding: {
        is: 'kernel-lost',
        action: where === 'call' && action !== undefined ? this.printed(action) : words,
        hangs,
        lines: console,
      },
    };
  }

  private ofEnd(): ObservedBreach | undefined {
    const { end, question, steps, taken } = this.transcript;
    this.count++;
    if (end === undefined || !isLeftBehind(this.transcript)) return undefined;
    return {
      step: Math.min(steps.length, question.case.actions.length),
      look: undefined,
      law: detachingEverythingRestoresBootState,
      finding: { is: 'left-patched', functions: end.left, direct: end.direct, taken },
    };
  }

  private printed(action: Action): string {
    return printAction(action, this.transcript.question.case);
  }
}

/**
 * The memory of an unloaded module may have another owner, often a program's image: a call that names a function of it has to
 * be refused, by any of its errnos.
 */
function isRefusedForAGoneAddress({ action, errno, promised }: ObservedStep): boolean {
  const reasons = errnosFor(action);
  if (errno === 0 || reasons === undefined) return false;
  const gone = Object.values(promised.modules).flatMap(({ live, functions }) => (live ? [] : functions));
  const words: readonly unknown[] = Object.values(action).flat();
  return gone.some((fn) => words.includes(fn)) && errnosOf(reasons).includes(errno);
}

/**
 * Detaching everything has warned: the driver detaches in an order of its own, in which the model does not, and so it is
 * open whether the breach is a listed one.
 */
export function isUnjudgedEnd({ warnings }: EndAnswer): boolean {
  return warnings.some((line) => WARN.test(line));
}

/** Whether something is left once everything was taken off. */
export function isLeftBehind({ end, taken }: Pick<Transcript, 'end' | 'taken'>): boolean {
  return end === undefined || end.left.length > 0 || end.direct !== '0' || taken.length > 0;
}

type Place = Pick<ObservedBreach, 'step' | 'look'>;

const NOP = 'nop';

/** After a failure the kernel may warn of what it could not do: which WARN that is, a console does not say. */
function warned(
  lines: readonly string[],
  action: string,
  place: Place,
  faults: readonly InjectedFault[],
): ObservedBreach | undefined {
  if (faults.length > 0) return undefined;
  const warnings = lines.filter((line) => WARN.test(line));
  if (warnings.length === 0) return undefined;
  return {
    ...place,
    law: noWarningWithoutMisuse,
    finding: { is: 'console-warns', action, lines: warnings },
  };
}

/** Lines of a WARN, an oops or ftrace_bug(); others are messages. */
const WARN = /WARNING:|BUG:|ftrace bug|Oops/;

/** A refused call leaves what every function shows as it was. */
function ofRefusal(
  previous: ObservedStep | undefined,
  { action, errno, promises, promised }: ObservedStep,
  look: ObservedLook,
  step: number,
): ObservedBreach | undefined {
  if (errno === 0 || errno === 'EBADF' || isNoRefusal(action, errno) || promises !== promised)
    return undefined;
  const earlier = previous?.looks.find(({ fn }) => fn.name === look.fn.name);
  if (earlier === undefined) return undefined;
  const [before, after] = [shown(earlier), shown(look)];
  if (before === after) return undefined;
  return {
    step,
    look,
    law: failedCallsHaveNoEffect,
    finding: { is: 'refusal-shows', errno, fn: look.fn.name, before, after },
  };
}

/** What a function shows, without the words that differ from call to call. */
function shown(look: ObservedLook): string {
  const { entry, answer } = look;
  const enabled =
    entry.enabled === undefined ? [] : [`enabled_functions ${recordedLine(asRecorded(entry.enabled))}`];
  const events = answer.events.map(({ kind, who, fn }) => `${kind} ${who}${fn === '' ? '' : ` of ${fn}`}`);
  return [entryOf(look), ...enabled, ...events].join('; ');
}

/** Its entry in the words of recordings. */
function entryOf({ entry: { target, isJump } }: ObservedLook): string {
  return recordedEntry(inOldWords(target), isJump);
}
