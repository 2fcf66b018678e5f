import { expect, test } from 'vitest';
import { InputError } from '../../model/core/input-error.ts';
import { askedMutants, mutantsDigest, shardsIn } from './asked.ts';
import { mergedResults, missingLines } from './merged.ts';
import type { ListedMutant } from './mutant.ts';
import type { Result, ResultOrigin } from './results.ts';
import { keptResult, lineOf } from './results.ts';
import { fileText, measuredOf, printedLines } from './table.ts';
import type { MutantVerdict } from './verdict.ts';

const VERDICTS: readonly MutantVerdict[] = [
  { is: 'killed', by: 'ftrace/record-counts-match-ops', on: 'sequence', after: 2 },
  { is: 'killed', by: 'an exception of the model', on: 'image', after: 1 },
  { is: 'survived', after: 30 },
  { is: 'unreached' },
  { is: 'no fault' },
];

const ALL: readonly ListedMutant[] = Array.from({ length: 12 }, (_, i) => ({
  name: `mutant ${i}`,
  area: ['model/text', 'model/x86', 'parts of routines'][i % 3]!,
  operator: 'drop',
  reach: i,
  near: [],
}));
const RUN = { seed: 5, area: '', name: '' };
const FROM: ResultOrigin = { seed: 5, of: 3, areas: '', named: '', code: 'this' };

/** The verdict follows from the name. */
function judged(shard: string): Result[] {
  return askedMutants(ALL, { ...RUN, shard }).map(({ name, area, operator }) => ({
    ...{ name, area, operator },
    verdict: VERDICTS[Number(name.split(' ')[1]) % VERDICTS.length]!,
  }));
}

function fileOf(shard: string, from: Partial<ResultOrigin> = {}) {
  const { of } = shardsIn(shard)[0]!;
  const text = judged(shard).map((result) => lineOf(keptResult(result, { ...FROM, of, ...from })));
  return { path: `${shard.replace('/', '-of-')}.jsonl`, text: text.join('') };
}

function filesOf(of: number) {
  return Array.from({ length: of }, (_, i) => fileOf(`${i + 1}/${of}`));
}

const ALL_OF_THEM = { shard: '1/1', all: ALL, code: 'this' };

test.each([1, 3, 16])('%i shards are printed and written as one run', (of) => {
  const whole = measuredOf(judged('1/1'), { seed: 5, shards: ['1/1'], mutants: ALL.length });
  const merged = mergedResults(filesOf(of).toReversed(), ALL_OF_THEM);
  if (merged.is !== 'whole') throw new Error('a shard is missing');
  const { measured } = merged;
  expect(measured.left.length).toBeGreaterThan(2);
  for (const json of [false, true]) expect(printedLines(measured, json)).toEqual(printedLines(whole, json));
  expect(fileText(measured)).toBe(fileText(whole));
});

test('some shards of many are one run of these', () => {
  const shard = '3/3,1/3';
  const whole = measuredOf(judged(shard), { seed: 5, shards: ['3/3', '1/3'], mutants: ALL.length });
  const merged = mergedResults([fileOf('1/3'), fileOf('3/3')], { ...ALL_OF_THEM, shard });
  expect(JSON.stringify(merged)).toBe(JSON.stringify({ is: 'whole', measured: whole }));
});

test('a shard that is missing, or ended early, is named with the command that judges it', () => {
  const [first, second, third] = [fileOf('1/3'), fileOf('2/3'), fileOf('3/3')];
  const cut = { ...third, text: third.text.slice(0, -3) };
  for (const [files, shards] of [
    [[first, third], ['2/3']],
    [[first, second, cut], ['3/3']],
    [[second], ['1/3', '3/3']],
  ] as const) {
    const merged = mergedResults(files, ALL_OF_THEM);
    if (merged.is !== 'missing') throw new Error('none is missing');
    expect(merged.shards).toEqual(shards);
    expect(missingLines(merged, true)).toEqual([JSON.stringify({ missing: shards })]);
    const [line, , next] = missingLines(merged, false);
    expect(line).toBe(`? missing          ${shards.join(', ')}`);
    expect(next).toBe(`next: npm run mutants -- --shard ${shards[0]} --seed 5 --resume --out FILE`);
  }
});

const [FIRST] = [fileOf('1/3')];
test.each([
  ['a changed verdict', { ...FIRST, text: FIRST.text.replace('"by":"f', '"by":"g') }, 'its checksum differs'],
  ['half a line', { ...FIRST, text: FIRST.text.slice(40) }, ':1: it is no verdict'],
  ['another field', { ...FIRST, text: FIRST.text.replace('"after"', '"later"') }, 'it is no verdict'],
  ['lines of an older version', { ...FIRST, text: lineOf(judged('1/3')[0]!) }, 'it is no verdict'],
  ['other code', fileOf('1/3', { code: 'that' }), 'of another version of the program'],
  ['another seed', fileOf('1/3', { seed: 6 }), 'of another run: --seed 6, of 3 shards'],
  ['an area', fileOf('1/3', { areas: 'model/x86' }), 'another run: --seed 5 --area model/x86, of 3 shards'],
  ['another number of shards', fileOf('1/4'), 'of another run: --seed 5, of 4 shards'],
])('a file with %s is refused in one sentence', (_, file, sentence) => {
  const merge = () => mergedResults([fileOf('2/3'), fileOf('3/3'), file], ALL_OF_THEM);
  expect(merge).toThrow(InputError);
  expect(merge).toThrow(sentence);
  expect(merge).toThrow(/^1-of-\d\.jsonl:\d: [^\n]*$/);
});

test('files without a verdict are refused', () => {
  expect(() => mergedResults([{ path: 'a.jsonl', text: '' }], ALL_OF_THEM)).toThrow(
    'a.jsonl: there is no verdict',
  );
});

test.each([
  ['0/3', '--shard is like 3/64'],
  ['1/3,1/4', 'shards are of one number'],
])('--shard %s is refused', (shard, sentence) => {
  expect(() => shardsIn(shard)).toThrow(sentence);
});

test('the code that verdicts depend on has a digest', () => {
  expect(mutantsDigest()).toMatch(/^[0-9a-f]{64}$/);
  expect(mutantsDigest()).toBe(mutantsDigest());
});
