import type { Command } from 'commander';
import { designOptions } from '../compare/compare-command.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { ROW_FORMATS, withFormats } from '../line/format.ts';
import type { CostLine } from './cost-options.ts';

export function declareCost({ subcommand, finish }: CommandLine): void {
  withFormats(
    designOptions(
      subcommand('cost <file>', 'count the cost of mass-attach designs for the functions of a list'),
    ),
    ROW_FORMATS,
  )
    .option('--functions <globs>', "only functions whose names match: 'vfs_*,tcp_*'")
    .option(
      '--names <list>',
      'only functions that a file lists, one per line: available_filter_functions, kallsyms',
    )
    .option('--verbose', 'name every refused function')
    .action((file: string, _options: unknown, command: Command) =>
      finish(command, answer(file, command.optsWithGlobals())),
    );
}

async function answer(file: string, line: CostLine): Promise<CommandWork> {
  const [{ listFor }, { costInWorkers, costJob }, { designWorkers }] = await Promise.all([
    import('./cost-options.ts'),
    import('./cost-answer.ts'),
    import('../compare/design-pool.ts'),
  ]);
  const comparison = listFor(file, line);
  const workers = designWorkers(comparison.clients.length, comparison.functions.length);
  return workers === 0 ? costJob(comparison) : costInWorkers(comparison, workers);
}
