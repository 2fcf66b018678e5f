import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Answer } from '../../counterexamples/answer.ts';
import type { Errno } from '../../model/core/errno.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { CommandLine } from '../line/command-line.ts';
import { isFile } from '../line/is-file.ts';
import { readTrace } from '../line/read-trace.ts';
import { errnoAsked } from './errno-asked.ts';
import { whyErrno } from './why-errno.ts';
import type { WhyLine } from './why-job.ts';
import { whyRefused } from './why-job.ts';

/** The options of `why`, with a file and without one. */
interface WhyOptions extends WhyLine {
  readonly kernel?: string;
}

export function declareWhy({ subcommand, finish }: CommandLine): void {
  const why = subcommand(
    'why <errno|file> [file]',
    'explain an errno: list all return sites that answer it, or find the one in a sequence',
  )
    .option('--kernel <version>', 'without a file: only return sites of this kernel')
    .option('--step <n>', 'with a file: this step, or FILE:N (default: the first with this errno)')
    .option('--undo <calls>', 'with a file: maximum number of calls to undo (default: 3)')
    .action((word: string, path: string | undefined, options: WhyOptions, command: Command) => {
      if (path !== undefined) return finish(command, fileAnswer(errnoAsked(word), path, options));
      if (isFile(word)) return finish(command, fileAnswer(undefined, word, options));
      return finish(command, siteAnswer(word, options));
    });
  takesNegative(why);
}

/** An errno may be written as kernels print it, `-EBUSY`, which would be options; commander accepts only numbers. */
function takesNegative(command: Command): void {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (words) => parse(words.map((word) => word.replace(/^-(?=E[A-Z0-9]+$)/, '')));
}

function siteAnswer(word: string, { kernel, step, undo }: WhyOptions): Answer {
  if (step !== undefined || undo !== undefined)
    throw new InputError(`--${step === undefined ? 'undo' : 'step'} needs the file of a sequence`);
  return whyErrno(errnoAsked(word), kernel);
}

function fileAnswer(errno: Errno | undefined, named: string, { kernel, ...line }: WhyOptions): Answer {
  const { path, step } = placeIn(named);
  if (kernel !== undefined)
    throw new InputError(`${path} names its kernel; --kernel applies only without a file`);
  return whyRefused(errno, readTrace(path), { ...line, ...step });
}

/** A file, and a step of it after a colon. */
function placeIn(named: string): { readonly path: string; readonly step: Pick<WhyLine, 'step'> } {
  const [, path = named, number] = existsSync(named) ? [] : (/^(.*):(\d+)$/.exec(named) ?? []);
  return { path, step: number === undefined ? {} : { step: number } };
}
