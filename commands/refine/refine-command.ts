import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { VERDICT_FORMATS, withFormats } from '../line/format.ts';
import { NO_SAVE, SAVE } from '../line/option-texts.ts';
import type { RefineLine } from './refine.ts';

export function declareRefine({ subcommand, finish }: CommandLine): void {
  withFormats(
    subcommand(
      'refine [design...]',
      'check whether one design of multi links behaves as another on every short history',
    ),
    VERDICT_FORMATS,
  )
    .option('--operations <n>', 'maximum number of operations of a history', '4')
    .option('--all', 'compare every design with every other')
    .option('--workers <n>', 'number of threads of --all; the result does not depend on it', '2')
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .action((of: string[], line: RefineLine, command: Command) => finish(command, answer(of, line)));
}

async function answer(designs: readonly string[], line: RefineLine): Promise<CommandWork> {
  const { refineCommand } = await import('./refine.ts');
  return refineCommand(designs, line);
}
