import { describe, expect, test } from 'vitest';
import { citationProblems, explained } from './citations.ts';
import { sources } from './sources.ts';

const DOCUMENTS = sources('.md');
const NAMES = DOCUMENTS.map(({ path }) => path);
const NUMBERS = explained(
  DOCUMENTS.filter(({ path }) => ['docs/invariants.md', 'counterexamples/hypotheses.md'].includes(path)),
);

describe('citations', () => {
  test('refer to a text in the repository', () => {
    expect(NUMBERS.size).toBeGreaterThan(100);
    const files = sources('.ts').filter(({ path }) => !path.startsWith('test/citations'));
    expect(files.flatMap((file) => citationProblems(file, NUMBERS, NAMES))).toEqual([]);
  });

  test('that refer to nothing are reported, with their place', () => {
    const text = "/** I-99. */\nconst a = 'correction 1';\n/** S6, see notes.md */\nconst b = 'D9';\n";
    expect(citationProblems({ path: 'model/a.ts', text }, NUMBERS, NAMES)).toEqual([
      'model/a.ts:1: nothing explains I-99; docs/invariants.md has the numbers',
      'model/a.ts:3: notes.md is not in the repository',
      'model/a.ts:4: nothing explains D9; docs/invariants.md has the numbers',
    ]);
  });
});
