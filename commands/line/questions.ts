import { join } from 'node:path';
import type { Command } from 'commander';
import { readText } from '../../conformance/files.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { matrixJob, matrixQuestion } from '../matrix/matrix-job.ts';
import { stubsCommand } from '../stubs/stubs-command.ts';
import type { WhyLine } from '../why/why-job.ts';
import { whyRefused } from '../why/why-job.ts';

/** The command line, as far as a command that answers a question needs it. */
export interface CommandLine {
  readonly subcommand: (usage: string, description: string) => Command;
  /** Works a command off. */
  readonly finish: (command: Command, work: Job | Answer) => Promise<void>;
  /** The folder of the project's recordings. */
  readonly recordings: string;
}

/** Recorded sequences of attaching and detaching. */
const SEQUENCES = ['sequences', 'asked-sequences', 'pairs'];

/** The commands that answer a question of who attaches: may these two share a function, why was this call refused, what is
 * a raw tracepoint's stub? */
export function addQuestions({ subcommand, finish, recordings }: CommandLine): void {
  const files = SEQUENCES.map((name) => join(recordings, `${name}.jsonl.gz`));
  subcommand(
    'matrix [mechanism...]',
    'which mechanisms may share a function, in which order: all pairs, or two',
  )
    .option('--kernel <profile>', "in one kernel only: '6.12', or '6.12, multiLinks = global'")
    .option('--planted <name>', 'plant a bug')
    .action((of: string[], _line: unknown, command: Command) =>
      finish(command, matrixJob(matrixQuestion(of, command.optsWithGlobals(), files))),
    );

  subcommand('why <errno> <trace>', 'which return site refused a step of a saved or written sequence')
    .option('--step <n>', 'that step (default: the first that answers so)')
    .option('--undo <calls>', 'calls that are taken back, at the most', '3')
    .action((errno: string, path: string, line: WhyLine, command: Command) =>
      finish(command, whyRefused(errno, { path, text: readText(path) }, line)),
    );

  subcommand(
    'stubs [types]',
    "the stubs of raw tracepoints of three kernels, or of one prototype: 'ptr, ptr, u32'",
  )
    .option('--law <names>', 'hold these laws only (comma-separated)')
    .option('--planted <name>', 'plant a bug, and search for the smallest prototype that shows it')
    .action((types: string | undefined, _line: unknown, command: Command) =>
      finish(command, stubsCommand(types, command.optsWithGlobals(), join(recordings, 'stubs.jsonl.gz'))),
    );
}
