/** One step of a trace in detail. */
export interface ExplainedStep {
  /** From 1 on. */
  readonly number: number;
  readonly lines: readonly string[];
}

/** A trace in detail: its introduction, and its steps. */
export interface Explained {
  readonly kernel: string;
  readonly head: readonly string[];
  readonly steps: readonly ExplainedStep[];
  /** Why the run differs from the one in the file; undefined: it does not. */
  readonly diverged: string | undefined;
}
