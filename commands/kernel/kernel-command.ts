import type { Command } from 'commander';
import type { RunsHistories } from '../../kernels/loop/tested-kernel.ts';
import type { NamedKernel } from '../../kernels/own/tree.ts';
import { InputError } from '../../model/core/input-error.ts';
import { oneOf } from '../../model/core/input-value.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { givenSeed } from '../line/given-seed.ts';
import { NO_SAVE, SAVE, SHARD, SHARD_FILE } from '../line/option-texts.ts';
import type { ShardOptions } from '../shard/run-shard.ts';
import { shardNamed } from '../shard/run-shard.ts';
import type { DrawnLine } from './compared-job.ts';

/** As the command line gives them. */
interface KernelLine extends DrawnLine, ShardOptions {
  readonly tree?: string;
  readonly image?: string;
  readonly headers?: string;
  readonly known?: true;
  readonly schedule?: true;
}

const SETUP = 'setup';

export function declareKernel({ subcommand, finish, argv }: CommandLine): void {
  subcommand('kernel [kernel] [trace...]', 'run histories on a real kernel, and compare it with the model')
    .option('--tree <folder>', 'your own kernel, built there: judged by the contract (docs/your-kernel.md)')
    .option('--image <file>', 'the same of an image, with --headers')
    .option('--headers <folder>', 'what its modules are built against')
    .option('--runs <n>', 'histories to draw and run', '50')
    .option('--seed <n>', 'seed of what is drawn, or random', '1')
    .option('--from <n>', 'begin with this history of the seed: to resume', '0')
    .option('--shard <i/n>', `${SHARD}; of your own kernel it writes none`)
    .option('--shard-file <file>', SHARD_FILE)
    .option(
      '--profile <profile>',
      'compare with this profile instead, as --kernel of other commands names it',
    )
    .option(
      '--trace-all',
      'an ops without a filter traces all functions of the kernel, not those of a history alone: slower',
    )
    .option('--near', 'draw histories near the examples of the listed breaches (help near), and no others')
    .option(
      '--known',
      'run the examples of the listed breaches instead, and compare the kernel with the model',
    )
    .option(
      '--schedule',
      'traces are saved interleavings: stop the tasks of the kernel where each says; without a file, all listed ones',
    )
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .action((kernel: string | undefined, files: string[], own: KernelLine, command: Command) =>
      finish(command, workOf(kernel, files, { ...own, seed: givenSeed(command, own) }, argv)),
    );
}

async function workOf(
  kernel: string | undefined,
  files: readonly string[],
  line: KernelLine,
  argv: readonly string[],
): Promise<CommandWork> {
  const isOwn = [line.tree, line.image, line.headers].some((option) => option !== undefined);
  const all = isOwn && kernel !== undefined ? [kernel, ...files] : files;
  if (line.near === true) {
    const { requireDrawn } = await import('./compared-job.ts');
    requireDrawn('--near', isOwn ? '' : (kernel ?? ''), all, line);
  }
  if (isOwn) return ownKernelWork(all, line);
  if (line.shard !== undefined) return sharded(kernel ?? '', files, { ...line, shard: line.shard }, argv);
  if (kernel === SETUP) return setup(files);
  return comparison(kernel ?? '', files, line);
}

async function ownKernelWork(files: readonly string[], line: KernelLine): Promise<CommandWork> {
  const [{ judgeFiles, judgeOwn }, { ownKernel }, { nearestProfile }, { readTrace }, { drawnOf }] =
    await Promise.all([
      import('./judge-own.ts'),
      import('../../kernels/own/tree.ts'),
      import('../../kernels/own/nearest.ts'),
      import('../line/read-trace.ts'),
      import('./compared-job.ts'),
    ]);
  if (line.shardFile !== undefined)
    throw new InputError(
      '--shard-file is of kernels that were set up: shards of your own kernel are not merged',
    );
  const named = namedKernel(line);
  const kernel = ownKernel(named);
  const nearest = nearestProfile(kernel.release);
  if (line.schedule === true) {
    const { listedSchedules, schedulesOnOwn } = await import('./run-schedules.ts');
    return schedulesOnOwn(
      kernel,
      nearest,
      files.length > 0 ? files.map(readTrace) : listedSchedules(nearest),
    );
  }
  const run = {
    named,
    kernel,
    profile: line.profile ?? nearest,
    ...drawnOf(line),
    shard: shardNamed(line.shard ?? '1/1'),
  };
  return files.length > 0 ? judgeFiles(run, kernel, files.map(readTrace)) : judgeOwn(run, kernel);
}

function namedKernel({ tree, image, headers }: KernelLine): NamedKernel {
  if (tree !== undefined && image === undefined && headers === undefined) return { tree };
  if (tree === undefined && image !== undefined && headers !== undefined) return { image, headers };
  throw new InputError('your own kernel is --tree FOLDER, or --image FILE with --headers FOLDER');
}

async function setup(named: readonly string[]): Promise<CommandWork> {
  const [{ RELEASES }, { setUpKernels }] = await Promise.all([
    import('../../kernels/releases.ts'),
    import('./set-up.ts'),
  ]);
  const all = RELEASES.map(({ kernel }) => kernel);
  return setUpKernels(named.length > 0 ? named.map((name) => oneOf(name, all, 'setup')) : all);
}

async function comparison(name: string, files: readonly string[], line: KernelLine): Promise<CommandWork> {
  const { comparedJob, drawnOf, MACHINES, releasedKernel } = await import('./compared-job.ts');
  const kernel = releasedKernel(name);
  if (line.schedule === true) return schedules(kernel, files);
  if (files.length === 0 && line.known !== true) return comparedJob({ ...line, kernel });
  const tested = MACHINES.of({ kernel, ...drawnOf(line) });
  if (files.length > 0) return traces(kernel, files, tested);
  const { knownOnKernel } = await import('./known-breaches.ts');
  return knownOnKernel(kernel, tested);
}

async function sharded(
  name: string,
  files: readonly string[],
  line: KernelLine & { readonly shard: string },
  argv: readonly string[],
): Promise<CommandWork> {
  const [{ releasedKernel, requireDrawn }, { shardJob }] = await Promise.all([
    import('./compared-job.ts'),
    import('../shard/shard-job.ts'),
  ]);
  requireDrawn('--shard', name, files, line);
  return shardJob(line, { is: 'kernel', line: { ...line, kernel: releasedKernel(name) } }, argv);
}

async function traces(
  kernel: RecordedVersion,
  files: readonly string[],
  tested: RunsHistories,
): Promise<CommandWork> {
  const [{ readTrace }, { runTraces }] = await Promise.all([
    import('../line/read-trace.ts'),
    import('./run-traces.ts'),
  ]);
  return runTraces(kernel, files.map(readTrace), tested);
}

async function schedules(kernel: RecordedVersion, files: readonly string[]): Promise<CommandWork> {
  const [{ readTrace }, { listedSchedules, schedulesOn }] = await Promise.all([
    import('../line/read-trace.ts'),
    import('./run-schedules.ts'),
  ]);
  return schedulesOn(kernel, files.length > 0 ? files.map(readTrace) : listedSchedules(kernel));
}
