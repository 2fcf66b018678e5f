import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';

interface BundleLine {
  readonly out: string;
  readonly kernel?: string;
  readonly tree?: string;
}

export function declareBundle({ subcommand, finish }: CommandLine): void {
  subcommand('bundle <trace>', 'write a breach of a real kernel as a module that shows it, for a report')
    .requiredOption('--out <folder>', 'where it goes: a folder that is empty or not there')
    .option('--kernel <version>', 'the kernel that it is for (default: that of the tree, or of the trace)')
    .option('--tree <folder>', 'build it against this kernel, boot that, and keep what the console says')
    .action((path: string, line: BundleLine, command: Command) => finish(command, workOf(path, line)));
}

async function workOf(path: string, { out, kernel, tree }: BundleLine): Promise<CommandWork> {
  const [{ bundleJob }, { readTrace }, { ownKernel }, { nearestProfile }] = await Promise.all([
    import('./bundle.ts'),
    import('../line/read-trace.ts'),
    import('../../kernels/own/tree.ts'),
    import('../../kernels/own/nearest.ts'),
  ]);
  const own = tree === undefined ? undefined : ownKernel({ tree });
  const version = kernel ?? (own === undefined ? undefined : nearestProfile(own.release));
  return bundleJob(readTrace(path), { out, version, own });
}
