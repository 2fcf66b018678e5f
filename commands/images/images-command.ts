import type { Command } from 'commander';
import type { CommandLine } from '../line/command-line.ts';
import { recording } from '../line/project.ts';
import { imagesJob } from './recordings.ts';

export function declareImages({ subcommand, finish }: CommandLine): void {
  subcommand(
    'images [file...]',
    "compare recorded images, calls and refusals with the model (default: the project's recordings)",
  )
    .option('--verbose', 'print every known bug that was met, and what was not decided')
    .action((files: string[], _options: unknown, command: Command) =>
      finish(command, imagesJob(files.length > 0 ? files : [recording('trampolines.jsonl.gz')])),
    );
}
