import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printCase } from '../../../checker/images/spelling.ts';
import { searchJob } from '../../../commands/check/search.ts';
import { KNOWN } from '../../../conformance/known/known.ts';
import { parseTrace, printTrace } from '../../../counterexamples/images/trace.ts';
import { toEnd } from '../../../model/core/to-end.ts';
import { sources, TOP } from '../../../test/sources.ts';
import { someOf } from '../../../test/thorough.ts';
import { IMAGE_LAWS } from '../../laws.ts';
import { ATTACH_PLANTED } from '../sequences/all.ts';
import { PLANTED } from './all.ts';
import type { Planted } from './planted.ts';

const SAVED = new Map<Planted, Saved>();

/** The trace that `--planted NAME --seed 1 --save` writes; searched once. */
function firstSaved(planted: Planted): Saved {
  const first = SAVED.get(planted) ?? saved(planted, 1);
  SAVED.set(planted, first);
  return first;
}

interface Saved {
  readonly path: string;
  readonly text: string;
}

function saved(planted: Planted, seed: number): Saved {
  const job = searchJob({ seed, cases: 20_000, laws: [planted.law], planted, known: KNOWN });
  return toEnd(job).save[0] ?? { path: `${planted.name} is not found`, text: '' };
}

const UPDATES = process.env['UPDATE'] === '1';

/** The bugs that are searched again; the default run replays the saved trace of each. */
const ASKED = UPDATES ? PLANTED : someOf(PLANTED, 6);

const CORPUS = new Map(sources('.trace').map(({ path, text }) => [path, text]));

describe('planted bugs', () => {
  test.each(IMAGE_LAWS.map((law) => [law.name, law] as const))('%s catches at least one', (_, law) => {
    expect(PLANTED.filter((planted) => planted.law === law)).not.toEqual([]);
    expect(law.sentence).toMatch(/^\w.*\.$/s);
    expect(law.source).toMatch(/^\S+\.[chS] {2}\w+/);
    expect(law.witness).not.toBe('');
  });

  test('have unique names', () => {
    expect(new Set(PLANTED.map(({ name }) => name)).size).toBe(PLANTED.length);
  });

  describe.each(ASKED.map((planted) => [planted.name, planted] as const))('%s', (_, planted) => {
    test('is found and shrunk to the smallest case', () => {
      expect(printCase(parseTrace(firstSaved(planted).text).case)).toBe(planted.smallest);
    });

    test('has a report that fits a screen, saved as printed', () => {
      const { path, text } = firstSaved(planted);
      if (UPDATES) {
        mkdirSync(dirname(join(TOP, path)), { recursive: true });
        writeFileSync(join(TOP, path), text);
      } else expect(text).toBe(CORPUS.get(path));
      const trace = parseTrace(text);
      expect(printTrace(trace)).toBe(text);
      expect(trace.report.split('\n').length).toBeLessThanOrEqual(40);
      expect(text.split('\n').length).toBeLessThanOrEqual(80);
    });
  });

  test.each(someOf(PLANTED, 20).map((planted) => [planted.name, planted] as const))(
    '%s is found with other seeds, and shrinks to the same case',
    (_, planted) => {
      for (const seed of [7, 42])
        expect(printCase(parseTrace(saved(planted, seed).text).case)).toBe(planted.smallest);
    },
  );

  test('every saved trace of images and sequences that names a planted bug belongs to one of these', () => {
    const paths = (planted: readonly { name: string; law: { name: string } }[]) =>
      planted.map(({ name, law }) => `counterexamples/corpus/${law.name}.${name}.trace`);
    const byHand = paths(ATTACH_PLANTED.filter(({ rare }) => rare !== undefined));
    const expected = paths([...PLANTED, ...ATTACH_PLANTED]).filter((path) => !byHand.includes(path));
    const kept = [...CORPUS]
      .filter(([path, text]) => !path.includes('/task/') && /^planted /m.test(text))
      .map(([path]) => path)
      .filter((path) => !byHand.includes(path));
    expect(kept).toEqual(expected.sort());
  });
});
