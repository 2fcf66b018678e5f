import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printedWith } from './replaced.ts';
import { scratch } from './scratch.ts';
import { sources, TOP } from './sources.ts';
import { THOROUGH } from './thorough.ts';
import type { Verdicts } from './verdicts.ts';
import { told, verdicts } from './verdicts.ts';

/*
 * Sentences are for people alone. Every file of wordings is replaced by one that tells each fact by its hash, and all is
 * decided again: code that reads a sentence back is found here.
 */

const { file } = scratch();

/** A file for each module of wordings, with the same names in it. */
async function hashedWordings(): Promise<Readonly<Record<string, string>>> {
  const paths = sources('-words.ts').map(({ path }) => path);
  const files = paths.map(async (path, i) => {
    const names = Object.keys(await import(/* @vite-ignore */ join(TOP, path))).join(', ');
    const code = `import * as words from '${join(TOP, path)}';
import { withoutWords } from '${TOP}/test/hashed.ts';
const { ${names} } = withoutWords(words);
export { ${names} };\n`;
    return [path, file(`${i}.mts`, code)];
  });
  return Object.fromEntries(await Promise.all(files));
}

const ASKED = `import { told, verdicts } from './test/verdicts.ts';
console.log(JSON.stringify({ told: told(), verdicts: verdicts() }));`;

test('a sentence can be changed, and no verdict moves', async () => {
  const sentences = told();
  const before = verdicts();
  const hashes = (await printedWith(await hashedWordings(), ASKED)) as { told: string[]; verdicts: Verdicts };
  expect(hashes.told).toHaveLength(sentences.length);
  expect(hashes.told.filter((text, i) => text === sentences[i] || / [a-z]+ /.test(text))).toEqual([]);
  expect(hashes.verdicts).toEqual(before);
  expect(Object.keys(before).length).toBeGreaterThan(THOROUGH ? 100 : 40);
  expect(
    Object.values(before).filter((verdict) => /^(none|new|diverged|holds)$|undefined/.test(verdict)),
  ).toEqual([]);
});
