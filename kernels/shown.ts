import type { RecordedVersion } from '../model/core/profile.ts';
import { SHOWN_RUNS } from './shown-runs.ts';

/** What a running kernel did in the examples of the listed breaches: of calls, or of interleavings. */
export interface ShownRun {
  readonly what: 'calls' | 'schedules';
  readonly kernel: RecordedVersion;
  readonly release: string;
  /** `2026-11-27`. */
  readonly date: string;
  /** Those in which every answer was the model's, up to the breach. */
  readonly shown: readonly string[];
  /** Those in which the model crashes and the kernel did not: freed memory was still as it was. */
  readonly runsOn: readonly string[];
  readonly differing: readonly string[];
  /** Interleavings that were not run, and why. */
  readonly notRun?: readonly { readonly name: string; readonly why: string }[];
}

/** What a kernel did when it last ran the example of a listed breach; undefined: it was not run there. */
export function shownOn(kernel: RecordedVersion, name: string): 'shown' | 'runs on' | 'differs' | undefined {
  const runs = SHOWN_RUNS.filter((own) => own.kernel === kernel);
  if (runs.some(({ shown }) => shown.includes(name))) return 'shown';
  if (runs.some(({ runsOn }) => runsOn.includes(name))) return 'runs on';
  return runs.some(({ differing }) => differing.includes(name)) ? 'differs' : undefined;
}

const RUNS_ON = 'the kernel runs on: what was freed is still as it was';

/** Interleavings that no running kernel has shown, with why each was not run, or that it ran on. */
export function notShown(): { readonly name: string; readonly why: string }[] {
  const runs = SHOWN_RUNS.filter(({ what }) => what === 'schedules');
  const shown = new Set(runs.flatMap((run) => run.shown));
  const reasons = [
    ...runs.flatMap(({ runsOn }) => runsOn.map((name) => ({ name, why: RUNS_ON }))),
    ...runs.flatMap(({ notRun = [] }) => notRun),
  ];
  const first = new Map(reasons.toReversed().map(({ name, why }) => [name, why]));
  return [...first]
    .filter(([name]) => !shown.has(name))
    .map(([name, why]) => ({ name, why }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
