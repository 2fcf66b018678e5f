import type { Command } from 'commander';
import { ARCHES } from '../../model/abi/arch.ts';
import { BOOTS, KERNELS } from '../../model/core/profile.ts';
import type { CommandLine } from '../line/command-line.ts';
import type { AbiLine } from './abi-command.ts';
import { abiCommand } from './abi-command.ts';

export function declareAbi({ subcommand, finish }: CommandLine): void {
  abiOptions(
    subcommand('abi', 'where arguments lie and who may share an image; with --kinds, one attach combination'),
  ).action((options: AbiLine, command: Command) => finish(command, abiCommand(options)));
}

/** The options of `abi`: functions, an architecture, and either programs or a search. */
function abiOptions(command: Command): Command {
  const functions = command
    .option('--sig <types>', "signature: 'u64 x9, s16b, u32 -> u64'; may be given again", collect)
    .option('--sigs <file>', "more functions, one on a line: 'vfs_read: ptr x2, u64, ptr -> s64'")
    .option('--arch <name>', ARCHES.join(', '), 'x86-64')
    .option('--kinds <programs>', 'programs in order of attachment: the verdict, the frame, the listing');
  return surroundings(functions)
    .option('--law <names>', 'without a signature: hold these laws only (comma-separated)')
    .option('--planted <name>', 'plant a bug, and search for the breach of its law')
    .option('--cases <n>', 'sets of functions to draw', '4000')
    .option('--seed <n>', 'seed of the drawing, or "random"', '1');
}

/** An option that may be given several times. */
function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** The options that describe an attach combination. */
export function combination(command: Command): Command {
  const programs = command
    .requiredOption('--sig <types>', "signature: 'u64 x9, s16b, u32 -> u64'")
    .requiredOption(
      '--kinds <programs>',
      "programs in order of attachment: 'fentry, fexit cookie=0x1 get_func_ip'",
    );
  return surroundings(programs);
}

/** What stands around an attach combination. */
function surroundings(command: Command): Command {
  return command
    .option('--kernel <version>', KERNELS.join(', '), '7.2')
    .option('--boot <name>', BOOTS.join(', '), 'default')
    .option('--ibt', 'the function starts with endbr64 (default: as the kernel was recorded)')
    .option('--no-ibt', 'it does not')
    .option('--live-patch', 'a live patch redirects the function before anything is attached')
    .option('--tail-calls', 'the target is a BPF program that may make tail calls');
}
