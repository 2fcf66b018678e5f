import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { sequenceJob } from '../counterexamples/attach/attach-job.ts';
import { parseAttachTrace, printAttachTrace } from '../counterexamples/attach/attach-trace.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import { ATTACH_PLANTED } from '../properties/planted/attach.ts';
import type { AttachPlanted } from '../properties/planted/attach-planted.ts';
import { sources, TOP } from './sources.ts';

/** Sequences in which each planted bug is found. */
const SEQUENCES = 3000;

/** The trace that the command `--planted NAME --seed SEED --save` writes. */
function saved(planted: AttachPlanted, seed: number): { path: string; text: string } {
  const job = sequenceJob({
    profiles: [planted.profile],
    laws: [planted.law],
    planted,
    known: KNOWN_ATTACH,
    seed,
    sequences: SEQUENCES,
    sites: [],
    reachesSites: false,
    printsSites: false,
  });
  for (;;) {
    const step = job.next(false);
    if (step.done === true) return step.value.save[0] ?? { path: `${planted.name} is not found`, text: '' };
  }
}

const CORPUS = new Map(sources('.trace').map(({ path, text }) => [path, text]));

/** A live patch that comes before an entry program and an exit program is too rare for a short search. */
const SEARCHED = ATTACH_PLANTED.filter(({ name }) => name !== 'modify-does-not-ask-for-ipmodify');

function pathOf({ name, law }: AttachPlanted): string {
  return `counterexamples/corpus/${law.name}.${name}.trace`;
}

describe('bugs planted in the routines of attaching', () => {
  test('have names of their own', () => {
    expect(new Set(ATTACH_PLANTED.map(({ name }) => name)).size).toBe(ATTACH_PLANTED.length);
  });

  test('are caught by laws of the board, which say what they have to', () => {
    for (const { law } of ATTACH_PLANTED) expect(ATTACH_LAWS).toContain(law);
    for (const law of ATTACH_LAWS) {
      expect(law.sentence).toMatch(/^\w.*\.$/s);
      expect(law.source).toMatch(/^\S+\.(?:[chS]|rst)\b/);
      expect(law.witness).not.toBe('');
    }
  });

  describe.each(SEARCHED.map((planted) => [planted.name, planted] as const))('%s', (_, planted) => {
    test('is found, shrunk to as few calls as there can be or one more, and kept as it is printed', {
      timeout: 60_000,
    }, () => {
      const { path, text } = saved(planted, 1);
      if (process.env.UPDATE === '1') {
        mkdirSync(dirname(join(TOP, path)), { recursive: true });
        writeFileSync(join(TOP, path), text);
      } else expect(text).toBe(CORPUS.get(path));
      expect(path).toBe(pathOf(planted));
      const trace = parseAttachTrace(text);
      expect(printAttachTrace(trace)).toBe(text);
      expect(trace.case.actions.length).toBeLessThanOrEqual(planted.smallest.length + 1);
      expect(trace.report.split('\n').length).toBeLessThanOrEqual(40);
    });
  });
});
