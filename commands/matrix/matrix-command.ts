import type { Command } from 'commander';
import type { CommandLine } from '../line/command-line.ts';
import { withFormats } from '../line/format.ts';
import { recording } from '../line/project.ts';
import { matrixJob, matrixQuestion } from './matrix-job.ts';

/** Recorded sequences of attaching and detaching. */
const RECORDED = ['sequences.jsonl.gz', 'asked-sequences.jsonl.gz', 'pairs.jsonl.gz'];

export function declareMatrix({ subcommand, finish }: CommandLine): void {
  withFormats(
    subcommand(
      'matrix [mechanism...]',
      'show which mechanisms can share a function, and in which order: all pairs, or one',
    ),
  )
    .option('--kernel <profile>', "only in this kernel: '6.12', or '6.12, multiLinks = global'")
    .option('--planted <name>', 'plant a bug')
    .action((of: string[], _line: unknown, command: Command) =>
      finish(command, matrixJob(matrixQuestion(of, command.optsWithGlobals(), RECORDED.map(recording)))),
    );
}
