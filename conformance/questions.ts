import { join } from 'node:path';
import type { Command } from 'commander';
import type { Answer, Job } from '../counterexamples/answer.ts';
import { matrixJob, matrixQuestion } from './matrix/matrix-job.ts';

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

/** The commands that answer a question of who attaches: may these two share a function? */
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
}
