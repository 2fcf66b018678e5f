import type { Job } from '../../counterexamples/answer.ts';
import { refineJob } from '../../counterexamples/refine/refine-job.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { subjectsOf } from './subjects.ts';

/** The options of `refine`, as the command line gives them. */
export interface RefineLine {
  readonly operations: string;
}

const OPERATIONS_MOST = 9;

/** What `refine` does with two designs. */
export function refineCommand(designs: readonly string[], { operations }: RefineLine): Job {
  const [one, other, ...more] = designs;
  if (one === undefined || other === undefined || more.length > 0)
    throw new InputError(`refine compares two designs, not ${designs.length}`);
  const length = wholeNumber(operations, '--operations', OPERATIONS_MOST);
  if (length === 0) throw new InputError('--operations 0 is less than 1');
  return refineJob({ profiles: subjectsOf([one, other]), operations: length });
}
