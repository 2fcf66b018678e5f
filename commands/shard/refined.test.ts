import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Players } from '../../checker/refinement/behaviours.ts';
import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { merged, SHARDS, shardPath } from '../../test/shards.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { LatticeSearch } from '../refine/lattice-search.ts';
import { subjectsOf } from '../refine/subjects.ts';
import { MergedShare, RecordedShare } from './shard.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-refined-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const DESIGNS = ['one by one', 'generic', 'generic with helpers', 'batch'];
const ALL = ['refine', '--all', '--operations', '1'];

/** Compares the designs as `refine --all` does, in this thread. */
function compared(share: Share): { readonly answer: Answer; readonly played: number } {
  const search = new LatticeSearch({ designs: DESIGNS, kernelsOf: subjectsOf, operations: 1, share });
  const players = new Players(DESIGNS.length);
  let played = 0;
  for (let asks = search.goOn(false); asks.length > 0; asks = search.goOn(false))
    for (const ask of asks) {
      const told = players.play(ask);
      played += told.length;
      search.tell(ask, told);
    }
  return { answer: search.answer(), played };
}

test.each(SHARDS)('%i shards of all pairs come to what one run comes to', (of) => {
  const whole = compared(WHOLE);
  const shares = Array.from({ length: of }, (_, i) => new RecordedShare({ number: i + 1, of }));
  const played = shares.map((share) => compared(share).played);
  expect(shares.reduce((sum, { parts }) => sum + parts.size, 0)).toBe(6);
  if (of > 1) expect(Math.min(...played)).toBeLessThan(whole.played);
  const parts = new Map(shares.flatMap((share) => [...share.parts]));
  const all = compared(new MergedShare(parts));
  expect(all.answer).toEqual(whole.answer);
  expect(all.played).toBe(0);
});

test.runIf(THOROUGH)('three shards of the command are printed as one run', async () => {
  const whole = await attachcheck(ALL);
  const { own, exits, exit, stdout } = await merged(join(folder, 'all'), ALL, 3);
  expect(stdout).toBe(whole.stdout);
  expect([exit, ...exits]).toEqual([whole.exit, EXIT.HELD, EXIT.HELD, EXIT.HELD]);
  const json = await attachcheck([...ALL, '--json']);
  expect((await attachcheck(['merge', own, '--json'])).stdout).toBe(json.stdout);
});

describe('a shard of all pairs', () => {
  test('that is missing is named, with the command that works on it', async () => {
    const path = shardPath(folder, 64, 64);
    const { exit } = await attachcheck([...ALL, '--shard', '64/64', '--shard-file', path]);
    expect(exit).toBe(EXIT.HELD);
    const { exit: open, stdout } = await attachcheck(['merge', path]);
    expect(open).toBe(EXIT.INCONCLUSIVE);
    expect(stdout).toContain('npm run check -- refine --all --operations 1 --shard 1/64');
  });

  test.each([
    [['one by one', 'batch'], '--shard is for refine --all'],
    [['one by one', 'batch', '--all'], '--shard is for refine --all'],
    [[], '--shard is for refine --all'],
  ])('of %j is refused in one sentence', async (words, sentence) => {
    const { exit, stderr } = await attachcheck(['refine', ...words, '--shard', '1/2']);
    expect(exit).toBe(EXIT.USAGE);
    expect(stderr).toContain(sentence);
  });
});
