import { existsSync } from 'node:fs';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import type { SealedKind } from '../line/sealed-file.ts';
import { readSealed, writeSealed } from '../line/sealed-file.ts';
import type { BreachShape } from './breach-shape.ts';

/** A breach, or a failure of the checker, with the searches that met it. */
export interface TimesMet {
  /** How often. */
  times: number;
  /** The kernels that it was met in, in that order. */
  readonly kernels: string[];
  /** The seed of the first search that met it. */
  readonly seed: number;
}

export interface SoakedBreach extends TimesMet {
  readonly shape: BreachShape;
  /** Where its trace is or would be saved, in the corpus, and the trace. */
  readonly path: string;
  readonly text: string;
}

export interface SoakedFailure extends TimesMet {
  /** The search, and what the checker said. */
  readonly search: string;
  readonly message: string;
}

/** What all runs with one file have done together. */
export interface SoakProgress {
  /** The seed of the round under way, and how many of its searches are over. */
  seed: number;
  done: number;
  searches: number;
  /** How much was drawn, by unit. */
  readonly drawn: Map<string, number>;
  readonly breaches: SoakedBreach[];
  readonly failures: SoakedFailure[];
}

export function nothingDone(seed: number): SoakProgress {
  return { seed, done: 0, searches: 0, drawn: new Map(), breaches: [], failures: [] };
}

/** The file of a soak: that of another one is refused. */
export class ProgressFile {
  /** Why it could not be written lately; undefined: it was. */
  failure: string | undefined;
  private readonly kind: SealedKind;

  constructor(
    readonly path: string,
    private readonly first: number,
    searches: readonly string[],
  ) {
    this.kind = {
      format: 'attachcheck soak 1',
      name: 'progress',
      question: JSON.stringify([first, searches]),
      otherwise: 'a soak that began with another seed',
    };
  }

  /** What it has, or nothing where there is none yet. An InputError says why one cannot be continued. */
  read(): SoakProgress {
    return existsSync(this.path)
      ? (readSealed(this.path, this.kind) as SoakProgress)
      : nothingDone(this.first);
  }

  /** Replaces the last one. */
  write(progress: SoakProgress): void {
    try {
      writeSealed(this.path, this.kind, progress);
      this.failure = undefined;
    } catch (error) {
      this.failure = `${this.path} cannot be written: ${messageOf(error)}`;
    }
  }

  /** Throws an InputError if the last one could not be written: nothing has been done yet. */
  requireWritten(): void {
    if (this.failure !== undefined) throw new InputError(this.failure);
  }
}
