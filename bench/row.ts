/** The unit of a figure, and so whether more of it is better. */
export type Unit = 'per second' | 'bytes' | 'seconds';

/** A line of the table before it is measured. */
export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  /** What floor and aim are of: our figure beside the peer's of the same run, or our figure alone. */
  readonly judged: 'ratio' | 'ours';
  /** Absent: it has no target. */
  readonly floor?: number;
  readonly aim?: number;
}

/** A line of the table. */
export interface BenchRow extends Figure {
  /** Ours, in the unit: the median of the rounds. */
  readonly ours: number;
  /** The peer's; undefined: there is none here. */
  readonly peer: number | undefined;
  /** The median of the rounds' ratios of ours to the peer's. */
  readonly ratio: number | undefined;
}

/** Rows, and what has to be installed for those without a peer. */
export interface MeasuredPart {
  readonly rows: readonly BenchRow[];
  readonly missing: readonly string[];
}

/** The figure that has floor and aim; undefined: it is a ratio, and there is no peer. */
export function judgedFigure({ judged, ours, ratio }: BenchRow): number | undefined {
  return judged === 'ours' ? ours : ratio;
}

/** Whether less of a figure is better: times and bytes. */
export function isLessBetter({ unit }: Figure): boolean {
  return unit !== 'per second';
}

/** A row of figures that were taken in rounds, ours and the peer's in turn; a round without a peer has ours alone. */
export function rowOf(figure: Figure, ours: readonly number[], theirs: readonly number[]): BenchRow {
  const known = theirs.length > 0;
  return {
    ...figure,
    ours: median(ours),
    peer: known ? median(theirs) : undefined,
    ratio: known ? median(theirs.map((their, i) => ours[i]! / their)) : undefined,
  };
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}
