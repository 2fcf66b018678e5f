import type { Command } from 'commander';
import { readText } from '../../conformance/files.ts';
import type { CommandLine } from '../line/command-line.ts';
import { replayFiles } from './replay.ts';

export function declareReplay({ subcommand, finish }: CommandLine): void {
  subcommand('replay <file...>', 'do what saved counterexamples say once more').action(
    (files: string[], _options: unknown, command: Command) =>
      finish(command, replayFiles(files.map((path) => ({ path, text: readText(path) })))),
  );
}
