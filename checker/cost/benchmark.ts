/** A benchmark of hits on real hardware. */
export interface Benchmark {
  /** Who measured it, and where it stands. */
  readonly source: string;
  /** The name of the design that the hits of multi links are of. */
  readonly design: string;
  /** Calls of the same function with nothing attached. */
  readonly baseline: MeasuredRate;
  readonly hits: readonly MeasuredRate[];
}

/** How often something happened, in millions a second. */
export interface MeasuredRate {
  readonly name: string;
  readonly rate: number;
}

/** Nanoseconds that a hit takes, the call that it comes with left out. */
export function measuredTime({ baseline }: Benchmark, { rate }: MeasuredRate): number {
  return 1000 / rate - 1000 / baseline.rate;
}

/** A hit as the model counts it, and as it was measured. */
export interface BenchmarkPoint {
  readonly name: string;
  readonly counted: number;
  readonly measured: number;
}

/** Two hits whose order differs: one is counted as the cheaper, or as equal, and was measured as the dearer. */
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

/** What hits are ordered by: the instructions of machine code, or these and what functions in C were recorded with. */
export type CountedBy = 'machine code' | 'with functions in C';
export const COUNTED_BY: readonly CountedBy[] = ['machine code', 'with functions in C'];

/** Why the order of some hits differs from the measured one. */
export interface Explanation {
  readonly by: readonly CountedBy[];
  /** Each of these is counted as cheaper than each of those, or as equal, where the order differs. */
  readonly cheaper: readonly string[];
  readonly dearer: readonly string[];
  readonly why: string;
}

/** A hit that was measured as this much dearer beside the first than it is counted is more than its instructions. */
const MORE_THAN_COUNTED = 1.5;

/** Hits whose time, beside that of the first one, is out of proportion to what they are counted with. */
export function undercounted(points: readonly BenchmarkPoint[]): string[] {
  const [first] = points;
  if (first === undefined) return [];
  return points
    .filter(({ counted, measured }) => {
      return measured / first.measured > (MORE_THAN_COUNTED * counted) / first.counted;
    })
    .map(({ name }) => name);
}

/** Why hits take longer than their instructions say. */
export interface Undercount {
  readonly names: readonly string[];
  readonly why: string;
}

/** Why a benchmark says something else than the counts. */
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
