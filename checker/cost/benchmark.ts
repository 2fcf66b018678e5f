/** A benchmark of hits on real hardware. */
export interface Benchmark {
  /** Its author and its place. */
  readonly source: string;
  /** The name of the design that the hits of multi links are of. */
  readonly design: string;
  /** Calls of the same function with nothing attached. */
  readonly baseline: MeasuredRate;
  readonly hits: readonly MeasuredRate[];
  /** Rows in which nothing is hit, beside the baseline. */
  readonly counts: readonly MeasuredRate[];
  /** The names of all rows, in the author's order. */
  readonly order: readonly string[];
}

/** A rate, in millions per second. */
export interface MeasuredRate {
  readonly name: string;
  readonly rate: number;
}

/** Nanoseconds per hit, without the call that it comes with. */
export function measuredTime({ baseline }: Benchmark, { rate }: MeasuredRate): number {
  return 1000 / rate - 1000 / baseline.rate;
}

/** A hit as the model counts it, and as it was measured. */
export interface BenchmarkPoint {
  readonly name: string;
  readonly counted: number;
  readonly measured: number;
}

/**
 * Two hits whose order differs: one is counted as cheaper than, or equal to, the other, and was measured as slower.
 */
export interface Deviation {
  readonly cheaper: string;
  readonly dearer: string;
  readonly equal: boolean;
}

/** All pairs whose order differs. */
export function deviations(points: readonly BenchmarkPoint[]): Deviation[] {
  return points.flatMap((point) =>
    points
      .filter((other) => point.measured > other.measured && point.counted <= other.counted)
      .map((other) => ({
        cheaper: point.name,
        dearer: other.name,
        equal: point.counted === other.counted,
      })),
  );
}

/** The measure that orders hits: the instructions of machine code, or these plus the recorded functions in C. */
export type CountedBy = 'machine code' | 'with functions in C';
export const COUNTED_BY: readonly CountedBy[] = ['machine code', 'with functions in C'];

/** Why the order of some hits differs from the measured one. */
export interface Explanation {
  readonly by: readonly CountedBy[];
  /** Each of these is counted as cheaper than, or equal to, each of those, where the order differs. */
  readonly cheaper: readonly string[];
  readonly dearer: readonly string[];
  readonly why: string;
}

/** A hit that is slower relative to the first than its count by this factor does more than its instructions. */
const MORE_THAN_COUNTED = 1.5;

/** Hits whose time relative to the first one is out of proportion to their count. */
export function undercounted(points: readonly BenchmarkPoint[]): string[] {
  const [first] = points;
  if (first === undefined) return [];
  return points
    .filter(({ counted, measured }) => {
      return measured / first.measured > (MORE_THAN_COUNTED * counted) / first.counted;
    })
    .map(({ name }) => name);
}

/** Why hits take longer than their instructions suggest. */
export interface Undercount {
  readonly names: readonly string[];
  readonly why: string;
}

/** Why a benchmark and the counts disagree. */
export interface Explanations {
  readonly order: readonly Explanation[];
  readonly size: readonly Undercount[];
}

export function explains(
  { by, cheaper, dearer }: Explanation,
  deviation: Deviation,
  counted: CountedBy,
): boolean {
  return by.includes(counted) && cheaper.includes(deviation.cheaper) && dearer.includes(deviation.dearer);
}
