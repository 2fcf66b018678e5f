import { expect, test } from 'vitest';
import { linkKernel } from '../../model/step.ts';
import { F1 } from '../../properties/planted/sequences/actions.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { NearPlays } from './near-plays.ts';
import type { AttachBreach } from './played.ts';
import { runSequence } from './run-sequence.ts';

function told(breach: AttachBreach | undefined): unknown {
  return breach && [breach.law.name, breach.finding, breach.at, breach.moment.after, breach.history.length];
}

test('a sequence without one of its actions comes to the same as if it was played from its beginning', () => {
  let broken = 0;
  for (const planted of ATTACH_PLANTED.filter((_, i) => i % 4 === 1)) {
    const { law, profile, functions = [F1], tracepoints = [], smallest, edits } = planted;
    const question = { laws: [law], program: linkKernel(edits) };
    const actions = [...smallest, ...smallest.slice(0, 1)];
    const c = { profile, functions, tracepoints, actions };
    const plays = new NearPlays(c, question);
    for (const [i] of actions.entries()) {
      const breach = plays.withoutAction(i);
      const shorter = { ...c, actions: actions.toSpliced(i, 1) };
      expect(told(breach)).toEqual(told(runSequence(shorter, question).newBreach));
      expect(told(plays.newBreach(shorter))).toEqual(told(breach));
      if (breach !== undefined) broken++;
    }
  }
  expect(broken).toBeGreaterThan(20);
});

test('a sequence is played once', () => {
  const [planted] = ATTACH_PLANTED;
  const { law, profile, functions = [F1], tracepoints = [], smallest: actions, edits } = planted!;
  const c = { profile, functions, tracepoints, actions };
  const plays = new NearPlays(c, { laws: [law], program: linkKernel(edits) });
  const breach = plays.newBreach(c);
  expect(breach).toBeDefined();
  expect(plays.newBreach({ ...c, actions: [...actions] })).toBe(breach);
});
