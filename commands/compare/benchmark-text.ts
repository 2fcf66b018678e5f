import type { Benchmark, BenchmarkPoint, CountedBy, Explanations } from '../../checker/cost/benchmark.ts';
import {
  COUNTED_BY,
  deviations,
  explains,
  measuredTime,
  undercounted,
} from '../../checker/cost/benchmark.ts';
import { kendall, spearman } from '../../checker/cost/rank-correlation.ts';
import { counted, WIDTH, wrap } from '../../counterexamples/text.ts';
import { grid } from './grid.ts';
import type { HitRow } from './hit-text.ts';

/** The hits of one kernel, those of the measured design included, if the kernel supports it. */
export interface BenchmarkColumn {
  readonly kernel: string;
  readonly hits: readonly HitRow[];
}

/** A rank correlation with what was measured, and the pairs whose order differs, each with its reason. */
export interface Agreement {
  readonly kernel: string;
  readonly by: CountedBy;
  readonly points: readonly BenchmarkPoint[];
  readonly spearman: number;
  readonly kendall: number;
  readonly deviations: readonly ExplainedPoint[];
  /** Hits that take longer than they are counted with, each with the reason; with functions in C only. */
  readonly undercounted: readonly { readonly name: string; readonly why: string | undefined }[];
}

/** Hits that are counted as cheaper than others and were measured as dearer, for one reason. */
export interface ExplainedPoint {
  readonly pairs: readonly { readonly cheaper: string; readonly dearer: string; readonly equal: boolean }[];
  /** Undefined: no reason is known. */
  readonly why: string | undefined;
}

export function agreements(
  benchmark: Benchmark,
  columns: readonly BenchmarkColumn[],
  explanations: Explanations,
): Agreement[] {
  return columns.flatMap(({ kernel, hits }) =>
    COUNTED_BY.map((by) => {
      const points = pointsOf(benchmark, hits, by);
      const pairs = points.map(({ counted: cost, measured }) => [cost, measured] as const);
      return {
        kernel,
        by,
        points,
        spearman: spearman(pairs),
        kendall: kendall(pairs),
        deviations: explained(points, by, explanations),
        undercounted: by === 'machine code' ? [] : sized(points, explanations),
      };
    }),
  );
}

function pointsOf(benchmark: Benchmark, hits: readonly HitRow[], by: CountedBy): BenchmarkPoint[] {
  return benchmark.hits.flatMap((measured) => {
    const cost = costOf(
      hits.find(({ name }) => name === measured.name),
      by,
    );
    if (cost === undefined) return [];
    return [{ name: measured.name, counted: cost, measured: measuredTime(benchmark, measured) }];
  });
}

function costOf(hit: HitRow | undefined, by: CountedBy): number | undefined {
  if (hit?.cost === undefined) return undefined;
  if (by === 'machine code') return hit.cost.instructions;
  return hit.inC === undefined ? undefined : hit.cost.instructions + hit.inC;
}

function sized(points: readonly BenchmarkPoint[], { size }: Explanations): Agreement['undercounted'] {
  return undercounted(points).map((name) => ({
    name,
    why: size.find(({ names }) => names.includes(name))?.why,
  }));
}

function explained(
  points: readonly BenchmarkPoint[],
  by: CountedBy,
  { order }: Explanations,
): ExplainedPoint[] {
  const all = deviations(points);
  const found = order.map((explanation) => ({
    pairs: all.filter((deviation) => explains(explanation, deviation, by)),
    why: explanation.why,
  }));
  const left = all.filter((deviation) => !order.some((explanation) => explains(explanation, deviation, by)));
  return [...found, { pairs: left, why: undefined }].filter(({ pairs }) => pairs.length > 0);
}

/** The measured rates and times, what the model counts, and how well their orders agree. */
export function benchmarkLines(
  benchmark: Benchmark,
  columns: readonly BenchmarkColumn[],
  agreed: readonly Agreement[],
): string[] {
  return [
    'compared with a benchmark of such hits on real hardware',
    ...wrap(benchmark.source, WIDTH - 2).map((line) => `  ${line}`),
    '',
    ...grid(measuredRows(benchmark, columns), ''),
    '',
    ...legendOf(benchmark).flatMap((line) =>
      wrap(line, WIDTH - 4).map((part, i) => `${i === 0 ? '  ' : '    '}${part}`),
    ),
    '',
    'order of the hits, model against measurement',
    ...grid([
      ['', '', 'hits', "Spearman's rho", "Kendall's tau", ''],
      ...agreed.map(({ kernel, by, points, spearman: rho, kendall: tau }) => [
        `${kernel}, ${by}`,
        '',
        String(points.length),
        rho.toFixed(2),
        tau.toFixed(2),
        '',
      ]),
    ]),
    ...agreed.flatMap(agreementLines),
  ];
}

function legendOf({ baseline, hits }: Benchmark): string[] {
  return [
    'M/s: measured, in millions per second',
    `ns: time per hit, 1/rate − 1/rate of ${baseline.name} (${baseline.rate} M/s)`,
    `measured: time relative to ${hits[0]?.name}`,
    'a kernel: instructions of machine code relative to it; with C: functions in C included',
  ];
}

/** Times as ratios to that of the first hit. */
function measuredRows(benchmark: Benchmark, columns: readonly BenchmarkColumn[]): string[][] {
  const [first] = benchmark.hits;
  const ratio = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? '–' : `×${(a / b).toFixed(2)}`;
  return [
    ['', 'M/s', 'ns', 'measured', ...columns.flatMap(({ kernel }) => [kernel, 'with C']), ''],
    ...benchmark.hits.map((rate) => [
      `  ${rate.name}`,
      rate.rate.toFixed(3),
      measuredTime(benchmark, rate).toFixed(2),
      ratio(measuredTime(benchmark, rate), measuredTime(benchmark, first!)),
      ...columns.flatMap(({ hits }) => {
        const cost = (name: string, by: CountedBy) =>
          costOf(
            hits.find((hit) => hit.name === name),
            by,
          );
        return COUNTED_BY.map((by) => ratio(cost(rate.name, by), cost(first!.name, by)));
      }),
      '',
    ]),
  ];
}

function agreementLines({ kernel, by, deviations: groups, undercounted: short }: Agreement): string[] {
  const number = groups.reduce((sum, { pairs }) => sum + pairs.length, 0);
  const byReason = new Map<string | undefined, string[]>();
  const note = (why: string | undefined, fact: string) =>
    byReason.set(why, [...(byReason.get(why) ?? []), fact]);
  for (const { pairs, why } of groups)
    for (const { cheaper, dearer, equal } of pairs)
      note(why, `  ${cheaper} ${equal ? 'as' : 'before'} ${dearer}`);
  for (const { name, why } of short) note(why, `  ${name} takes longer than its instructions say`);
  if (byReason.size === 0) return [];
  return [
    '',
    `${kernel}, ${by}: ${counted(number, 'pair')} in another order`,
    ...[...byReason].flatMap(([why, facts]) => [...facts, ...reasonLines(why)]),
  ];
}

function reasonLines(why: string | undefined): string[] {
  return wrap(why ?? 'no known explanation', WIDTH - 6).map((line) => `      ${line}`);
}
