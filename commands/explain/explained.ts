/** One step of a trace at length. */
export interface ExplainedStep {
  /** From 1 on. */
  readonly number: number;
  readonly lines: readonly string[];
}

/** A trace at length: what is said of it first, and its steps. */
export interface Explained {
  readonly kernel: string;
  readonly head: readonly string[];
  readonly steps: readonly ExplainedStep[];
  /** Why the run is not the one that the file tells of; undefined: it is. */
  readonly diverged: string | undefined;
}
