import { crashOf } from '../../model/call/exception.ts';
import { operationsNeitherOopsNorHang } from '../../properties/ftrace/operations-neither-oops-nor-hang.ts';
import { tracedCallsReturn } from '../../properties/ftrace/traced-calls-return.ts';
import type { AttachLaw, Judgement, Moment } from '../../properties/law/sequence-law.ts';

/*
 * An exception of a routine is a crash of the kernel: a breach with a sequence, not an error of the checker.
 */

/** The laws that judge an action: after an exception nothing else can be judged, whichever laws are checked. */
export function lawsOn({ outcome }: Moment, laws: readonly AttachLaw[]): readonly AttachLaw[] {
  if (outcome.died?.is !== 'exception') return laws;
  return [...laws, operationsNeitherOopsNorHang, tracedCallsReturn];
}

/** What a law tries on a copy of the kernel may end in an exception, too. */
export function judged(law: AttachLaw, moment: Moment): Judgement {
  try {
    return law.judge(moment);
  } catch (error) {
    return { is: 'operation-dies', action: moment.action.do, died: crashOf(error) };
  }
}
