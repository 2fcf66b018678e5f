import { describe, expect, test } from 'vitest';
import { linkKernel } from '../../model/step.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { runSequence } from '../../properties/attach/run-sequence.ts';
import type { AttachSearched } from '../../properties/attach/search.ts';
import { searchSequences } from '../../properties/attach/search.ts';
import { detachingNeedsNoMemory } from '../../properties/ftrace/detaching-needs-no-memory.ts';
import { PLANTED_ANSWERS } from '../../properties/planted/attach-answers.ts';
import { PLANTED_LIFETIMES } from '../../properties/planted/attach-lifetimes.ts';
import { PLANTED_RECORDS } from '../../properties/planted/attach-records.ts';
import { PLANTED_RETURNS } from '../../properties/planted/attach-returns.ts';
import { KNOWN_ATTACH } from './attach-all.ts';

/** The functions that the smallest sequences name. */
const FUNCTIONS = [
  tracedFunction('f1', 1, 'u64 -> u64'),
  tracedFunction('f2', 2, 'u64 x2 -> u64'),
  tracedFunction('cb', 43, 'u64 x2 -> u64'),
  tracedFunction('rec', 44, 'u64 -> u64'),
  tracedFunction('v3', 20, 'u64 x3 -> void'),
];

const PLANTED = [...PLANTED_RECORDS, ...PLANTED_LIFETIMES, ...PLANTED_RETURNS, ...PLANTED_ANSWERS];
const LAWS = [...new Set(PLANTED.map(({ law }) => law))];
const KNOWN = KNOWN_ATTACH;
/** Sequences in which each planted bug is found with seed 1. */
const SEQUENCES = 1500;

function outcomeOf(search: Generator<AttachSearched, AttachSearched, boolean>): AttachSearched {
  for (;;) {
    const { done, value } = search.next(false);
    if (done === true) return value;
  }
}

describe.each(PLANTED.map(({ name }) => name))('%s', (name) => {
  const planted = PLANTED.find((one) => one.name === name)!;
  const { law, profile, edits, smallest, finding } = planted;
  const sequence = { profile, functions: FUNCTIONS, actions: smallest };

  test('is found in random sequences, and shrunk to as few calls, or one more', () => {
    const program = linkKernel(edits);
    const { found } = outcomeOf(
      searchSequences({ profile, seed: 1, sequences: SEQUENCES, laws: [law], known: KNOWN, program }),
    );
    expect(found!.case.actions.length).toBeLessThanOrEqual(smallest.length + 1);
  });

  test('is told in these words', () => {
    const { breach } = runSequence(sequence, { laws: [law], program: linkKernel(edits) });
    expect(`${breach!.finding.expected} / ${breach!.finding.observed}`).toBe(finding);
    expect(breach!.at).toBe(smallest.length - 1);
  });

  test('needs each call of its smallest sequence', () => {
    const question = { laws: [law], program: linkKernel(edits) };
    const needless = smallest.filter((_, i) => {
      const actions = smallest.filter((_, j) => j !== i);
      return runSequence({ ...sequence, actions }, question).breach !== undefined;
    });
    expect(needless).toEqual([]);
  });

  test('is not seen in the kernel as it is', () => {
    expect(runSequence(sequence, { laws: [law] }).breach).toBeUndefined();
  });
});

test('every law has a say in random sequences', () => {
  const seen = new Set<string>();
  for (const profile of ['6.1', '6.12', '7.2']) {
    const { witnesses, found } = outcomeOf(
      searchSequences({ profile, seed: 1, sequences: 300, laws: LAWS, known: KNOWN }),
    );
    expect(found?.breach.finding).toBeUndefined();
    for (const law of witnesses.keys()) seen.add(law);
  }
  const rare = detachingNeedsNoMemory;
  expect(LAWS.filter((law) => law !== rare && !seen.has(law.name)).map(({ name }) => name)).toEqual([]);
});
