import { describe, expect, test } from 'vitest';
import { KNOWN_ATTACH } from '../../conformance/known/attach.ts';
import { KNOWN_RECORDS } from '../../conformance/known/attach-records.ts';
import { linkKernel } from '../../model/step.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { runSequence } from '../attach/run-sequence.ts';
import type { AttachSearched } from '../attach/search.ts';
import { searchSequences } from '../attach/search.ts';
import { PLANTED_RECORDS } from '../planted/attach-records.ts';

/** The functions that the smallest sequences name. */
const FUNCTIONS = [
  tracedFunction('f1', 1, 'u64 -> u64'),
  tracedFunction('f2', 2, 'u64 x2 -> u64'),
  tracedFunction('cb', 43, 'u64 x2 -> u64'),
  tracedFunction('rec', 44, 'u64 -> u64'),
  tracedFunction('v3', 20, 'u64 x3 -> void'),
];

const LAWS = [...new Set(PLANTED_RECORDS.map(({ law }) => law))];
const KNOWN = [...KNOWN_RECORDS, ...KNOWN_ATTACH];
/** Sequences in which each planted bug is found with seed 1. */
const SEQUENCES = 500;

function outcomeOf(search: Generator<AttachSearched, AttachSearched, boolean>): AttachSearched {
  for (;;) {
    const { done, value } = search.next(false);
    if (done === true) return value;
  }
}

describe.each(PLANTED_RECORDS.map((planted) => [planted.name, planted] as const))('%s', (_, planted) => {
  const { law, profile, edits, smallest, finding } = planted;
  const sequence = { profile, functions: FUNCTIONS, actions: smallest };

  test('is found in random sequences, and shrunk to the known smallest', () => {
    const program = linkKernel(edits);
    const { found } = outcomeOf(
      searchSequences({ profile, seed: 1, sequences: SEQUENCES, laws: [law], known: KNOWN, program }),
    );
    expect(found!.case.actions).toEqual(smallest);
  });

  test('is told in these words', () => {
    const { breach } = runSequence(sequence, { laws: [law], program: linkKernel(edits) });
    expect(`${breach!.finding.expected} / ${breach!.finding.observed}`).toBe(finding);
    expect(breach!.at).toBe(smallest.length - 1);
  });

  test('is not seen in the kernel as it is', () => {
    expect(runSequence(sequence, { laws: [law] }).breach).toBeUndefined();
  });
});

test.each(['6.1', '6.12', '7.2'])('every law has a say in random sequences of %s', (profile) => {
  const silent = LAWS.filter((law) => {
    const { witnesses, known } = outcomeOf(
      searchSequences({ profile, seed: 1, sequences: 600, laws: [law], known: KNOWN }),
    );
    return (witnesses.get(law.name) ?? 0) === 0 && known.size === 0;
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});
