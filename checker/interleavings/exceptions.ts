import { crashOf } from '../../model/call/exception.ts';
import type { TaskJudgement, TaskLaw, TaskMoment } from '../../properties/law/interleaving-law.ts';
import { noWarnAndNoOops } from '../../properties/task/no-warn-and-no-oops.ts';
import type { TaskEvent } from './event.ts';
import type { TaskBreach } from './judge.ts';

/*
 * An exception of a routine is a crash of the kernel: a breach with a schedule, not an error of the checker.
 */

/** The breach that it is, whichever laws are checked. */
export function exceptionBreach({
  crash,
}: Extract<TaskEvent, { readonly is: 'crash' }>): TaskBreach | undefined {
  if (crash.is !== 'exception') return undefined;
  return { law: noWarnAndNoOops, finding: { is: 'crashes', unmet: 'nothing crashes', crash } };
}

/** What a law tries on a copy of the kernel may end in an exception, too. */
export function judged(law: TaskLaw, moment: TaskMoment): TaskJudgement {
  try {
    return law.judge(moment);
  } catch (error) {
    return { is: 'crashes', unmet: 'nothing crashes', crash: crashOf(error) };
  }
}
