import { expect, test } from 'vitest';
import { EXIT } from './answer.ts';
import type { RunPart } from './run-part.ts';
import { partAnswer, partText } from './run-part.ts';

const HELD: RunPart = {
  mark: '✓',
  name: 'sequences',
  counts: '1,200 drawn, 33,400 actions, 45 laws',
  kernels: ['6.1', '6.12', '7.2'],
  details: ['  ✓ ftrace/traced-calls-return', '      exercised in 96.7 % of sequences (a call)'],
  known: ['31 in sequences (402 times)'],
  uncovered: ['38 of 179 return sites'],
};
const NOTHING = { breaches: 0, wrong: [], known: [], open: [], next: { options: {} } };

test('a part that held is one line, with what is known and not covered below; --verbose adds the laws', () => {
  const { text, verbose } = partAnswer(HELD, { json: {}, exit: EXIT.HELD, save: [], verdict: NOTHING });
  expect(text.split('\n')).toEqual([
    '✓ sequences        1,200 drawn, 33,400 actions, 45 laws             6.1 6.12 7.2',
    '  known            31 in sequences (402 times)',
    '  not covered      38 of 179 return sites',
  ]);
  expect(verbose!.split('\n').slice(1, 3)).toEqual(HELD.details);
});

test('a part that is broken has its report first, and then the same line', () => {
  const reports = ['✗ ftrace/traced-calls-return', '  …'];
  const { text, goesOn } = partText({ ...HELD, mark: '✗', reports });
  expect(text.split('\n').slice(0, 4)).toEqual([...reports, '', text.split('\n')[3]]);
  expect(text.split('\n')[3]).toMatch(/^✗ sequences /);
  expect(goesOn).toBeUndefined();
});

test('kernels that do not fit next to the counts are below', () => {
  const counts = 'a text that leaves too little space on its line of 60 columns';
  expect(partText({ ...HELD, counts }).text.split('\n')).toEqual([
    `✓ sequences        ${counts}`,
    '6.1 6.12 7.2'.padStart(80),
  ]);
});

test('a remark continues below its own start', () => {
  const text = 'trampoline/no-jump-under-a-live-patch, and more than one line has room for';
  const remarks = [{ mark: '?', name: 'vacuous', text } as const];
  expect(
    partText({ ...HELD, remarks })
      .text.split('\n')
      .slice(1),
  ).toEqual([
    '? vacuous          trampoline/no-jump-under-a-live-patch, and more than one line',
    '                   has room for',
  ]);
});
