import type { Command } from 'commander';
import type { CommandLine } from '../line/command-line.ts';
import { readTrace } from '../line/read-trace.ts';
import { replayFiles } from './replay.ts';

export function declareReplay({ subcommand, finish }: CommandLine): void {
  subcommand('replay <file...>', 'replay saved counterexamples').action(
    (files: string[], _options: unknown, command: Command) =>
      finish(command, replayFiles(files.map(readTrace))),
  );
}
