import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText } from '../../conformance/files.ts';
import { costModelOf } from './compare-job.ts';
import { comparisonFor } from './compare-options.ts';
import { argumentLines, costModelLines, globalCodeLines } from './cost-model-text.ts';

const RECORDINGS = join(import.meta.dirname, '../../conformance/recordings');
const answer = costModelOf(
  comparisonFor(
    { n: '1', designs: 'single links' },
    { hits: join(RECORDINGS, 'hits.jsonl'), benchmarkHits: join(RECORDINGS, 'benchmark-hits.jsonl') },
  ),
);

test('the page has the fitted model, its predictions and the code of the global trampoline as they are counted', () => {
  const page = readText(join(import.meta.dirname, '../../docs/cost-model.md'));
  const blocks = [...page.matchAll(/```text\n(.*?)```/gs)].map(([, text]) => text);
  expect(blocks).toEqual(
    [costModelLines(answer), globalCodeLines(answer), argumentLines(answer)].map(
      (lines) => `${lines.join('\n')}\n`,
    ),
  );
});

test('each row that hits something is in one half, and in the other when the halves are exchanged', () => {
  const [first, second] = answer.halves;
  const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
  expect(names(first.fitted)).toEqual(names(second.others));
  expect(names(first.others)).toEqual(names(second.fitted));
  expect(first.fitted.length + first.others.length).toBe(13);
});

test('what the page says of the ratio of fentry-multi to fentry follows from the counts', () => {
  const [{ fitted, others }] = answer.halves;
  const [multi, single] = ['fentry-multi', 'fentry'].map(
    (name) => [...fitted, ...others].find((row) => row.name === name)!,
  );
  expect([multi!.strayReturns, single!.strayReturns]).toEqual([0, 0]);
  const per = (multi!.measured - single!.measured) / (multi!.instructions - single!.instructions);
  expect(per).toBeCloseTo(0.015, 3);
  const [withoutRcu, alone] = [multi!.instructions - 2 * 16, single!.instructions - 16];
  expect((withoutRcu / alone).toFixed(2)).toBe('1.31');
});
