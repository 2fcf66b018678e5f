import type { CheckSuite } from './run-check.ts';
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
  /** The same in detail, for `--verbose`; undefined: there is no more. */
  readonly verbose?: string;
  /** What it adds to the summary of a run that it is a part of. */
  readonly part?: RunPart;
  /** It continues the last printed part, without an empty line before. */
  readonly goesOn?: true;
  /** The same as one object, for `--json`; `docs/json.md` describes it. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Rows with their head first, for `--format csv`. */
  readonly csv?: readonly (readonly string[])[];
  /** Its checks, for the formats of `--format` that have them. */
  readonly suites?: readonly CheckSuite[];
  readonly exit: Exit;
  /** Counterexamples that were found. */
  readonly save: readonly Saved[];
  /** Other files that were asked for. */
  readonly files?: readonly AskedFile[];
  /** The words of the command that it answers, where those are not the words that were typed. */
  readonly asked?: readonly string[];
  /** For the last line; a command that searches for nothing has none. */
  readonly verdict?: RunVerdict;
}

/** A file that an option asks for: its content, or why it has none. */
export type AskedFile = { readonly file: string } & ({ readonly content: string } | { readonly why: string });

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
  /** The next command: another one, or the same with other options. */
  readonly next: Next;
}

export type Next =
  | { readonly command: readonly string[] }
  | { readonly options: Readonly<Record<string, string>> };

/** Results that are final before a command ends: they are printed, and their findings saved, at once. */
export type AnswerPart = Pick<Answer, 'text' | 'verbose' | 'save' | 'goesOn'>;

/** The progress of a running command. */
export interface JobProgress {
  /** `sequences of 6.12`. */
  readonly part: string;
  /** The law or the scenario in progress. */
  readonly now?: string;
  /** The number done, and the total if it is known: they give the estimate of the remaining time. */
  readonly done?: number;
  readonly of?: number;
  /** The unit of `done`. */
  readonly unit?: string;
  /** The unit of the rate, if that is a smaller one: states, of scenarios. */
  readonly inner?: { readonly done: number; readonly unit: string };
}

/** A running command that prints nothing before its end. */
export type WholeJob = Generator<JobProgress, Answer, boolean>;

/**
 * A running command: from time to time it yields its progress, or a part of its answer, and receives whether to stop
 * early. What it returns is its answer, without the parts that it has yielded.
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

/** Drives a computation that yields how much of it is done, and reports that; undefined after a stop. */
export function* untilStopped<T>(
  steps: Generator<number, T>,
  line: (done: number) => JobProgress,
): Generator<JobProgress, T | undefined, boolean> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (yield line(step.value)) return undefined;
  }
}
