import type { Command } from 'commander';
import type { CommandLine } from '../line/command-line.ts';
import { recording } from '../line/project.ts';
import { sequencesJob } from './sequences.ts';

export function declareSequences({ subcommand, finish }: CommandLine): void {
  subcommand(
    'sequences [file...]',
    "replay recorded attach sequences in the model (default: the project's recordings)",
  )
    .option('--verbose', 'print every operation with how often it was replayed, and every difference')
    .action((files: string[], _options: unknown, command: Command) =>
      finish(command, sequencesJob(files.length > 0 ? files : [recording('sequences.jsonl.gz')])),
    );
}
