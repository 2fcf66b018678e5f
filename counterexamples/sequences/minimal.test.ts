import { describe, expect, test } from 'vitest';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { searchToEnd } from '../../checker/sequences/search.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { linkKernel } from '../../model/step.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { isSame } from '../../properties/finding/same.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { CORPUS } from '../corpus-folder.ts';
import { traceKind } from '../trace-kind.ts';
import { describeSequence } from './attach-describe.ts';
import { parseAttachTrace } from './attach-trace.ts';

/*
 * What a report says of shorter sequences, tried without the shrinker.
 */

const CLAIM = 'no action can be left out';
const NEEDLESS = 'can be left out one at a time';

/** The actions of which one can be left out, and the law is broken by the same finding. */
function needless(c: AttachCase, found: (candidate: AttachCase) => unknown): number[] {
  const own = found(c);
  expect(own).toBeDefined();
  return c.actions.flatMap((_, i) => {
    const other = found({ ...c, actions: c.actions.toSpliced(i, 1) });
    return other !== undefined && isSame(other, own) ? [i] : [];
  });
}

const SAVED = sources('.trace').filter(
  ({ path, text }) => path.startsWith(`${CORPUS}/`) && traceKind(text) === 'sequence' && text.includes(CLAIM),
);

test.each(someOf(SAVED, 14).map(({ path, text }) => [path, text] as const))(
  '%s is as short as it says',
  (_, text) => {
    const { case: c, law: name, planted, known } = parseAttachTrace(text);
    const law = [...ATTACH_LAWS, ...HIT_LAWS].find((own) => own.name === name)!;
    const bug = ATTACH_PLANTED.find((own) => own.name === planted);
    const program = plantedKernel(bug);
    const own = KNOWN_ATTACH.filter((entry) => entry.name === known);
    const found = (candidate: AttachCase) => {
      const run = runSequence(candidate, { laws: [law], program, known: own });
      return known === undefined ? run.newBreach?.finding : run.known && run.breach?.finding;
    };
    expect(needless(c, found)).toEqual([]);
    const shorter = c.actions.map((_action, i) => ({ ...c, actions: c.actions.toSpliced(i, 1) }));
    const others = shorter.filter(
      (candidate) => runSequence(candidate, { laws: [law], program }).newBreach !== undefined,
    );
    const [, otherwise = '0'] = /can be left out; without (\d+) of/.exec(text) ?? [];
    expect(others).toHaveLength(Number(otherwise));
  },
);

test('no saved sequence has an action that can be left out', () => {
  const saying = sources('.trace').filter(
    ({ path, text }) => path.startsWith(`${CORPUS}/`) && text.includes(NEEDLESS),
  );
  expect(saying.map(({ path }) => path)).toEqual([]);
});

describe('what a search finds and shrinks', () => {
  const bugs = someOf(
    ATTACH_PLANTED.filter(({ profile }) => !profile.includes(',')),
    14,
  );

  test.each(bugs.flatMap(({ name }) => someOf([5, 6], 2).map((seed) => [name, seed] as const)))(
    '%s with seed %i',
    { timeout: 60_000 },
    (name, seed) => {
      const planted = ATTACH_PLANTED.find((own) => own.name === name)!;
      const { law, edits, profile } = planted;
      const program = linkKernel(edits);
      const { found } = searchToEnd({ profile, seed, sequences: 60, laws: [law], program });
      if (found === undefined) return;
      const asked = (candidate: AttachCase) =>
        runSequence(candidate, { laws: [law], program }).newBreach?.finding;
      expect(needless(found.case, asked)).toEqual([]);
      const told = describeSequence(found.case, law, {
        planted,
        seed,
        number: undefined,
        drawn: found.drawn,
      });
      expect(told?.trace.report).not.toContain(NEEDLESS);
    },
  );

  /** Defects that many sequences show. */
  const OFTEN = ['regs-are-kept-when-a-function-leaves-a-filter', 'kprobe-of-another-ops-stays'];

  test.each(OFTEN.flatMap((name) => someOf([2, 3], 2).map((seed) => [name, seed] as const)))(
    '%s, were it not listed, with seed %i',
    { timeout: 120_000 },
    (name, seed) => {
      const known = KNOWN_ATTACH.filter((entry) => entry.name !== name);
      const laws = [...ATTACH_LAWS, ...HIT_LAWS];
      const { found } = searchToEnd({ profile: '6.12', seed, sequences: 200, laws, known });
      expect(found).toBeDefined();
      const { law } = found!.breach;
      const origin = { planted: undefined, seed, number: undefined, drawn: found!.drawn, listed: known };
      const told = describeSequence(found!.case, law, origin);
      expect(told?.trace.report).not.toContain(NEEDLESS);
      const asked = (candidate: AttachCase) =>
        runSequence(candidate, { laws: [law], known }).newBreach?.finding;
      expect(needless(found!.case, asked)).toEqual([]);
    },
  );
});
