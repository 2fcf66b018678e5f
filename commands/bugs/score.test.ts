import { describe, expect, it } from 'vitest';
import { searchAllImages } from '../../checker/images/exhaustive.ts';
import { exhausted } from '../../checker/sequences/exhaustive/search.ts';
import type { SequencePlayer } from '../../checker/sequences/run-sequence.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { deadFtraceStaysDead } from '../../properties/ftrace/dead-ftrace-stays-dead.ts';
import { onlyGraphUserIsCalledDirectly } from '../../properties/ftrace/only-graph-user-is-called-directly.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { PLANTED } from '../../properties/planted/images/all.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { returnsUseTheReturnThunk } from '../../properties/trampoline/returns-use-the-return-thunk.ts';
import { smallWorld } from './small-world.ts';

/*
 * What the score of a search measures: it is lower with a law less, and with a reduction that is not sound.
 */

/** Planted bugs that a few calls show, each to one law or to several. */
const SAMPLE = ATTACH_PLANTED.filter(({ name }) =>
  [
    'direct-mode-is-not-restored',
    'second-graph-user-does-not-end-direct-mode',
    'ops-that-ftrace-dies-over-stays-on-the-list',
    'array-of-probes-leaks',
    'disabled-kprobe-stays-armed',
    'oldest-return-hook-runs-first',
  ].includes(name),
);

/** Those that all sequences of their length show. */
function score(laws: readonly AttachLaw[], key?: (player: SequencePlayer) => string): string[] {
  return SAMPLE.filter((planted) => {
    const search = { ...smallWorld(planted), laws, depth: planted.smallest.length, states: 1000 };
    return exhausted(key === undefined ? search : { ...search, key }).found !== undefined;
  }).map(({ name }) => name);
}

describe('the score of the exhaustive search of sequences', () => {
  const whole = score(ATTACH_LAWS);

  it('is full with all laws', () => {
    expect(whole).toEqual(SAMPLE.map(({ name }) => name));
    expect(whole).toHaveLength(6);
  });

  it.each([
    [onlyGraphUserIsCalledDirectly, 'direct-mode-is-not-restored'],
    [deadFtraceStaysDead, 'ops-that-ftrace-dies-over-stays-on-the-list'],
  ])('is lower without $name', (law, lost) => {
    const left = score(ATTACH_LAWS.filter((other) => other !== law));
    expect(whole.filter((name) => !left.includes(name))).toContain(lost);
  });

  it('is lower if kernels count as one that trace the same functions', () => {
    const unsound = ({ k: { ftrace } }: SequencePlayer) => Object.keys(ftrace.directFunctions).join();
    const left = score(ATTACH_LAWS, unsound);
    expect(left.length).toBeLessThan(whole.length);
  });
});

it('the exhaustive search of images loses a bug with its law', () => {
  const planted = PLANTED.find(({ name }) => name === 'plain-return-under-mitigation')!;
  const others = IMAGE_LAWS.filter((law) => law !== returnsUseTheReturnThunk);
  const found = (laws: typeof IMAGE_LAWS) => searchAllImages({ laws, known: KNOWN }, planted, 100).found;
  expect(found([returnsUseTheReturnThunk])).toBeDefined();
  expect(found(others)).toBeUndefined();
});
