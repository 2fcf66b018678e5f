import { describe, expect, test } from 'vitest';
import { NearPlays } from '../../checker/sequences/near-plays.ts';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { CORPUS } from '../corpus-folder.ts';
import { parseAttachTrace } from './attach-trace.ts';
import { whyOnlyHere, whyPlantedSequence } from './attach-why.ts';

const SAVED = sources('.trace').filter(({ path }) => path.startsWith(`${CORPUS}/ftrace/`));

describe.each(someOf(SAVED, 6))('$path', ({ text }) => {
  const { case: c, law: name, planted } = parseAttachTrace(text);
  const bug = ATTACH_PLANTED.find((each) => each.name === planted)!;
  const program = plantedKernel(bug);
  const steps = stepsOf(c, program);

  test('says what the planted bug is, and the first step that differs without it', () => {
    const why = whyPlantedSequence(bug, c, { steps, program });
    if (why.is !== 'planted') throw new Error('it has the cause of another kernel');
    expect(why.sentence).toBe(bug.sentence);
    if (why.parting === undefined) return;
    const { step, here, there } = why.parting;
    expect(here).not.toEqual(there);
    const before = stepsOf(c, plantedKernel(undefined), step - 1);
    expect(before.map(({ outcome }) => outcome.errno)).toEqual(
      steps.slice(0, step - 1).map(({ outcome }) => outcome.errno),
    );
  });

  test('has no parting from the same kernel', () => {
    const why = whyPlantedSequence(bug, c, {
      steps: stepsOf(c, plantedKernel(undefined)),
      program: plantedKernel(undefined),
    });
    expect(why).toEqual({ is: 'planted', sentence: bug.sentence, parting: undefined });
  });

  test('has a verdict for each other kernel, and a parting only from the first that holds', () => {
    const law = ATTACH_LAWS.find((each) => each.name === name)!;
    const why = whyOnlyHere(c, steps, new NearPlays(c, { laws: [law] }));
    if (why.is !== 'elsewhere') throw new Error('no bug was planted');
    expect(why.others).toHaveLength(2);
    const holding = why.others.filter(({ verdict }) => verdict === 'holds').map(({ kernel }) => kernel);
    if (why.parting !== undefined) {
      expect(why.parting.kernel).toBe(holding[0]);
      expect(why.parting.here).not.toEqual(why.parting.there);
    }
  });
});
