import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../files.ts';
import { parseRecords } from './record.ts';

const TEXT = readText(join(import.meta.dirname, '../recordings/trampolines.jsonl.gz'));
const LINE = TEXT.slice(0, TEXT.indexOf('\n'));
const VALUE = JSON.parse(LINE);

const problemOf = (line: string) => parseRecords(line, 'a.jsonl').problems;
const without = (field: string) => JSON.stringify({ ...VALUE, [field]: undefined });

describe('a damaged recording is named with file, line and field', () => {
  test('a sound line has no problem', () => {
    expect(problemOf(LINE)).toEqual([]);
  });

  test.each(['kernel', 'config', 'func', 'args', 'ret', 'progs', 'attached', 'errno', 'func_addr', 'call'])(
    'a line without %s',
    (field) => {
      expect(problemOf(without(field))).toEqual([`a.jsonl:1: field ${field} is missing`]);
    },
  );

  test('an image without its address', () => {
    expect(problemOf(without('image_addr'))).toEqual([
      'a.jsonl:1: field image_addr is missing, and there is an image',
    ]);
  });

  test.each([
    [{ image_hex: 'f3zz' }, 'field image_hex is not a string of hexadecimal bytes'],
    [{ func_addr: '4096' }, 'field func_addr is not a hexadecimal number like 0xffffffff81000000'],
    [{ attached: 'one' }, 'field attached: expected number, received string'],
    [{ call: { ...VALUE.call, rax: undefined } }, 'field call.rax is missing'],
    [{ call: { ...VALUE.call, regs: [] } }, /^a\.jsonl:1: field call\.regs: /],
    [{ progs: [{ ...VALUE.progs[0], kind: 'fancy' }] }, /^a\.jsonl:1: field progs\.0\.kind: /],
  ])('%o', (change, problem) => {
    const expected = typeof problem === 'string' ? `a.jsonl:1: ${problem}` : expect.stringMatching(problem);
    expect(problemOf(JSON.stringify({ ...VALUE, ...change }))).toEqual([expected]);
  });

  test('a truncated line does not affect the others', () => {
    const { records, problems } = parseRecords(`${LINE}\n${LINE.slice(0, 100)}\n${LINE}\n`, 'a.jsonl');
    expect(records.map(({ place }) => place)).toEqual(['a.jsonl:1', 'a.jsonl:3']);
    expect(problems).toEqual(['a.jsonl:2: this line is not JSON; is the file cut off?']);
  });

  test('an empty file is a problem, not a success', () => {
    expect(problemOf('\n')).toEqual(['a.jsonl: there is no record in it']);
  });
});
