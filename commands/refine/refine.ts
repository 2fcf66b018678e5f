import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';
import type { Job } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { latticeJob } from './lattice-job.ts';
import { refineJob } from './refine-job.ts';
import { subjectsOf } from './subjects.ts';

/** The options of `refine`, as the command line gives them. */
export interface RefineLine {
  readonly operations?: string;
  readonly all?: boolean;
  /** Threads of `--all`. */
  readonly workers?: string;
}

const OPERATIONS_MOST = 9;

const WORKERS_MOST = 64;

/** `refine`: with two designs, or with all; of those, a share. */
export function refineCommand(
  designs: readonly string[],
  { operations = '4', all = false, workers = '2' }: RefineLine,
  share: Share = WHOLE,
): Job | WaitingJob {
  const length = wholeNumber(operations, '--operations', OPERATIONS_MOST, 1);
  const [text, other, ...more] = designs;
  if (all && text === undefined)
    return latticeJob(
      { designs: DESIGNS.map(({ name }) => name), kernelsOf: subjectsOf, operations: length, share },
      wholeNumber(workers, '--workers', WORKERS_MOST, 1),
    );
  if (all || text === undefined || other === undefined || more.length > 0)
    throw new InputError(
      `refine ${all ? '--all compares all designs' : 'compares two designs'}, not ${designs.length}`,
    );
  return refineJob({ profiles: subjectsOf([text, other]), operations: length });
}

/** An InputError unless all designs are compared: two are one part. */
export function requireAll(designs: readonly string[], { all }: RefineLine): void {
  if (all !== true || designs.length > 0)
    throw new InputError('--shard is for refine --all: two designs are compared on one machine');
}
