import { describe, expect, test } from 'vitest';
import { benchFor } from '../../checker/images/bench.ts';
import { runCase } from '../../checker/images/case.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { PLANTED, plantedNamed } from '../../properties/planted/images/all.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { CORPUS } from '../corpus-folder.ts';
import { whyImage } from './image-why.ts';
import { parseTrace } from './trace.ts';

const SAVED = sources('.trace').filter(({ path }) => path.startsWith(`${CORPUS}/trampoline/`));
const NAMES = new Set(PLANTED.map(({ name }) => name));

function whyIn(text: string, isPlanted: boolean) {
  const { case: c, law, planted } = parseTrace(text);
  const bug = planted === undefined ? undefined : plantedNamed(planted);
  const question = { laws: IMAGE_LAWS.filter(({ name }) => name === law), known: [] };
  const { subject } = runCase(benchFor(isPlanted ? bug : undefined), c, question);
  return {
    bug,
    steps: c.programs.length + 1,
    why: whyImage(c, question, subject!, isPlanted ? planted : undefined),
  };
}

describe.each(
  someOf(
    SAVED.filter(({ text }) => NAMES.has(/^planted +(\S+)$/m.exec(text)?.[1] ?? '')),
    6,
  ),
)('$path', ({ text }) => {
  test('says what the planted bug is; the images part in an instruction, at the call', () => {
    const { bug, steps, why } = whyIn(text, true);
    if (why.is !== 'planted') throw new Error('it has the cause of another kernel');
    expect(why.sentence).toBe(bug!.sentence);
    if (why.parting === undefined) return;
    const { step, here, there } = why.parting;
    expect(step).toBeLessThanOrEqual(steps);
    expect(here).not.toEqual(there);
    for (const act of [here, there]) expect(['instruction', 'nothing']).toContain(act.is);
  });

  test('without the bug has a verdict for each other kernel, and a parting only from one that holds', () => {
    const { why } = whyIn(text, false);
    if (why.is !== 'elsewhere') throw new Error('no bug was planted');
    expect(why.others).toHaveLength(2);
    const holding = why.others.filter(({ verdict }) => verdict === 'holds').map(({ kernel }) => kernel);
    if (why.parting !== undefined) expect(why.parting.kernel).toBe(holding[0]);
  });
});
