import type { Command } from 'commander';
import { oneOf, wholeNumber } from '../../model/core/input-value.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { NO_SAVE, SAVE } from '../line/option-texts.ts';
import { shardNamed } from '../shard/run-shard.ts';

/** As the command line gives them. */
interface KernelLine {
  readonly runs: string;
  readonly seed: string;
  readonly from: string;
  readonly shard: string;
  readonly profile?: string;
}

const SETUP = 'setup';

export function declareKernel({ subcommand, finish }: CommandLine): void {
  subcommand('kernel <kernel> [trace...]', 'run histories on a real kernel, and compare it with the model')
    .option('--runs <n>', 'histories to draw and run', '50')
    .option('--seed <n>', 'seed of what is drawn, or random', '1')
    .option('--from <n>', 'begin with this history of the seed: to resume', '0')
    .option('--shard <i/n>', 'run the i-th of n parts of the histories alone', '1/1')
    .option(
      '--profile <profile>',
      'compare with this profile instead, as --kernel of other commands names it',
    )
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .action((kernel: string, files: string[], own: KernelLine, command: Command) => {
      const { seed = own.seed } = command.optsWithGlobals<{ seed?: string }>();
      return finish(command, kernel === SETUP ? setup(files) : comparison(kernel, files, { ...own, seed }));
    });
}

async function setup(named: readonly string[]): Promise<CommandWork> {
  const [{ RELEASES }, { setUpKernels }] = await Promise.all([
    import('../../kernels/releases.ts'),
    import('./set-up.ts'),
  ]);
  const all = RELEASES.map(({ kernel }) => kernel);
  return setUpKernels(named.length > 0 ? named.map((name) => oneOf(name, all, 'setup')) : all);
}

async function comparison(named: string, files: readonly string[], line: KernelLine): Promise<CommandWork> {
  const [{ RELEASES }, { seedOf }] = await Promise.all([
    import('../../kernels/releases.ts'),
    import('../line/options.ts'),
  ]);
  const kernel = oneOf(
    named,
    RELEASES.map((release) => release.kernel),
    'kernel',
  );
  if (files.length > 0) return traces(kernel, files);
  const { compareHistories } = await import('./compare-histories.ts');
  return compareHistories({
    kernel,
    profile: line.profile ?? kernel,
    seed: seedOf(line.seed),
    runs: wholeNumber(line.runs, '--runs', 1e6),
    from: wholeNumber(line.from, '--from', 1e6),
    shard: shardNamed(line.shard),
  });
}

async function traces(kernel: KernelVersion, files: readonly string[]): Promise<CommandWork> {
  const [{ readTrace }, { runTraces }] = await Promise.all([
    import('../line/read-trace.ts'),
    import('./run-traces.ts'),
  ]);
  return runTraces(kernel, files.map(readTrace));
}
