import { counted } from '../counterexamples/text.ts';
import type { RecordedVersion } from '../model/core/profile.ts';
import { COMPARED_RUNS } from './compared-runs.ts';

/** A run of drawn histories on a real kernel, each compared with the model after every call. */
export interface ComparedRun {
  readonly kernel: RecordedVersion;
  /** `uname -r`. */
  readonly release: string;
  /** `2026-11-27`. */
  readonly date: string;
  readonly seed: number;
  /** The numbers of the first history and of the one after the last. */
  readonly from: number;
  readonly next: number;
  readonly histories: number;
  readonly comparisons: number;
  /** Histories that differed: a run ends at the first. */
  readonly differences: number;
}

/** The runs of the day on which a kernel was last compared, together; undefined: it never was. */
export type LastCompared = Pick<
  ComparedRun,
  'kernel' | 'release' | 'date' | 'histories' | 'comparisons' | 'differences'
>;

export function lastCompared(
  kernel: RecordedVersion,
  runs: readonly ComparedRun[] = COMPARED_RUNS,
): LastCompared | undefined {
  const own = runs.filter((run) => run.kernel === kernel);
  const newest = own.toSorted((a, b) => a.date.localeCompare(b.date)).at(-1);
  if (newest === undefined) return undefined;
  const { release, date } = newest;
  const last = own.filter((run) => run.date === date && run.release === release);
  const sum = (of: 'histories' | 'comparisons' | 'differences') =>
    last.reduce((total, run) => total + run[of], 0);
  return {
    kernel,
    release,
    date,
    histories: sum('histories'),
    comparisons: sum('comparisons'),
    differences: sum('differences'),
  };
}

/** `6.12.117+deb12-amd64, 2026-11-27: 300 histories agree`. */
export function comparedText({ release, date, histories, differences }: LastCompared): string {
  const all = `${release}, ${date}: ${counted(histories, 'history')}`;
  return differences === 0 ? `${all} agree` : `${all}, ${counted(differences, 'difference')}`;
}
