import type { Command } from 'commander';
import { readText } from '../../conformance/files.ts';
import { clientsFor, designOptions } from '../compare/compare-options.ts';
import type { CommandLine } from '../line/command-line.ts';
import { withFormats } from '../line/format.ts';
import type { ListComparison } from './cost-answer.ts';
import { costJob } from './cost-answer.ts';
import { functionList } from './function-file.ts';

/** The options of `cost`, as the command line gives them. */
export interface CostLine {
  readonly functions?: string;
  readonly names?: string;
  readonly verbose?: boolean;
  readonly kernel?: string;
  readonly designs?: string;
}

export function declareCost({ subcommand, finish }: CommandLine): void {
  withFormats(
    designOptions(
      subcommand('cost <file>', 'count the cost of mass-attach designs for the functions of a list'),
    ),
  )
    .option('--functions <globs>', "only functions whose names match: 'vfs_*,tcp_*'")
    .option(
      '--names <list>',
      'only functions that a file lists, one per line: available_filter_functions, kallsyms',
    )
    .option('--verbose', 'name every refused function')
    .action((file: string, _options: unknown, command: Command) =>
      finish(command, costJob(listFor(file, command.optsWithGlobals()))),
    );
}

/** The functions `cost` compares: those of a file, or those that `--functions` chooses. */
export function listFor(file: string, { functions, names, verbose, ...whose }: CostLine): ListComparison {
  const read = (path: string) => ({ path, text: readText(path) });
  const list = functionList(read(file), names === undefined ? undefined : read(names), functions);
  return {
    file: names ?? file,
    ...list,
    clients: clientsFor(whose),
    verbose: verbose ?? false,
  };
}
