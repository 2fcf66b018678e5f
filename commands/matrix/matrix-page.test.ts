import { describe, expect, test } from 'vitest';
import { InputError } from '../../model/core/input-error.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { elementsIn, readPage } from '../../test/parsed-page.ts';
import { recording } from '../line/project.ts';
import { matrixJob, matrixQuestion } from './matrix-job.ts';

/** It is not written here. */
const html = 'page.html';
const RECORDINGS = [recording('pairs.jsonl.gz')];

function asked(names: readonly string[], kernel: string) {
  return toEnd(matrixJob(matrixQuestion(names, { kernel, html }, RECORDINGS)));
}

describe('the page of a kernel', () => {
  const answer = asked([], '6.1');
  const page = readPage(answer);
  const rows = answer.text.split('\n').slice(1, 13);

  test('has every row of the table, cell by cell, with the full names at both edges', () => {
    const [head = [], ...told] = page.rows;
    expect(head.slice(1)).toEqual(told.map(([name]) => name));
    expect(told).toHaveLength(11);
    for (const [i, [name, ...cells]] of told.entries())
      expect(`${name!.padEnd(15)} ${cells.join('')}`.trimEnd()).toBe(rows[i + 1]);
  });

  test('leads from each cell that is not plainly ok to its calls, and says in others who saw what', () => {
    const cells = elementsIn(page.body).filter(({ name }) => name === 'td');
    expect(cells).toHaveLength(121);
    for (const { attributes, children } of cells) {
      const isPlain = attributes['class'] === 'ok' && !children[0]!.text.includes('*');
      expect(children[0]!.name, attributes['title']).toBe(isPlain ? 'span' : 'a');
    }
  });

  test('says below the table what the text says there', () => {
    const below = answer.text.split('\n').slice(rows.length + 2, -2);
    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    const told = words(page.text);
    const from = below.findIndex((line) => line.startsWith('  not in this kernel'));
    expect(from).toBeGreaterThan(0);
    expect(told).toContain(words(below.slice(from).join('\n')));
  });
});

test('a pair has what is printed of it, in both orders', () => {
  const answer = asked(['kprobe', 'kprobe.post'], '6.12');
  const { text, rows } = readPage(answer);
  expect(rows.map((row) => row.slice(1))).toEqual([
    ['kprobe', 'kprobe.post'],
    ['', '·lo*'],
    ['·ok*', ''],
  ]);
  for (const line of answer.text.split('\n')) expect(text).toContain(line);
});

test('a file that cannot be there is refused before anything is played', () => {
  const line = { kernel: '6.1', html: 'no-folder/page.html' };
  expect(() => matrixQuestion([], line, RECORDINGS)).toThrow(InputError);
});
