import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { VERDICT_FORMATS, withFormats } from '../line/format.ts';
import { prepareWorkers } from '../line/idle-workers.ts';
import { NO_SAVE, SAVE, SHARD, SHARD_FILE, VERBOSE } from '../line/option-texts.ts';
import { threadsBeside } from '../line/threads.ts';
import type { ShardOptions } from '../shard/run-shard.ts';
import type { ExportOptions } from '../timeline/exports.ts';
import { exportedBreach, withExports } from '../timeline/exports.ts';
import type { ExploreLine } from './explore-options.ts';
import { EXPLORE_WORKER } from './explore-start.ts';

export function declareExplore({ subcommand, finish, argv }: CommandLine): void {
  const explore = subcommand('explore [file]', 'explore every interleaving of operations and calls');
  withFormats(withExports(exploreOptions(explore)), VERDICT_FORMATS).action(
    (file: string | undefined, own: Partial<ExploreLine> & ExportOptions, command: Command) => {
      const all: ExploreLine & ShardOptions = command.optsWithGlobals();
      return finish(
        command,
        exportedBreach(() => answer({ ...all, seed: own.seed ?? all.seed }, file, argv), own),
      );
    },
  );
}

/** The options of the command line. */
function exploreOptions(command: Command): Command {
  return command
    .option('--kernel <profile>', 'only this kernel, overriding the file')
    .option('--cpus <n>', 'CPUs (default: 1)')
    .option('--tasks <n>', 'number of tasks that call the function (default: 3)')
    .option(
      '--operations <n>',
      'number of operations: 2 (two clients) or 3 (two or three clients) (default: 2)',
    )
    .option('--only <operations>', "only scenarios with these operations: 'attach f1, detach f1'")
    .option('--depth <n>', 'maximum number of steps from the start')
    .option('--states <n>', 'maximum number of states of each scenario')
    .option('--preemptions <n>', 'only schedules with at most this many preemptive switches')
    .option('--max-time <seconds>', 'stop after this time and report coverage')
    .option('--workers <n>', 'number of threads; the result does not depend on it', '1')
    .option('--planted <name>', 'plant a bug and search for a breach of its law')
    .option('--law <names>', 'check only these laws (comma-separated)')
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .option('--verbose', VERBOSE)
    .option('--checkpoint <file>', 'save progress to this file')
    .option('--resume <file>', 'resume from a checkpoint')
    .option('--shard <i/n>', SHARD)
    .option('--shard-file <file>', SHARD_FILE)
    .option('--random <n>', 'instead draw this many scenarios for each kernel, with random schedules')
    .option('--schedules <n>', 'number of random schedules for each scenario of --random (default: 20)')
    .option('--seed <n>', 'seed of --random, or "random"');
}

async function answer(
  line: ExploreLine & ShardOptions,
  file: string | undefined,
  argv: readonly string[],
): Promise<CommandWork> {
  // They start while this thread finds out what there is to explore, on the other cores.
  if (line.random === undefined)
    prepareWorkers(EXPLORE_WORKER, Math.min(Number(line.workers), threadsBeside()));
  const { exploreJob, requireShards } = await import('./explore-job.ts');
  const { shard } = line;
  if (shard === undefined) return exploreJob(line, file);
  requireShards(line, file);
  const { shardJob } = await import('../shard/shard-job.ts');
  return shardJob({ ...line, shard }, { is: 'explore', line }, argv);
}
