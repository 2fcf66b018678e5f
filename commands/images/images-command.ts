import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { VERDICT_FORMATS, withFormats } from '../line/format.ts';
import { recording } from '../line/project.ts';

export function declareImages({ subcommand, finish }: CommandLine): void {
  withFormats(
    subcommand(
      'images [file...]',
      "compare recorded images, calls and refusals with the model (default: the project's recordings)",
    ),
    VERDICT_FORMATS,
  )
    .option('--verbose', 'print every known bug that was met, and what was not decided')
    .action((files: string[], _options: unknown, command: Command) =>
      finish(command, answer(files.length > 0 ? files : [recording('trampolines.jsonl.gz')])),
    );
}

async function answer(files: readonly string[]): Promise<CommandWork> {
  const { imagesJob } = await import('./recordings.ts');
  return imagesJob(files);
}
