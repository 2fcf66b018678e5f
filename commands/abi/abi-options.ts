import type { Command } from 'commander';
import { ARCHES } from '../../model/abi/arch.ts';
import { BOOTS, KERNELS } from '../../model/core/profile.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { HTML } from '../line/option-texts.ts';
import type { AbiLine } from './abi-command.ts';

export function declareAbi({ subcommand, finish }: CommandLine): void {
  abiOptions(
    subcommand(
      'abi',
      'show where arguments are passed and which functions can share an image; with --kinds, judge one attach combination',
    ),
  ).action((options: AbiLine, command: Command) => finish(command, answer(options)));
}

async function answer(line: AbiLine): Promise<CommandWork> {
  const { abiCommand } = await import('./abi-command.ts');
  return abiCommand(line);
}

/** The options of `abi`: functions, an architecture, and either programs or a search. */
function abiOptions(command: Command): Command {
  const functions = command
    .option('--sig <types>', "signature: 'u64 x9, s16b, u32 -> u64'; repeatable", collect)
    .option('--sigs <file>', "read functions from a file, one per line: 'vfs_read: ptr x2, u64, ptr -> s64'")
    .option('--arch <name>', ARCHES.join(', '), 'x86-64')
    .option('--kinds <programs>', 'programs in order of attachment: print verdict, stack frame and listing');
  return surroundings(functions)
    .option('--law <names>', 'without a signature: check only these laws (comma-separated)')
    .option('--planted <name>', 'plant a bug and search for a breach of its law')
    .option('--cases <n>', 'number of sets of functions to draw', '4000')
    .option('--seed <n>', 'seed of the random search, or "random"', '1')
    .option('--html <file>', HTML);
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

/** The context of an attach combination. */
function surroundings(command: Command): Command {
  return command
    .option('--kernel <version>', KERNELS.join(', '), '7.2')
    .option('--boot <name>', BOOTS.join(', '), 'default')
    .option('--ibt', 'the function starts with endbr64 (default: as the kernel was recorded)')
    .option('--no-ibt', 'the function does not start with endbr64')
    .option('--live-patch', 'a live patch redirects the function before the first program attaches')
    .option('--tail-calls', 'the target is a BPF program that may make tail calls');
}
