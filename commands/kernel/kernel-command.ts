import type { Command } from 'commander';
import type { TracedScope } from '../../kernels/boot/new-guests.ts';
import type { RunsHistories } from '../../kernels/loop/tested-kernel.ts';
import type { NamedKernel } from '../../kernels/own/tree.ts';
import { InputError } from '../../model/core/input-error.ts';
import { oneOf, wholeNumber } from '../../model/core/input-value.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { givenSeed } from '../line/given-seed.ts';
import { NO_SAVE, SAVE } from '../line/option-texts.ts';
import { shardNamed } from '../shard/run-shard.ts';

/** As the command line gives them. */
interface KernelLine {
  readonly runs: string;
  readonly seed: string;
  readonly from: string;
  readonly shard: string;
  readonly profile?: string;
  readonly tree?: string;
  readonly image?: string;
  readonly headers?: string;
  readonly traceAll?: true;
  readonly known?: true;
  readonly schedule?: true;
}

const SETUP = 'setup';

export function declareKernel({ subcommand, finish }: CommandLine): void {
  subcommand('kernel [kernel] [trace...]', 'run histories on a real kernel, and compare it with the model')
    .option('--tree <folder>', 'your own kernel, built there: judged by the contract (docs/your-kernel.md)')
    .option('--image <file>', 'the same of an image, with --headers')
    .option('--headers <folder>', 'what its modules are built against')
    .option('--runs <n>', 'histories to draw and run', '50')
    .option('--seed <n>', 'seed of what is drawn, or random', '1')
    .option('--from <n>', 'begin with this history of the seed: to resume', '0')
    .option('--shard <i/n>', 'run the i-th of n parts of the histories alone', '1/1')
    .option(
      '--profile <profile>',
      'compare with this profile instead, as --kernel of other commands names it',
    )
    .option(
      '--trace-all',
      'an ops without a filter traces all functions of the kernel, not those of a history alone: slower',
    )
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
      finish(command, workOf(kernel, files, { ...own, seed: givenSeed(command, own) })),
    );
}

function workOf(
  kernel: string | undefined,
  files: readonly string[],
  line: KernelLine,
): Promise<CommandWork> {
  if ([line.tree, line.image, line.headers].some((option) => option !== undefined))
    return ownKernelWork(kernel === undefined ? files : [kernel, ...files], line);
  if (kernel === SETUP) return setup(files);
  return comparison(kernel ?? '', files, line);
}

async function ownKernelWork(files: readonly string[], line: KernelLine): Promise<CommandWork> {
  const [{ judgeFiles, judgeOwn }, { ownKernel }, { nearestProfile }, { readTrace }, { seedOf }] =
    await Promise.all([
      import('./judge-own.ts'),
      import('../../kernels/own/tree.ts'),
      import('../../kernels/own/nearest.ts'),
      import('../line/read-trace.ts'),
      import('../line/options.ts'),
    ]);
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
  const run = { named, kernel, profile: line.profile ?? nearest, seed: seedOf(line.seed), ...drawnOf(line) };
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
  if (line.schedule === true) return schedules(kernel, files);
  const run = { kernel, profile: line.profile ?? kernel, seed: seedOf(line.seed), ...drawnOf(line) };
  const tested = await comparedKernel(kernel, run.scope);
  if (files.length > 0) return traces(kernel, files, tested);
  if (line.known === true) {
    const { knownOnKernel } = await import('./known-breaches.ts');
    return knownOnKernel(kernel, tested);
  }
  const { compareHistories } = await import('./compare-histories.ts');
  return compareHistories(run, tested);
}

/** Which histories are drawn, and what they are run with. */
function drawnOf(line: KernelLine) {
  return {
    runs: wholeNumber(line.runs, '--runs', 1e6),
    from: wholeNumber(line.from, '--from', 1e6),
    shard: shardNamed(line.shard),
    scope: scopeOf(line),
  };
}

function scopeOf({ traceAll }: KernelLine): TracedScope {
  return traceAll === true ? 'all functions' : 'bound functions';
}

async function comparedKernel(kernel: RecordedVersion, scope: TracedScope): Promise<RunsHistories> {
  const [{ COMPARING, TestedKernel }, { readyKernel }] = await Promise.all([
    import('../../kernels/loop/tested-kernel.ts'),
    import('../../kernels/ready.ts'),
  ]);
  return new TestedKernel(readyKernel(kernel), COMPARING, scope);
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
