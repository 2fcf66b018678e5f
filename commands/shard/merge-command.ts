import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { VERDICT_FORMATS, withFormats } from '../line/format.ts';
import { NO_SAVE, SAVE, VERBOSE } from '../line/option-texts.ts';
import type { OutputOptions } from '../line/printer.ts';

export function declareMerge({ subcommand, finish }: CommandLine): void {
  withFormats(
    subcommand('merge <file...>', 'print the result of a run from what its shards have written'),
    VERDICT_FORMATS,
  )
    .option('--verbose', VERBOSE)
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .action((paths: readonly string[], output: OutputOptions, command: Command) =>
      finish(command, answer(paths, output)),
    );
}

async function answer(paths: readonly string[], output: OutputOptions): Promise<CommandWork> {
  const { mergeJob } = await import('./merge.ts');
  return mergeJob(paths, output);
}
