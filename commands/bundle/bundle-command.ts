import type { Command } from 'commander';
import type { ModuleHost } from '../../kernels/own/run-module.ts';
import { InputError } from '../../model/core/input-error.ts';
import { oneOf } from '../../model/core/input-value.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';

interface BundleLine {
  readonly out: string;
  readonly kernel?: string;
  readonly tree?: string;
  readonly on?: string;
}

export function declareBundle({ subcommand, finish }: CommandLine): void {
  subcommand('bundle <trace>', 'write a breach of a real kernel as a module that shows it, for a report')
    .requiredOption('--out <folder>', 'where it goes: a folder that is empty or not there')
    .option('--kernel <version>', 'the kernel that it is for (default: that of the tree, or of the trace)')
    .option('--tree <folder>', 'build it against this kernel, boot that, and keep what the console says')
    .option('--on <version>', 'the same on a recorded kernel, whose packages are fetched for it')
    .action((path: string, line: BundleLine, command: Command) => finish(command, workOf(path, line)));
}

async function workOf(path: string, { out, kernel, tree, on }: BundleLine): Promise<CommandWork> {
  const [{ bundleJob }, { readTrace }, { nearestProfile }] = await Promise.all([
    import('./bundle.ts'),
    import('../line/read-trace.ts'),
    import('../../kernels/own/nearest.ts'),
  ]);
  const host = await hostOf(tree, on);
  const version = kernel ?? (host === undefined ? undefined : nearestProfile(host.release));
  return bundleJob(readTrace(path), { out, version, host });
}

async function hostOf(tree: string | undefined, on: string | undefined): Promise<ModuleHost | undefined> {
  if (tree !== undefined && on !== undefined)
    throw new InputError('--tree and --on name two kernels: a bundle is tried on one');
  if (tree !== undefined) {
    const [{ ownHost }, { ownKernel }] = await Promise.all([
      import('../../kernels/own/run-module.ts'),
      import('../../kernels/own/tree.ts'),
    ]);
    return ownHost(ownKernel({ tree }));
  }
  if (on === undefined) return undefined;
  const [{ recordedHost }, { releaseOf }, { RECORDED_KERNELS }] = await Promise.all([
    import('../../kernels/setup/recorded-host.ts'),
    import('../../kernels/releases.ts'),
    import('../../model/core/profile.ts'),
  ]);
  return recordedHost(releaseOf(oneOf(on, RECORDED_KERNELS, '--on')));
}
