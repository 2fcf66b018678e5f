import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../model/core/profile.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { someOf } from '../../test/thorough.ts';
import { FULL, kernelFor, SMALL } from './bound.ts';
import { CORPUS_FOLDER, moduleOf, PAGE } from './documents.ts';
import { entriesOf } from './entries.ts';
import { judgeDesign } from './judge.ts';
import { printPage } from './page.ts';
import { REASONS } from './reasons.ts';
import type { Column, TableCell } from './table.ts';
import { columnOf, LAWS, objections, reasonFor } from './table.ts';
import { DesignTally } from './tally.ts';

const [oneByOne] = DESIGNS;
const page = readFileSync(PAGE, 'utf8');

/** The designs of this test. */
const ASKED = someOf(DESIGNS, 8);

/** What the page says of a law, design by design: `✓ 12`. */
function saidOf(law: string): string[] {
  const row = page.split('\n').find((line) => line.startsWith(`| ${law.split('/').at(-1)} |`));
  expect(row, `${law} has a row`).toBeDefined();
  return row!
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
}

/** The cell that was found, with the number that the page has from the larger run. */
function asSaid(found: TableCell, said: string): TableCell {
  const [glyph = '', number] = said.split(' ');
  const met = Number(number);
  switch (found.is) {
    case 'breaks':
    case 'does not apply':
      return found;
    case "the kernel's":
      return { ...found, met };
    case 'holds':
    case 'open':
      // A smaller run may have met less: then the page is believed.
      return glyph === '○' ? { is: "the kernel's", met, known: [] } : { is: 'holds', met };
    default:
      return unreachable(found);
  }
}

describe('the table of designs and laws', () => {
  /** Parts that were not run are as the page says. */
  const judged = DESIGNS.map((design) => ({
    design,
    tally: ASKED.includes(design) ? judgeDesign(design, SMALL) : new DesignTally(),
  }));
  const asked = judged.filter(({ design }) => ASKED.includes(design));

  test.each(asked.map(({ design, tally }) => [design.name, design, tally] as const))(
    'of %s holds in a smaller run',
    (_, design, tally) => {
      expect(objections(design, tally)).toEqual([]);
      expect(tally.met.size).toBeGreaterThan(30);
    },
  );

  test('says in the documents what is found, but for numbers', () => {
    const columns: Column[] = judged.map(({ design, tally }, i) => {
      const found = columnOf(design, tally);
      const cells = [...found.cells].map(([law, cell]) => [law, asSaid(cell, saidOf(law)[i]!)] as const);
      return { design, cells: new Map(cells) };
    });
    const known = /^`.*`\. `conformance\/known\/` has the evidence of each\.$/m;
    expect(printPage(columns, FULL, moduleOf).replace(known, '')).toBe(page.replace(known, ''));
  });

  test('leaves nothing open', () => {
    const laws = LAWS.flatMap(({ names }) => names);
    expect(new Set(laws.map((law) => law.split('/').at(-1))).size).toBe(laws.length);
    for (const law of laws) {
      expect(saidOf(law)).toHaveLength(DESIGNS.length);
      for (const said of saidOf(law)) expect(said).toMatch(/^(✓ [1-9]\d*|○ \d+|✗ [1-9][\d, ]*|– [a-z])$/);
    }
  });
});

describe('a breach of a design', () => {
  const entries = new Map(
    DESIGNS.flatMap((design) => entriesOf(design).map((entry) => [entry.name, entry] as const)),
  );

  test.each([...entries])('%s has a saved trace', (_, { trace, law }) => {
    expect(readFileSync(join(CORPUS_FOLDER, trace), 'utf8')).toMatch(new RegExp(`^law +${law}$`, 'm'));
  });
});

describe('a claim', () => {
  const profileOf = (design: (typeof DESIGNS)[number]) => ({
    ...PROFILES[kernelFor(design)],
    multiLinks: design.name,
  });

  test('that a law does not apply is made of some design', () => {
    const made = new Set(
      DESIGNS.flatMap((design) =>
        LAWS.flatMap(({ names }) => names.map((law) => reasonFor(law, design, profileOf(design)))),
      ),
    );
    expect(REASONS.filter((reason) => !made.has(reason)).map(({ why }) => why)).toEqual([]);
  });

  test('that a law does not apply is refused when its premise was met', () => {
    const tally = new DesignTally();
    tally.meet('trampoline/tail-call-counter-is-preserved', 2);
    expect(objections(oneByOne!, tally)).toEqual([
      'trampoline/tail-call-counter-is-preserved is listed as not applicable to one by one, but its premise was met 2 times',
    ]);
  });

  test('that a law holds needs its premise, and no breach', () => {
    const tally = new DesignTally();
    const cell = () => columnOf(oneByOne!, tally).cells.get('ftrace/traced-calls-return');
    expect(cell()).toEqual({ is: 'open' });
    tally.meet('ftrace/traced-calls-return');
    expect(cell()).toEqual({ is: 'holds', met: 1 });
    tally.find('ftrace/traced-calls-return', { expected: 'it returns', observed: 'it does not' });
    expect(objections(oneByOne!, tally)).toEqual([
      'one by one breaks a law in a way that is not listed: ftrace/traced-calls-return: it returns / it does not',
    ]);
  });

  test('that only the kernel breaks a law names how', () => {
    const tally = new DesignTally();
    tally.known.add('detaching-takes-memory');
    expect(columnOf(oneByOne!, tally).cells.get('ftrace/detach-needs-no-memory')).toEqual({
      is: "the kernel's",
      met: 0,
      known: ['detaching-takes-memory'],
    });
  });
});
