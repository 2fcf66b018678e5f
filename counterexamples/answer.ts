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

/** What a command answers. */
export interface Answer {
  /** For stdout, without the last newline. */
  readonly text: string;
  /** The same as one object, for `--json`; `docs/json.md` describes it. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Rows with their head first, for `--format csv`. */
  readonly csv?: readonly (readonly string[])[];
  readonly exit: Exit;
  /** Counterexamples that were found. */
  readonly save: readonly Saved[];
  /** For the last line; a command that looks for nothing has none. */
  readonly verdict?: RunVerdict;
}

/** A counterexample: where it lies, or would lie, in the corpus (from the top of the project), and its file. */
export interface Saved {
  readonly path: string;
  readonly text: string;
}

/** What a run has come to. */
export interface RunVerdict {
  /** Breaches that are not listed, of which each is in `save`. */
  readonly breaches: number;
  /** The planted bug that shows in them. */
  readonly planted?: string;
  /** What else is wrong: `2 recordings differ`. */
  readonly wrong: readonly string[];
  /** The listed breaches that were met, by name. */
  readonly known: readonly string[];
  /** What was left out, or never put to the test. */
  readonly open: readonly string[];
  /** What to ask next: another command, or the same one with other options. */
  readonly next: Next;
}

export type Next =
  | { readonly command: readonly string[] }
  | { readonly options: Readonly<Record<string, string>> };

/** What is sure before a command has come to its end: it is printed, and what it found is saved, at once. */
export interface AnswerPart {
  readonly text: string;
  readonly save: readonly Saved[];
  /** It goes on with what was printed last, without an empty line in front. */
  readonly goesOn?: true;
}

/** A command at work that tells nothing before its end. */
export type WholeJob = Generator<string, Answer, boolean>;

/**
 * A command at work: from time to time it yields a line of progress, or a part of its answer, and is told whether to stop
 * early. What it has by then is its answer, without the parts that it has yielded.
 */
export type Job = Generator<string | AnswerPart, Answer, boolean>;

const BY_WEIGHT: readonly Exit[] = [EXIT.USAGE, EXIT.FAILED, EXIT.BROKEN, EXIT.INCONCLUSIVE];

/** The exit code of several parts together. */
export function worstExit(exits: readonly Exit[]): Exit {
  return BY_WEIGHT.find((exit) => exits.includes(exit)) ?? EXIT.HELD;
}

/** Of several parts. */
export function verdictOf(parts: readonly Omit<RunVerdict, 'next'>[], next: Next): RunVerdict {
  return {
    breaches: parts.reduce((sum, { breaches }) => sum + breaches, 0),
    ...parts.reduce((all, { planted }) => (planted === undefined ? all : { planted }), {}),
    wrong: parts.flatMap(({ wrong }) => wrong),
    known: [...new Set(parts.flatMap(({ known }) => known))],
    open: [...new Set(parts.flatMap(({ open }) => open))],
    next,
  };
}

/** Drives a search that yields what it has so far, and tells its progress. */
export function* progressOf<T>(
  search: Generator<T, T, boolean>,
  line: (soFar: T) => string,
): Generator<string, T, boolean> {
  for (let stop = false; ; ) {
    const step = search.next(stop);
    if (step.done === true) return step.value;
    stop = yield line(step.value);
  }
}
