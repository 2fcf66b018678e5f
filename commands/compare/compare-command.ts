import type { Command } from 'commander';
import { Option } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { ROW_FORMATS, withFormats } from '../line/format.ts';
import { HTML } from '../line/option-texts.ts';
import { recording } from '../line/project.ts';
import type { CompareLine } from './compare-options.ts';

/** The numbers of functions when none are named. */
const NUMBERS = '1,38,1000';

export function declareCompare({ subcommand, finish }: CommandLine): void {
  withFormats(
    designOptions(subcommand('compare', 'compare the cost of mass-attach designs: attach, detach, one hit')),
    ROW_FORMATS,
  )
    .option('--n <numbers>', 'numbers of functions (comma-separated)', NUMBERS)
    .addOption(
      new Option(
        '--names <list>',
        'number of functions in a list, one per line: available_filter_functions, kallsyms',
      ).conflicts('n'),
    )
    .option('--html <file>', HTML)
    .action((_options: unknown, command: Command) => finish(command, answer(command.optsWithGlobals())));
}

async function answer(line: CompareLine): Promise<CommandWork> {
  const [{ comparisonFor }, { compareInWorkers, compareJob }, { designWorkers }] = await Promise.all([
    import('./compare-options.ts'),
    import('./compare-job.ts'),
    import('./design-pool.ts'),
  ]);
  const files = { hits: recording('hits.jsonl'), benchmarkHits: recording('benchmark-hits.jsonl') };
  const comparison = comparisonFor(line, files);
  const workers = designWorkers(comparison.clients.length, Math.max(...comparison.numbers));
  return workers === 0 ? compareJob(comparison) : compareInWorkers(comparison, workers);
}

/** The options that say which designs, and on which kernel. */
export function designOptions(command: Command): Command {
  return command
    .option('--kernel <profile>', 'run all designs on this kernel (default: 6.12 where supported)')
    .option('--designs <names>', "only these designs: 'single links, tracing multi'");
}
