import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import type { SealedKind } from '../line/sealed-file.ts';
import { readSealed, writeSealed } from '../line/sealed-file.ts';
import type { ScenarioResult, TaskSearch } from './exploration.ts';
import type { Left } from './pool.ts';

/** An interrupted exploration: its results, and the state of the unfinished searches. */
export interface SavedExploration {
  readonly done: ReadonlyMap<number, ScenarioResult>;
  readonly left: readonly Left[];
}

function kindOf({ scenarios, laws, planted, depth, states, preemptions }: TaskSearch): SealedKind {
  return {
    format: 'attachcheck exploration 5',
    name: 'checkpoint',
    question: JSON.stringify([
      scenarios,
      laws.map(({ name }) => name),
      planted?.name,
      depth,
      states,
      preemptions,
    ]),
    otherwise: 'an exploration with other bounds, laws or scenarios',
  };
}

/** Where an exploration is saved from time to time. Throws an InputError if it cannot be written at first. */
export class CheckpointFile {
  private readonly kind: SealedKind;

  constructor(
    private readonly path: string,
    search: TaskSearch,
    saved: SavedExploration,
  ) {
    this.kind = kindOf(search);
    try {
      this.write(saved);
    } catch (error) {
      throw new InputError(`${path}: the checkpoint cannot be written: ${messageOf(error)}`);
    }
  }

  /** Replaces the last one, which stays until this one is whole. Throws the error of the system. */
  write({ done, left }: SavedExploration): void {
    writeSealed(this.path, this.kind, { done, left });
  }
}

/** Reads a checkpoint; an InputError says why it cannot be resumed. */
export function readExploration(path: string, search: TaskSearch): SavedExploration {
  return readSealed(path, kindOf(search)) as SavedExploration;
}
