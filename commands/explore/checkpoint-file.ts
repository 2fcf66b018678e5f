import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { InputError } from '../../model/core/input-error.ts';
import type { ScenarioResult, TaskSearch } from './exploration.ts';
import type { Left } from './pool.ts';

/** An interrupted exploration: its results, and the state of the unfinished searches. */
export interface SavedExploration {
  readonly done: ReadonlyMap<number, ScenarioResult>;
  readonly left: readonly Left[];
}

const FORMAT = 'attachcheck exploration 2';

interface Stored extends SavedExploration {
  readonly format: typeof FORMAT;
  readonly question: string;
}

/** The exploration, as text: a checkpoint resumes no other. */
function questionOf({ scenarios, laws, planted, depth, states }: TaskSearch): string {
  return JSON.stringify([scenarios, laws.map(({ name }) => name), planted?.name, depth, states]);
}

/** Writes a checkpoint over the last one, which stays until this one is whole. */
export function writeExploration(path: string, search: TaskSearch, saved: SavedExploration): void {
  const stored: Stored = { format: FORMAT, question: questionOf(search), ...saved };
  writeFileSync(`${path}.new`, serialize(stored));
  renameSync(`${path}.new`, path);
}

/** Reads a checkpoint; an InputError says why it cannot be resumed. */
export function readExploration(path: string, search: TaskSearch): SavedExploration {
  const stored = deserialized(path);
  if (stored.question !== questionOf(search))
    throw new InputError(
      `${path}: this checkpoint is of an exploration with other bounds, laws or scenarios`,
    );
  return stored;
}

function deserialized(path: string): Stored {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new InputError(`${path}: no such checkpoint`);
  }
  try {
    const stored = deserialize(bytes) as Stored;
    if (stored.format === FORMAT) return stored;
  } catch {
    // serialize() did not write this file: the error below says so.
  }
  throw new InputError(`${path}: not a checkpoint of this version, or damaged`);
}
