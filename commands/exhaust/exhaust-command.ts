import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { givenOptions } from '../line/given-options.ts';
import { NO_SAVE, SAVE, VERBOSE } from '../line/option-texts.ts';
import { DEFAULT_BOUNDS } from './default-bounds.ts';
import type { ExhaustLine } from './exhaust-options.ts';

export function declareExhaust({ subcommand, finish }: CommandLine): void {
  subcommand('exhaust [file]', 'run every sequence of the calls of a file, the shortest first')
    .option('--depth <n>', 'calls of a sequence at most', DEFAULT_BOUNDS.depth)
    .option('--states <n>', 'states at most', DEFAULT_BOUNDS.states)
    .option('--wide', 'with the other calls of their mechanisms, and two objects of each kind')
    .option('--faults', 'with each allocation and text poke that may fail on the way of these calls')
    .option('--kernel <profile>', 'in this kernel or design, instead of that of the file')
    .option('--law <names>', 'search for breaches of these laws only (comma-separated)')
    .option('--planted <name>', 'plant a bug of sequences; without a file: the calls of its example, --wide')
    .option('--verbose', VERBOSE)
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .action((path: string | undefined, own: ExhaustLine, command: Command) =>
      finish(command, answer(path, { ...command.optsWithGlobals<ExhaustLine>(), ...givenOptions(own) })),
    );
}

async function answer(path: string | undefined, line: ExhaustLine): Promise<CommandWork> {
  const [{ exhaustionOf }, { exhaustJob }] = await Promise.all([
    import('./exhaust-options.ts'),
    import('./exhaust.ts'),
  ]);
  return exhaustJob(exhaustionOf(path, line));
}
