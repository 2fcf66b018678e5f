import type { RecordedVersion } from '../model/core/profile.ts';
import { SHOWN_RUNS } from './shown-runs.ts';

/** What a running kernel did in the examples of the listed breaches. */
export interface ShownRun {
  readonly kernel: RecordedVersion;
  readonly release: string;
  /** `2026-11-27`. */
  readonly date: string;
  /** Those in which every answer was the model's, up to the breach. */
  readonly shown: readonly string[];
  /** Those in which the model crashes and the kernel did not: freed memory was still as it was. */
  readonly runsOn: readonly string[];
  readonly differing: readonly string[];
}

/** What a kernel did when it last ran the example of a listed breach; undefined: it was not run there. */
export function shownOn(kernel: RecordedVersion, name: string): 'shown' | 'runs on' | 'differs' | undefined {
  const run = SHOWN_RUNS.find((own) => own.kernel === kernel);
  if (run?.shown.includes(name)) return 'shown';
  if (run?.runsOn.includes(name)) return 'runs on';
  return run?.differing.includes(name) ? 'differs' : undefined;
}
