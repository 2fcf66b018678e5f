import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { VERDICT_FORMATS, withFormats } from '../line/format.ts';
import { NO_SAVE, SAVE, SHARD, SHARD_FILE } from '../line/option-texts.ts';
import type { ShardOptions } from '../shard/run-shard.ts';
import type { ExportOptions } from '../timeline/exports.ts';
import { exportedBreach } from '../timeline/exports.ts';
import type { RefineLine } from './refine.ts';

export function declareRefine({ subcommand, finish, argv }: CommandLine): void {
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
    .option('--shard <i/n>', SHARD)
    .option('--shard-file <file>', SHARD_FILE)
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .option(
      '--html <file>',
      'write the difference as a page, on which it can be walked through, to this file',
    )
    .action((of: string[], { html, ...line }: RefineLine & ShardOptions & ExportOptions, command: Command) =>
      finish(
        command,
        exportedBreach(() => answer(of, line, argv), html === undefined ? {} : { html }),
      ),
    );
}

async function answer(
  designs: readonly string[],
  line: RefineLine & ShardOptions,
  argv: readonly string[],
): Promise<CommandWork> {
  const { refineCommand, requireAll } = await import('./refine.ts');
  const { shard } = line;
  if (shard === undefined) return refineCommand(designs, line);
  requireAll(designs, line);
  const { shardJob } = await import('../shard/shard-job.ts');
  return shardJob({ ...line, shard }, { is: 'refine', line }, argv);
}
