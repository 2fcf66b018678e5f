import { InputError } from '../../model/core/input-error.ts';

/** One of several machines: `3/16`, counted from 1. */
export interface RunShard {
  readonly number: number;
  readonly of: number;
}

/** The options that every command with shards has. */
export interface ShardOptions {
  readonly shard?: string;
  readonly shardFile?: string;
}

const MOST = 10_000;

/** Reads `3/16`; an InputError says what it has to look like. */
export function shardNamed(text: string): RunShard {
  const [, number, of] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number);
  if (number === undefined || of === undefined || number < 1 || number > of || of > MOST)
    throw new InputError(
      `--shard ${text} is no shard: the third of 16 is 3/16, and there are ${MOST} at most`,
    );
  return { number, of };
}

export function shardText({ number, of }: RunShard): string {
  return `${number}/${of}`;
}
