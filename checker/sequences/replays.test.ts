import { expect, test } from 'vitest';
import { linkKernel } from '../../model/step.ts';
import { F1 } from '../../properties/planted/sequences/actions.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { AttachCase } from './attach-case.ts';
import type { AttachBreach } from './played.ts';
import { Replays } from './replays.ts';
import { runSequence } from './run-sequence.ts';

/** A sequence, and what is near to it: one action less, one twice, and the beginning of it. */
function near(c: AttachCase): AttachCase[] {
  return c.actions.flatMap((action, i) => [
    c,
    { ...c, actions: c.actions.toSpliced(i, 1) },
    { ...c, actions: c.actions.toSpliced(i, 0, action) },
    { ...c, actions: c.actions.slice(0, i) },
  ]);
}

function told(breach: AttachBreach | undefined): unknown {
  return breach && [breach.law.name, breach.finding, breach.at, breach.moment.after, breach.history.length];
}

test('what is not played again comes to the same as if it was', () => {
  let broken = 0;
  for (const planted of ATTACH_PLANTED.filter((_, i) => i % 4 === 0)) {
    const { law, profile, functions = [F1], tracepoints = [], smallest: actions, edits } = planted;
    const question = { laws: [law], program: linkKernel(edits) };
    const replays = new Replays(question);
    for (const c of near({ profile, functions, tracepoints, actions })) {
      const breach = replays.newBreach(c);
      expect(told(breach)).toEqual(told(runSequence(c, question).newBreach));
      if (breach !== undefined) broken++;
    }
  }
  expect(broken).toBeGreaterThan(50);
});
