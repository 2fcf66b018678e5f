import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Explanations } from '../../checker/cost/benchmark.ts';
import { explains, undercounted } from '../../checker/cost/benchmark.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { BENCHMARK } from './benchmark.ts';
import type { Agreement } from './benchmark-text.ts';
import { agreements } from './benchmark-text.ts';
import { columnsOf, compareJob } from './compare-job.ts';
import { comparisonFor } from './compare-options.ts';
import { EXPLANATIONS } from './explanations.ts';

const RECORDINGS = join(import.meta.dirname, '../../conformance/recordings');
const HITS = {
  hits: join(RECORDINGS, 'hits.jsonl'),
  benchmarkHits: join(RECORDINGS, 'benchmark-hits.jsonl'),
};

describe('the order of hits, beside the benchmark', () => {
  const comparison = comparisonFor({ n: '1', designs: 'single links' }, HITS);
  const agreed = agreements(BENCHMARK, columnsOf(comparison), EXPLANATIONS);

  test('is counted on both sides of the kernel that was measured, in two ways', () => {
    expect(agreed.map(({ kernel, by }) => [kernel, by])).toEqual([
      ['6.12', 'machine code'],
      ['6.12', 'with functions in C'],
      ['7.2', 'machine code'],
      ['7.2', 'with functions in C'],
    ]);
    for (const { points, spearman, kendall } of agreed) {
      expect(points.length).toBeGreaterThanOrEqual(7);
      expect(spearman).toBeGreaterThan(0.5);
      expect(kendall).toBeGreaterThan(0.3);
    }
  });

  test('every pair in another order, and every hit that takes longer, has a reason', () => {
    expect(unexplained(agreed)).toEqual([]);
    expect(unexplained(agreements(BENCHMARK, columnsOf(comparison), { order: [], size: [] }))).toContain(
      '6.12, with functions in C: kprobe',
    );
  });

  test('every reason, and every hit that one names, is of something that is seen', () => {
    expect(unused(agreed, EXPLANATIONS)).toEqual([]);
    const [first, ...rest] = EXPLANATIONS.order;
    const stale = { ...first!, cheaper: [...first!.cheaper, 'fentry'] };
    expect(unused(agreed, { ...EXPLANATIONS, order: [stale, ...rest] })).toEqual(['fentry']);
  });
});

/** Differences without an explanation. */
function unexplained(agreed: readonly Agreement[]): string[] {
  return agreed.flatMap(({ kernel, by, deviations, undercounted: short }) => {
    const pairs = deviations.filter(({ why }) => why === undefined).flatMap((point) => point.pairs);
    const left = [
      ...pairs.map(({ cheaper, dearer }) => `${cheaper} before ${dearer}`),
      ...short.filter(({ why }) => why === undefined).map(({ name }) => name),
    ];
    return left.map((what) => `${kernel}, ${by}: ${what}`);
  });
}

/** Hits that reasons name and that deviate nowhere. */
function unused(agreed: readonly Agreement[], { order, size }: Explanations): string[] {
  const orders = order.flatMap((explanation) => {
    const pairs = agreed.flatMap(({ by, deviations }) =>
      deviations.flatMap((group) => group.pairs.filter((pair) => explains(explanation, pair, by))),
    );
    const seen = (name: string) => pairs.some(({ cheaper, dearer }) => cheaper === name || dearer === name);
    return [...explanation.cheaper, ...explanation.dearer].filter((name) => !seen(name));
  });
  const short = agreed
    .filter(({ by }) => by === 'with functions in C')
    .flatMap(({ points }) => undercounted(points));
  return [...orders, ...size.flatMap(({ names }) => names.filter((name) => !short.includes(name)))];
}

describe('what attaching takes', () => {
  test('is printed for each number, with a line for each count', () => {
    const comparison = comparisonFor({ n: '2, 5000', kernel: '6.12', designs: 'single links' }, HITS);
    const { text, exit, csv, json } = toEnd(compareJob(comparison));
    expect(exit).toBe(0);
    expect(text).toMatch(/^ {2}single links +2 +– +N$/m);
    expect(text).toContain('  entries copied: entries of such hashes copied into a new one\n');
    expect(csv).toContainEqual(['single links', '6.12', 'attach', 'images', '2', '2', 'N']);
    expect(csv).toContainEqual(['single links', '6.12', 'attach', 'images', '5000', '', 'N']);
    expect(text).toContain('–: not run; counts that do not grow linearly are run up to 1,000 functions');
    expect(text).toContain(
      '     how they grow is extrapolated from runs of 8, 16, 24, 32, 40, 512 functions\n',
    );
    const [client] = json['clients'] as { fitted: number[]; attach: { values: unknown[] }[] }[];
    expect(client!.fitted).toEqual([8, 16, 24, 32, 40, 512]);
    expect(client!.attach.map(({ values }) => values[1])).toEqual(client!.attach.map(() => null));
    expect(text).toContain('entries copied');
    expect(text).toContain('0.5 N² + 1.5 N');
  });

  test('is printed for the number of functions in a list', () => {
    const folder = mkdtempSync(join(tmpdir(), 'compare-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const names = join(folder, 'available_filter_functions');
    writeFileSync(names, 'vfs_read\nvfs_write\nnft_do_chain [nf_tables]\nvfs_read\n');
    const comparison = comparisonFor({ n: '1', names, kernel: '6.12', designs: 'kprobe.multi' }, HITS);
    const { text, json } = toEnd(compareJob(comparison));
    expect(json).toMatchObject({ numbers: [3], names });
    expect(text).toContain(`npm run check -- cost vmlinux.json --names ${names}`);
    const typed = join(import.meta.dirname, '../cost/example.json');
    expect(() => comparisonFor({ n: '1', names: typed }, HITS)).toThrow(
      'not a list of names; for a list with types: ',
    );
  });

  test('a linear design is run for all, and its growth says what the run says', () => {
    const { n, pokes, syncs } = THOROUGH
      ? { n: 1280, pokes: 1284, syncs: 28 }
      : { n: 512, pokes: 516, syncs: 19 };
    const { json } = toEnd(compareJob(comparisonFor({ n: String(n), designs: 'tracing multi' }, HITS)));
    const [client] = json['clients'] as {
      grows: string;
      attach: { count: string; values: number[]; grows: string }[];
    }[];
    expect(client!.grows).toBe('linear');
    const told = Object.fromEntries(
      client!.attach.map(({ count, values, grows }) => [count, [values[0], grows]]),
    );
    expect(told).toMatchObject({
      'program loads': [1, '1'],
      images: [n, 'N'],
      'text pokes': [pokes, 'N + 4'],
      'sync IPIs': [syncs, '3 N/256 + 13'],
    });
  });

  test.each([
    [{ n: '0' }, '--n 0 is not a whole number from 1 to'],
    [{ n: 'many' }, '--n many is not a whole number'],
    [{ n: '1', designs: 'none at all' }, '--designs none at all: unknown design; there are single links, '],
    [{ n: '1', designs: 'globl' }, '--designs globl: unknown design; did you mean global?'],
    [
      { n: '1', kernel: '6.12', designs: 'single links, tracing multi' },
      'tracing multi cannot run on 6.12: it has no update_ftrace_direct_add(); it can run on 7.2',
    ],
    [{ n: '1', kernel: '5.4' }, 'kernel 5.4 is not known; there are '],
    [
      { n: '1', kernel: '6.12, multiLinks = one by one' },
      '--kernel takes no design here: use --designs one by one',
    ],
  ])('%j is refused', (line, sentence) => {
    expect(() => comparisonFor(line, HITS)).toThrow(sentence);
  });
});
