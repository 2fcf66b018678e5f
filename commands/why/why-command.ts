import type { Command } from 'commander';
import { readText } from '../../conformance/files.ts';
import type { CommandLine } from '../line/command-line.ts';
import type { WhyLine } from './why-job.ts';
import { whyRefused } from './why-job.ts';

export function declareWhy({ subcommand, finish }: CommandLine): void {
  subcommand('why <errno> <trace>', 'which return site refused a step of a saved or written sequence')
    .option('--step <n>', 'that step (default: the first that answers so)')
    .option('--undo <calls>', 'calls that are taken back, at the most', '3')
    .action((errno: string, path: string, line: WhyLine, command: Command) =>
      finish(command, whyRefused(errno, { path, text: readText(path) }, line)),
    );
}
