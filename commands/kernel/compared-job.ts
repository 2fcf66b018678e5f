import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';
import type { Job } from '../../counterexamples/answer.ts';
import type { TracedScope } from '../../kernels/boot/new-guests.ts';
import type { RunsHistories } from '../../kernels/loop/tested-kernel.ts';
import { COMPARING, TestedKernel } from '../../kernels/loop/tested-kernel.ts';
import { readyKernel } from '../../kernels/ready.ts';
import { RELEASES } from '../../kernels/releases.ts';
import { InputError } from '../../model/core/input-error.ts';
import { oneOf, wholeNumber } from '../../model/core/input-value.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { seedOf } from '../line/options.ts';
import type { HistoryRun } from './compare-histories.ts';
import { compareHistories } from './compare-histories.ts';

/** The options of drawn histories, as the command line gives them. */
export interface DrawnLine {
  readonly runs: string;
  readonly seed: string;
  readonly from: string;
  readonly profile?: string;
  readonly traceAll?: true;
  readonly near?: true;
}

/** Those that are compared with the model, on a kernel that was set up. */
export interface ComparedLine extends DrawnLine {
  readonly kernel: string;
}

/** `kernel 6.12 --runs 50`: compares drawn histories with the model; of these, a share. */
export function comparedJob(line: ComparedLine, share: Share = WHOLE): Job {
  const kernel = releasedKernel(line.kernel);
  const run: HistoryRun = { kernel, profile: line.profile ?? kernel, ...drawnOf(line) };
  return compareHistories(run, () => MACHINES.of(run), share);
}

/** A kernel that can be set up, by its name. */
export function releasedKernel(name: string): RecordedVersion {
  return oneOf(
    name,
    RELEASES.map(({ kernel }) => kernel),
    'kernel',
  );
}

/** Which histories are drawn, and what they are run with. */
export function drawnOf(line: DrawnLine): Pick<HistoryRun, 'seed' | 'runs' | 'from' | 'scope' | 'near'> {
  return {
    seed: seedOf(line.seed),
    runs: wholeNumber(line.runs, '--runs', 1e6),
    from: wholeNumber(line.from, '--from', 1e6),
    scope: scopeOf(line),
    near: line.near === true,
  };
}

function scopeOf({ traceAll }: DrawnLine): TracedScope {
  return traceAll === true ? 'all functions' : 'bound functions';
}

/** Kernels that histories are run on; a test has others in their place. */
export const MACHINES = {
  of: ({ kernel, scope }: Pick<HistoryRun, 'kernel' | 'scope'>): RunsHistories =>
    new TestedKernel(readyKernel(kernel), COMPARING, scope),
};

/** An InputError unless histories are drawn: what is named or listed is that, and run on one machine. */
export function requireDrawn(
  asked: '--shard' | '--near',
  name: string,
  files: readonly string[],
  { known, schedule }: { readonly known?: true; readonly schedule?: true },
): void {
  const [option] = Object.entries({ known, schedule }).flatMap(([own, is]) =>
    is === true ? [`--${own}`] : [],
  );
  const other = option ?? (name === 'setup' ? name : files.length > 0 ? 'a trace' : undefined);
  if (other !== undefined) throw new InputError(`${asked} is for drawn histories, and not for ${other}`);
}
