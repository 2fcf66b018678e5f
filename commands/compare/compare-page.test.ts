import { expect, test } from 'vitest';
import { toEnd } from '../../model/core/to-end.ts';
import { readPage } from '../../test/parsed-page.ts';
import { recording } from '../line/project.ts';
import { compareJob } from './compare-job.ts';
import { comparisonFor } from './compare-options.ts';

const HITS = { hits: recording('hits.jsonl'), benchmarkHits: recording('benchmark-hits.jsonl') };

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

test('the page has every line of the text, in tables or as printed', () => {
  const line = { n: '1,2', designs: 'tracing multi', html: 'page.html' };
  const answer = toEnd(compareJob(comparisonFor(line, HITS)));
  const { text, rows } = readPage(answer);
  const told = new Set([...rows.map((row) => words(row.join(' '))), ...text.split('\n').map(words)]);
  const lines = answer.text.split('\n').map(words);
  const from = lines.findIndex((said) => said.startsWith('attach 1 2 grows as'));
  const introduced = lines.slice(from).filter((said) => !told.has(said));
  expect(introduced).toEqual([
    'attach 1 2 grows as',
    'detach 1 2 grows as',
    'how it grows in N',
    'tracing multi linear',
    'one traced call of a function minus the same call untraced; without its body,',
    'with mitigations off',
    'instructions reads writes calls stray in C recorded',
  ]);
  expect(rows).toContainEqual(['design', '1', '2', 'grows as']);
  expect(rows.find(([name]) => name === 'tracing multi')?.at(-1)).toBe('linear');
});

test('a page that cannot be there is refused before anything is counted', () => {
  const line = { n: '1', html: 'no-folder/page.html' };
  expect(() => comparisonFor(line, HITS)).toThrow('--html no-folder/page.html: there is no no-folder');
});
