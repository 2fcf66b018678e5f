import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeDigest } from '../../commands/line/code-digest.ts';
import { TOP } from '../../commands/line/project.ts';
import { filesBelow } from '../../conformance/files.ts';
import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import type { ListedMutant, Shard } from './mutant.ts';
import { shardOf } from './mutant.ts';

/** Which mutants a run judges. */
export interface AskedMutants {
  readonly seed: number;
  /** `3/64`, or of several `3/64,4/64`. */
  readonly shard: string;
  /** Areas, separated by commas: those that begin with one of them. */
  readonly area: string;
  /** Those whose name contains this. */
  readonly name: string;
}

/** Those of the shards, or of a directory or a name only, in the order in which they are judged. */
export function askedMutants(
  mutants: readonly ListedMutant[],
  { seed, shard, area: areas, name: part }: AskedMutants,
): ListedMutant[] {
  const wanted = mutants.filter(
    ({ area, name }) => areas.split(',').some((wanted) => area.startsWith(wanted)) && name.includes(part),
  );
  return shardsIn(shard).flatMap((own) => shardOf(wanted, own, seed));
}

/** Reads `3/64,4/64`: shards of one number. */
export function shardsIn(text: string): Shard[] {
  const shards = text.split(',').map((shard) => {
    const [n, of] = /^(\d+)\/(\d+)$/.exec(shard)?.slice(1).map(Number) ?? [];
    if (n === undefined || of === undefined || n < 1 || n > of)
      throw new InputError(`--shard is like 3/64, not ${shard}`);
    return { n, of };
  });
  const { of } = item(shards, 0);
  const other = shards.find((shard) => shard.of !== of);
  if (other !== undefined) throw new InputError(`--shard ${text}: shards are of one number`);
  return shards;
}

/** The reasons of survivors decide no verdict. */
const DECIDES_NOTHING = /\.test\.ts$|\/explained\.ts$/;

/** SHA-256 of the code that verdicts depend on: the program, and what mutates and judges it. */
export function mutantsDigest(): string {
  const hash = createHash('sha256').update(codeDigest());
  for (const path of filesBelow(TOP, 'test/mutants', '.ts')) {
    if (DECIDES_NOTHING.test(path)) continue;
    hash.update(`${path}\n`).update(readFileSync(join(TOP, path)));
  }
  return hash.digest('hex');
}
