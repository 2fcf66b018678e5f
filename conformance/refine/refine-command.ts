import type { Job } from '../../counterexamples/answer.ts';
import { latticeJob } from '../../counterexamples/refine/lattice-job.ts';
import { refineJob } from '../../counterexamples/refine/refine-job.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { subjectsOf } from './subjects.ts';

/** The options of `refine`, as the command line gives them. */
export interface RefineLine {
  readonly operations?: string;
  readonly all?: boolean;
}

const OPERATIONS_MOST = 9;

/** Operations of a history, when nothing is said: for two designs, and for all. */
const OPERATIONS = '4';
const OPERATIONS_OF_ALL = '3';

/** What `refine` does: with two designs, or with all. */
export function refineCommand(designs: readonly string[], { operations, all = false }: RefineLine): Job {
  const text = operations ?? (all ? OPERATIONS_OF_ALL : OPERATIONS);
  const length = wholeNumber(text, '--operations', OPERATIONS_MOST);
  if (length === 0) throw new InputError('--operations 0 is less than 1');
  const [one, other, ...more] = designs;
  if (all && one === undefined)
    return latticeJob({
      designs: DESIGNS.map(({ name }) => name),
      kernelsOf: subjectsOf,
      operations: length,
    });
  if (all || one === undefined || other === undefined || more.length > 0)
    throw new InputError(
      `refine ${all ? '--all compares all designs' : 'compares two designs'}, and is given ${designs.length}`,
    );
  return refineJob({ profiles: subjectsOf([one, other]), operations: length });
}
