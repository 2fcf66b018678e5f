import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { attachcheck } from './console.ts';
import { THOROUGH } from './thorough.ts';

/** Into how many shards a command is parted. */
export const SHARDS: readonly number[] = THOROUGH ? [1, 3, 16] : [3];

/** What the shards of a command and their merge have left. */
export interface MergedRun {
  /** The folder of their files. */
  readonly own: string;
  /** How the shards have ended. */
  readonly exits: readonly number[];
  readonly exit: number;
  readonly stdout: string;
}

/** The file that a shard of such a run writes. */
export function shardPath(folder: string, number: number, of: number): string {
  return join(folder, `attachcheck-${number}-of-${of}.json`);
}

/** Works on all shards of a command in a new folder. */
export async function sharded(own: string, words: readonly string[], of: number): Promise<number[]> {
  mkdirSync(own);
  const exits: number[] = [];
  for (let number = 1; number <= of; number++) {
    const options = ['--shard', `${number}/${of}`, '--shard-file', shardPath(own, number, of)];
    exits.push((await attachcheck([...words, ...options])).exit);
  }
  return exits;
}

/** The same, and merges them. */
export async function merged(
  own: string,
  words: readonly string[],
  of: number,
  ...options: readonly string[]
): Promise<MergedRun> {
  const exits = await sharded(own, words, of);
  const { exit, stdout } = await attachcheck(['merge', own, '--no-save', ...options]);
  return { own, exits, exit, stdout };
}
