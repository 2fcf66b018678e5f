import type { RunPart } from './run-part.ts';

/** Exit codes. The checker's own failure is never folded into a broken law; what a signal ends has 128 and its number. */
export const EXIT = {
  HELD: 0,
  BROKEN: 1,
  USAGE: 2,
  FAILED: 3,
  INCONCLUSIVE: 4,
  HUNG_UP: 129,
  INTERRUPTED: 130,
  UNREAD: 141,
  TERMINATED: 143,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** The answer of a command. */
export interface Answer {
  /** For stdout, without the last newline. */
  readonly text: string;
  /** The same at length, for `--verbose`; undefined: there is no more. */
  readonly verbose?: string;
  /** What it adds to the summary of a run that it is a part of. */
  readonly part?: RunPart;
  /** It goes on with what was printed last, without an empty line in front. */
  readonly goesOn?: true;
  /** The same as one object, for `--json`; `docs/json.md` describes it. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Rows with their head first, for `--format csv`. */
  readonly csv?: readonly (readonly string[])[];
  readonly exit: Exit;
  /** Counterexamples that were found. */
  readonly save: readonly Saved[];
  /** For the last line; a command that searches for nothing has none. */
  readonly verdict?: RunVerdict;
}

/** A counterexample: its place, present or future, in the corpus (from the top of the project), and its file. */
export interface Saved {
  readonly path: string;
  readonly text: string;
}

/** The result of a run. */
export interface RunVerdict {
  /** Breaches that are not listed, of which each is in `save`. */
  readonly breaches: number;
  /** The planted bug that shows in them. */
  readonly planted?: string;
  /** Other failures: `2 recordings differ`. */
  readonly wrong: readonly string[];
  /** The listed breaches that were met, by name. */
  readonly known: readonly string[];
  /** Parts that were left out, or never exercised. */
  readonly open: readonly string[];
  /** The seed of what was drawn. */
  readonly seed?: number;
  /** What to ask next: another command, or the same one with other options. */
  readonly next: Next;
}

export type Next =
  | { readonly command: readonly string[] }
  | { readonly options: Readonly<Record<string, string>> };

/** What is sure before a command has come to its end: it is printed, and what it found is saved, at once. */
export type AnswerPart = Pick<Answer, 'text' | 'verbose' | 'save' | 'goesOn'>;

/** How far a command at work has got. */
export interface JobProgress {
  /** `sequences of 6.12`. */
  readonly part: string;
  /** The law or the scenario that is under way. */
  readonly now?: string;
  /** So many are done, of so many if that is known: the remaining time is estimated from them. */
  readonly done?: number;
  readonly of?: number;
  /** What is counted in `done`. */
  readonly unit?: string;
  /** What the rate is of, where that is something smaller: states, of scenarios. */
  readonly inner?: { readonly done: number; readonly unit: string };
}

/** A command at work that tells nothing before its end. */
export type WholeJob = Generator<JobProgress, Answer, boolean>;

/**
 * A command at work: from time to time it yields how far it is, or a part of its answer, and is told whether to stop
 * early. What it has by then is its answer, without the parts that it has yielded.
 */
export type Job = Generator<JobProgress | AnswerPart, Answer, boolean>;

const BY_WEIGHT: readonly Exit[] = [EXIT.USAGE, EXIT.FAILED, EXIT.BROKEN, EXIT.INCONCLUSIVE];

/** The exit code of several parts together. */
export function worstExit(exits: readonly Exit[]): Exit {
  return BY_WEIGHT.find((exit) => exits.includes(exit)) ?? EXIT.HELD;
}

/** Of several parts. */
export function verdictOf(
  parts: readonly Omit<RunVerdict, 'next'>[],
  { seed, next }: Pick<RunVerdict, 'seed' | 'next'>,
): RunVerdict {
  return {
    ...(seed === undefined ? {} : { seed }),
    breaches: parts.reduce((sum, { breaches }) => sum + breaches, 0),
    ...parts.reduce((all, { planted }) => (planted === undefined ? all : { planted }), {}),
    wrong: parts.flatMap(({ wrong }) => wrong),
    known: [...new Set(parts.flatMap(({ known }) => known))],
    open: [...new Set(parts.flatMap(({ open }) => open))],
    next,
  };
}

/** Drives a search that yields its results so far, and reports its progress. */
export function* progressOf<T>(
  search: Generator<T, T, boolean>,
  line: (soFar: T) => JobProgress,
): Generator<JobProgress, T, boolean> {
  for (let stop = false; ; ) {
    const step = search.next(stop);
    if (step.done === true) return step.value;
    stop = yield line(step.value);
  }
}
