import { dirname } from 'node:path';
import type { Answer, AnswerPart, JobProgress, RunVerdict } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { remarkLines } from '../../counterexamples/run-part.ts';
import { counted } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { checkFormatIn } from '../line/format.ts';
import type { RunShard, ShardOptions } from './run-shard.ts';
import { shardNamed, shardText } from './run-shard.ts';
import { RecordedShare } from './shard.ts';
import type { ShardedCommand } from './shard-file.ts';
import { writeShard } from './shard-file.ts';
import type { ShardedLine } from './sharded.ts';
import { decisive, sharedWork } from './sharded.ts';
import { wordsOfCommand } from './words.ts';

/** `--shard 3/16`: works on a shard of a command, and writes its result to a file. */
export function shardJob(
  { shard: text, shardFile }: ShardOptions & { readonly shard: string },
  asked: ShardedLine,
  argv: readonly string[],
): WaitingJob {
  const shard = shardNamed(text);
  const format = checkFormatIn(argv);
  if (format !== undefined)
    throw new InputError(`--format ${format} is for verdicts, and not for --shard: merge has it`);
  if ('seed' in asked.line && asked.line.seed === 'random')
    throw new InputError('--seed random is another seed on each machine: name one for all shards');
  const recorded = new RecordedShare(shard);
  const command = { words: wordsOfCommand(argv), asked: decisive(asked) };
  return working(recorded, { shard, command, path: shardFile ?? fileOf(shard) });
}

function fileOf({ number, of }: RunShard): string {
  return `attachcheck-${number}-of-${of}.json`;
}

interface Written {
  readonly shard: RunShard;
  readonly command: ShardedCommand;
  readonly path: string;
}

async function* working(share: RecordedShare, to: Written): WaitingJob {
  const work = sharedWork(to.command.asked, share);
  let stops = false;
  for (;;) {
    const step: IteratorResult<JobProgress | AnswerPart, Answer> = await work.next(stops);
    if (step.done === true) return ended(step.value, share, { ...to, stops });
    if (isShown(step.value)) stops = (yield step.value) || stops;
  }
}

/** The parts of its answer are of the shard alone: those with a finding are shown. */
function isShown(told: JobProgress | AnswerPart): boolean {
  return 'part' in told || told.save.length > 0;
}

function ended(answer: Answer, share: RecordedShare, to: Written & { readonly stops: boolean }): Answer {
  const { breaches, wrong, known, seed, planted } = answer.verdict ?? verdictBy(answer);
  const failure = to.stops ? 'stopped before the end' : failureToWrite(share, to);
  const isWrong = answer.exit === EXIT.BROKEN || answer.exit === EXIT.FAILED;
  const parts = counted(share.parts.size, 'part');
  const line =
    failure === undefined
      ? ({ mark: '✓', name: `shard ${shardText(to.shard)}`, text: `${parts}, in ${to.path}` } as const)
      : ({ mark: '?', name: `shard ${shardText(to.shard)}`, text: failure } as const);
  const isShown = answer.save.length > 0 && (answer.part !== undefined || answer.verdict === undefined);
  const report = isShown ? [answer.text, ''] : [];
  return {
    text: [...report, ...remarkLines(line)].join('\n'),
    json: {
      command: 'shard',
      shard: shardText(to.shard),
      file: failure === undefined ? to.path : null,
      parts: share.parts.size,
      breaches,
      wrong,
    },
    exit: isWrong ? answer.exit : failure === undefined ? EXIT.HELD : EXIT.INCONCLUSIVE,
    save: answer.save,
    verdict: {
      ...{ breaches, wrong, known, ...(seed === undefined ? {} : { seed }) },
      ...(planted === undefined ? {} : { planted }),
      open: failure === undefined ? [] : [failure],
      next: { command: ['merge', dirname(to.path)] },
    },
  };
}

/** Of a command that has only an exit code, and saves where a kernel and the model differ. */
function verdictBy({ save }: Answer): Omit<RunVerdict, 'open' | 'next'> {
  const wrong = save.length === 0 ? [] : [`${counted(save.length, 'difference')} from the model`];
  return { breaches: 0, wrong, known: [] };
}

/** Why the file could not be written; undefined: it was. */
function failureToWrite(share: RecordedShare, { shard, command, path }: Written): string | undefined {
  try {
    writeShard(path, { shard, command, parts: share.parts });
    return undefined;
  } catch (error) {
    return `${path} cannot be written: ${messageOf(error)}`;
  }
}
