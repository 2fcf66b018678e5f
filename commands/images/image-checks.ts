import type { ImageResult } from '../../conformance/images/images.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import type { CheckOutcome, RunCheck } from '../../counterexamples/run-check.ts';
import { placeIn } from '../../counterexamples/run-check.ts';
import type { ComparedImages } from './recordings.ts';
import { differencesOf } from './summary.ts';

const RULE = {
  name: 'attachcheck/images-as-recorded',
  sentence:
    'The model answers, generates and calls what the kernel was recorded to, and every law holds on it.',
};

/** A check for each record, at its line, and for each line that could not be used. */
export function imageChecks(compared: ComparedImages, left: readonly string[]): RunCheck[] {
  return [
    ...compared.results.map(recordCheck),
    ...[...compared.problems, ...compared.failures].map((text) => unusableCheck(text, RULE)),
    ...left.map((text): RunCheck => {
      return { name: 'left out', rule: RULE, outcome: 'skipped', lines: [text] };
    }),
  ];
}

function recordCheck(result: ImageResult): RunCheck {
  const { place, kernel, boot, func, programs } = result;
  const name = `${place} ${kernel} ${boot} ${func}: ${programs.join(', ')}`;
  return { name, rule: RULE, place: placeIn(place), outcome: outcomeOf(result), lines: linesOf(result) };
}

function outcomeOf({ attempt, image, call, laws }: ImageResult): CheckOutcome {
  const differs = attempt.status === 'differs' || image.status === 'different' || call.status === 'differs';
  if (differs || laws.status === 'broken') return 'failed';
  if (laws.status === 'not modelled') return 'error';
  if (laws.status === 'known') return 'known';
  return isOpen({ attempt, image, call }) ? 'skipped' : 'passed';
}

function isOpen({ attempt, image, call }: Pick<ImageResult, 'attempt' | 'image' | 'call'>): boolean {
  return (
    attempt.status === 'not decided' ||
    image.status === 'not the attached one' ||
    call.status === 'not modelled'
  );
}

function linesOf(result: ImageResult): string[] {
  const { attempt, image, call, known } = result;
  const differences = differencesOf(result).map(([what, why]) => `${what}: ${why}`);
  if (differences.length > 0) return differences;
  if (known.length > 0)
    return known.map((name) => `${name}: ${KNOWN.find((entry) => entry.name === name)?.sentence ?? ''}`);
  return isOpen(result) ? [attempt, image, call].flatMap(({ why }) => why ?? []) : [];
}

/** A line of recordings that gives no verdict: `a.jsonl:3: this line is not JSON`. */
export function unusableCheck(text: string, rule: RunCheck['rule']): RunCheck {
  const [, where = ''] = /^(.*?:\d+): /.exec(text) ?? [];
  return {
    name: where === '' ? text : where,
    rule,
    outcome: 'error',
    ...(where === '' ? {} : { place: placeIn(where) }),
    lines: [text],
  };
}
