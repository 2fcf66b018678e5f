import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { InputError } from '../../model/core/input-error.ts';
import type { ScenarioResult, TaskSearch } from './exploration.ts';
import type { Left } from './pool.ts';

/** An exploration that was left: what is finished, and where the others stand. */
export interface SavedExploration {
  readonly done: ReadonlyMap<number, ScenarioResult>;
  readonly left: readonly Left[];
}

const FORMAT = 'attachcheck exploration 2';

interface Stored extends SavedExploration {
  readonly format: typeof FORMAT;
  readonly question: string;
}

/** What is explored, as text: a checkpoint goes on with nothing else. */
function questionOf({ scenarios, laws, planted, depth, states }: TaskSearch): string {
  return JSON.stringify([scenarios, laws.map(({ name }) => name), planted?.name, depth, states]);
}

/** Writes a checkpoint in the place of the last one, which stays until this one is whole. */
export function writeExploration(path: string, search: TaskSearch, saved: SavedExploration): void {
  const stored: Stored = { format: FORMAT, question: questionOf(search), ...saved };
  writeFileSync(`${path}.new`, serialize(stored));
  renameSync(`${path}.new`, path);
}

/** Reads a checkpoint; an InputError says why it cannot be gone on with. */
export function readExploration(path: string, search: TaskSearch): SavedExploration {
  const stored = deserialized(path);
  if (stored.question !== questionOf(search))
    throw new InputError(`${path}: it is of an exploration with other bounds, laws or scenarios`);
  return stored;
}

function deserialized(path: string): Stored {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new InputError(`${path}: there is no such checkpoint`);
  }
  try {
    const stored = deserialize(bytes) as Stored;
    if (stored.format === FORMAT) return stored;
  } catch {
    // Not what serialize() writes: the sentence below says it.
  }
  throw new InputError(`${path}: it is no checkpoint of this version, or it is damaged`);
}
