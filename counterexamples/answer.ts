/** Exit codes. The checker's own failure is never folded into a broken law. */
export const EXIT = { HELD: 0, BROKEN: 1, USAGE: 2, FAILED: 3, INCONCLUSIVE: 4, INTERRUPTED: 130 } as const;
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
}

/** A file to be written on `--save`; the path is relative to the top of the project. */
export interface Saved {
  readonly path: string;
  readonly text: string;
}

/**
 * A command at work: it yields a line of progress from time to time, and is told whether to stop early. What it
 * has by then is its answer.
 */
export type Job = Generator<string, Answer, boolean>;

const BY_WEIGHT: readonly Exit[] = [
  EXIT.INTERRUPTED,
  EXIT.USAGE,
  EXIT.FAILED,
  EXIT.BROKEN,
  EXIT.INCONCLUSIVE,
];

/** The exit code of several parts together. */
export function worstExit(exits: readonly Exit[]): Exit {
  return BY_WEIGHT.find((exit) => exits.includes(exit)) ?? EXIT.HELD;
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
