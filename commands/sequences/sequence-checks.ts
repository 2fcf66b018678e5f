import type { CheckOutcome, RunCheck } from '../../counterexamples/run-check.ts';
import { placeIn } from '../../counterexamples/run-check.ts';
import { unusableCheck } from '../images/image-checks.ts';
import { divergenceReport } from './report.ts';
import type { ReplayedSequences } from './sequences.ts';
import type { Judged } from './summary.ts';
import { isNew } from './summary.ts';

const RULE = {
  name: 'attachcheck/sequences-as-recorded',
  sentence: 'The model answers each step of a recorded sequence as the kernel did, with the same events.',
};

/** A check for each sequence, at its line, and for what is listed and no longer diverges. */
export function recordedChecks(replayed: ReplayedSequences, left: readonly string[]): RunCheck[] {
  return [
    ...replayed.results.map(recordedCheck),
    ...replayed.stale.map(({ name }): RunCheck => {
      const lines = [`${name} is listed as known, and the model agrees there`];
      return { name: `listed: ${name}`, rule: RULE, outcome: 'failed', lines };
    }),
    ...[...replayed.problems, ...replayed.failures].map((text) => unusableCheck(text, RULE)),
    ...left.map((text): RunCheck => {
      return { name: 'left out', rule: RULE, outcome: 'skipped', lines: [text] };
    }),
  ];
}

function recordedCheck(result: Judged): RunCheck {
  const { sequence, divergence, known } = result;
  const { place, kernel, set, seq } = sequence;
  const outcome: CheckOutcome = divergence === undefined ? 'passed' : isNew(result) ? 'failed' : 'known';
  const lines =
    divergence === undefined
      ? []
      : known === undefined
        ? divergenceReport(result)
        : [`${known.name}: ${known.sentence}`];
  return { name: `${place} ${kernel} ${set} ${seq}`, rule: RULE, place: placeIn(place), outcome, lines };
}
