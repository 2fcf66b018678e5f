import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { remarkLines } from '../../counterexamples/run-part.ts';
import { counted } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import type { WaitingJob } from '../explore/explore.ts';
import type { CommandWork } from '../line/command-line.ts';
import type { OutputOptions } from '../line/printer.ts';
import { shardText } from './run-shard.ts';
import { MergedShare } from './shard.ts';
import type { ShardFile } from './shard-file.ts';
import { readShard } from './shard-file.ts';
import { sharedWork } from './sharded.ts';
import { withOutput } from './words.ts';

/** `merge FILE...`, or the folder of the files: the answer of the whole command, from what its shards have written. */
export function mergeJob(named: readonly string[], output: OutputOptions = {}): CommandWork {
  const files = named.flatMap(filesAt).map((path) => ({ path, file: readShard(path) }));
  const [{ file: first }, ...others] = [item(files, 0), ...files.slice(1)];
  for (const { path, file } of others) requireSame(path, file, first);
  const all = files.map(({ file }) => file);
  const missing = missingIn(all, first.shard.of);
  if (missing.length > 0) return incomplete(missing, first);
  if (first.command.asked.is === 'kernel' && output.format !== undefined)
    throw new InputError(`--format ${output.format} is for verdicts: kernel prints text, or --json`);
  const share = new MergedShare(new Map(all.flatMap(({ parts }) => [...parts])));
  return working(first, share, output);
}

const OWN_NAME = /^attachcheck-\d+-of-\d+\.json$/;

/** A file, or those of a folder that have the names which shards give them. */
function filesAt(path: string): string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const names = readdirSync(path).filter((name) => OWN_NAME.test(name));
  if (names.length === 0)
    throw new InputError(`${path}: there is no attachcheck-1-of-16.json or the like in it`);
  return names.map((name) => join(path, name)).toSorted(byNumber);
}

const byNumber = new Intl.Collator('en', { numeric: true }).compare;

function requireSame(path: string, { shard, command }: ShardFile, first: ShardFile): void {
  if (shard.of !== first.shard.of)
    throw new InputError(
      `${path}: this is shard ${shardText(shard)}, and the others are of ${first.shard.of}`,
    );
  if (JSON.stringify(command) !== JSON.stringify(first.command))
    throw new InputError(
      `${path}: this shard is of another command: ${['attachcheck', ...command.words].join(' ')}`,
    );
}

function missingIn(files: readonly ShardFile[], of: number): string[] {
  const there = new Set(files.map(({ shard }) => shard.number));
  const numbers = Array.from({ length: of }, (_, i) => i + 1).filter((number) => !there.has(number));
  return numbers.map((number) => shardText({ number, of }));
}

function incomplete(missing: readonly string[], { shard, command }: ShardFile): Answer {
  const open = `${counted(missing.length, 'shard')} of ${shard.of} missing`;
  return {
    text: remarkLines({ mark: '?', name: 'missing', text: missing.join(', ') }).join('\n'),
    json: { command: 'merge', missing },
    exit: EXIT.INCONCLUSIVE,
    save: [],
    verdict: {
      ...{ breaches: 0, wrong: [], known: [], open: [open] },
      next: { command: [...command.words, '--shard', item(missing, 0)] },
    },
  };
}

async function* working({ command }: ShardFile, share: MergedShare, output: OutputOptions): WaitingJob {
  const answer = yield* sharedWork(command.asked, share);
  return { ...answer, asked: withOutput(command.words, output) };
}
