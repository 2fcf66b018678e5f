import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { VERDICT_FORMATS, withFormats } from '../line/format.ts';
import { recording } from '../line/project.ts';

export function declareSequences({ subcommand, finish }: CommandLine): void {
  withFormats(
    subcommand(
      'sequences [file...]',
      "replay recorded attach sequences in the model (default: the project's recordings)",
    ),
    VERDICT_FORMATS,
  )
    .option('--verbose', 'print every operation with how often it was replayed, and every difference')
    .action((files: string[], _options: unknown, command: Command) =>
      finish(command, answer(files.length > 0 ? files : [recording('sequences.jsonl.gz')])),
    );
}

async function answer(files: readonly string[]): Promise<CommandWork> {
  const { sequencesJob } = await import('./sequences.ts');
  return sequencesJob(files);
}
