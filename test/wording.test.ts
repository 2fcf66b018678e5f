import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { sources, TOP } from './sources.ts';

/*
 * Sentences are for people alone. Every file of wordings is replaced by one that tells each fact by its hash, and all is
 * decided once more: whoever reads a sentence back is found here.
 */

const WORDINGS = sources('-words.ts').map(({ path }) => path);

/** What stands for a sentence about these facts. */
function hashed(facts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12);
}

/** A module whose functions tell hashes; what is a table of functions tells the two sides of a finding. */
function withoutWords(module: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(module).map(([name, item]) => [
      name,
      typeof item === 'function' ? (...facts: unknown[]) => hashed(facts) : withoutTableOfWords(item),
    ]),
  );
}

function withoutTableOfWords(table: unknown): unknown {
  if (typeof table !== 'object' || table === null) return table;
  const tell = (...facts: unknown[]) => ({ expected: hashed(facts), observed: hashed([facts]) });
  return Object.fromEntries(Object.keys(table).map((tag) => [tag, tell]));
}

/** The same module, loaded anew with all that it imports. */
async function loaded(): Promise<typeof import('./verdicts.ts')> {
  vi.resetModules();
  return import('./verdicts.ts');
}

describe('a sentence can be changed', () => {
  afterAll(() => {
    for (const path of WORDINGS) vi.doUnmock(join(TOP, path));
    vi.resetModules();
  });

  test('and no verdict moves', async () => {
    const asTold = await loaded();
    const before = asTold.verdicts();
    const sentences = asTold.told();
    for (const path of WORDINGS)
      vi.doMock(join(TOP, path), async (original) => withoutWords(await original()));
    const asHashes = await loaded();
    expect(asHashes.told().every((text, i) => text !== sentences[i] && !/ [a-z]+ /.test(text))).toBe(true);
    expect(asHashes.verdicts()).toEqual(before);
    expect(Object.keys(before).length).toBeGreaterThan(100);
    expect(
      Object.values(before).filter((verdict) => /^(none|new|diverged|holds)$|undefined/.test(verdict)),
    ).toEqual([]);
  });
});
