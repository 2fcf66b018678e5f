/**
 * The result of a check. A listed breach that a search meets is `known` and breaks nothing; `error`: the checker
 * gives no verdict, because of itself or of its input; `skipped`: nothing was decided.
 */
export type CheckOutcome = 'passed' | 'failed' | 'error' | 'known' | 'skipped';

/** The subject of a check: a law, or a sentence about the model. */
export interface CheckedRule {
  /** `ftrace/probes-fire-exactly-once`. */
  readonly name: string;
  readonly sentence: string;
}

/** A place in a file. */
export interface FilePlace {
  /** From the directory of the command line, or the future place of a counterexample in the corpus. */
  readonly file: string;
  /** From 1; none: the file as a whole. */
  readonly line?: number;
}

/** One check of a run, for formats that other programs read. */
export interface RunCheck {
  /** One line, different from those of the others of its suite. */
  readonly name: string;
  readonly rule: CheckedRule;
  readonly outcome: CheckOutcome;
  readonly place?: FilePlace;
  /** The finding, or why there is none; the first line is complete by itself. */
  readonly lines?: readonly string[];
  /** The same for breaches that have one cause, whatever their seed, kernel and numbers. */
  readonly cause?: string;
}

/** The checks of one part of a run. */
export interface CheckSuite {
  readonly name: string;
  /** What it was done with: `seed`, `kernels`, `bound`. */
  readonly facts: Readonly<Record<string, string>>;
  readonly checks: readonly RunCheck[];
}

/** `a.jsonl.gz:12` as a place. */
export function placeIn(text: string): FilePlace {
  const [, file, line] = /^(.*):(\d+)$/s.exec(text) ?? [];
  return file === undefined ? { file: text } : { file, line: Number(line) };
}
