import type { Command } from 'commander';
import { InputError } from '../../model/core/input-error.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';

export function declareBugs({ subcommand, finish }: CommandLine): void {
  subcommand(
    'bugs [name]',
    'list the bugs that kernels had, and how soon each is found when it is planted again; or measure one',
  )
    .option('--unplanned', 'what laws alone find of faults that were made without a law in mind')
    .action((name: string | undefined, { unplanned = false }: BugsLine, command: Command) =>
      finish(command, unplanned ? unplannedOf(name) : answer(name)),
    );
}

interface BugsLine {
  readonly unplanned?: boolean;
}

async function unplannedOf(name: string | undefined): Promise<CommandWork> {
  if (name !== undefined) throw new InputError(`--unplanned lists all faults: without ${name}`, name);
  const { unplannedAnswer } = await import('./unplanned-board.ts');
  return unplannedAnswer();
}

async function answer(name: string | undefined): Promise<CommandWork> {
  const { boardAnswer, bugJob } = await import('./bugs.ts');
  return name === undefined ? boardAnswer() : bugJob(name);
}
