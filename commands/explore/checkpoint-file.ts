import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import { codeDigest } from '../line/code-digest.ts';
import { writeWhole } from '../line/write-whole.ts';
import type { ScenarioResult, TaskSearch } from './exploration.ts';
import type { Left } from './pool.ts';

/** An interrupted exploration: its results, and the state of the unfinished searches. */
export interface SavedExploration {
  readonly done: ReadonlyMap<number, ScenarioResult>;
  readonly left: readonly Left[];
}

/** The first line of a file: this, and the checksum of what follows. */
const FORMAT = 'attachcheck exploration 3 ';
const HEAD = FORMAT.length + 64 + 1;

interface Stored extends SavedExploration {
  readonly code: string;
  readonly question: string;
}

/** The exploration, as text: a checkpoint resumes no other. */
function questionOf({ scenarios, laws, planted, depth, states }: TaskSearch): string {
  return JSON.stringify([scenarios, laws.map(({ name }) => name), planted?.name, depth, states]);
}

/** Where an exploration is saved from time to time. Throws an InputError if it cannot be written at first. */
export class CheckpointFile {
  private readonly code = codeDigest();
  private readonly question: string;

  constructor(
    private readonly path: string,
    search: TaskSearch,
    saved: SavedExploration,
  ) {
    this.question = questionOf(search);
    try {
      this.write(saved);
    } catch (error) {
      throw new InputError(`${path}: the checkpoint cannot be written: ${messageOf(error)}`);
    }
  }

  /** Replaces the last one, which stays until this one is whole. Throws the error of the system. */
  write({ done, left }: SavedExploration): void {
    const stored: Stored = { code: this.code, question: this.question, done, left };
    const content = serialize(stored);
    writeWhole(this.path, Buffer.concat([Buffer.from(`${FORMAT}${checksum(content)}\n`), content]));
  }
}

/** Reads a checkpoint; an InputError says why it cannot be resumed. */
export function readExploration(path: string, search: TaskSearch): SavedExploration {
  const stored = storedIn(path);
  if (stored.code !== codeDigest())
    throw new InputError(
      `${path}: this checkpoint is of another version of the program, or of other modules`,
    );
  if (stored.question !== questionOf(search))
    throw new InputError(
      `${path}: this checkpoint is of an exploration with other bounds, laws or scenarios`,
    );
  return stored;
}

function storedIn(path: string): Stored {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new InputError(`${path}: no such checkpoint`);
  }
  const head = bytes.toString('latin1', 0, HEAD);
  if (!head.startsWith(FORMAT)) throw new InputError(`${path}: not a checkpoint of this version`);
  const content = bytes.subarray(HEAD);
  if (head !== `${FORMAT}${checksum(content)}\n`)
    throw new InputError(`${path}: the checkpoint is damaged: its checksum differs`);
  return deserialize(content);
}

function checksum(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
