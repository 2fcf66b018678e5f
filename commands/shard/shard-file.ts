import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { InputError } from '../../model/core/input-error.ts';
import { codeDigest } from '../line/code-digest.ts';
import { checksum, requireOwnCode } from '../line/sealed-file.ts';
import { writeWhole } from '../line/write-whole.ts';
import type { RunShard } from './run-shard.ts';
import { shardNamed, shardText } from './run-shard.ts';
import type { KeptPart } from './shard.ts';
import type { ShardedLine } from './sharded.ts';

/** What a shard is of: the words of the command without those about shards and output, and its options. */
export interface ShardedCommand {
  readonly words: readonly string[];
  readonly asked: ShardedLine;
}

/** A shard that has been worked on. */
export interface ShardFile {
  readonly shard: RunShard;
  readonly command: ShardedCommand;
  readonly parts: ReadonlyMap<string, KeptPart>;
}

const FORMAT = 'attachcheck shard 2';
const FORM = z.object({
  format: z.string(),
  shard: z.string(),
  code: z.string(),
  checksum: z.string(),
  content: z.string(),
});

/** Writes a shard as JSON, with a checksum and the identity of the code. Throws the error of the system. */
export function writeShard(path: string, { shard, command, parts }: ShardFile): void {
  const content = gzipSync(serialize({ command, parts })).toString('base64');
  const file = {
    format: FORMAT,
    shard: shardText(shard),
    code: codeDigest(),
    checksum: sum(shard, content),
    content,
  };
  writeWhole(path, `${JSON.stringify(file, undefined, 2)}\n`);
}

/** Reads it; an InputError names the file, and says why it cannot be merged. */
export function readShard(path: string): ShardFile {
  const file = formIn(path);
  if (file.format !== FORMAT) throw new InputError(`${path}: not a shard of this version`);
  const shard = shardNamed(file.shard);
  if (sum(shard, file.content) !== file.checksum)
    throw new InputError(`${path}: the shard is damaged: its checksum differs`);
  requireOwnCode(path, 'shard', file.code);
  const content = deserialize(gunzipSync(Buffer.from(file.content, 'base64'))) as Omit<ShardFile, 'shard'>;
  return { shard, ...content };
}

function formIn(path: string): z.infer<typeof FORM> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new InputError(`${path}: there is no such file`);
  }
  try {
    return FORM.parse(JSON.parse(text));
  } catch {
    throw new InputError(`${path}: it is no shard; --shard 1/16 writes one`);
  }
}

function sum(shard: RunShard, content: string): string {
  return checksum(`${shardText(shard)}\n${content}`);
}
