import type { Command } from 'commander';
import { DEFAULT_SEQUENCES } from '../../counterexamples/default-bounds.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { givenOptions } from '../line/given-options.ts';
import { NO_SAVE, SAVE, VERBOSE } from '../line/option-texts.ts';
import { DEFAULT_SCENARIOS, DEFAULT_SCHEDULES } from './default-scenarios.ts';
import type { NearLine } from './near-line.ts';

export function declareNear({ subcommand, finish }: CommandLine): void {
  subcommand(
    'near [file]',
    'draw sequences or scenarios that differ a little from one of yours, or from listed bugs',
  )
    .option('--sequences <n>', `sequences in each kernel (default: ${DEFAULT_SEQUENCES})`)
    .option('--scenarios <n>', `scenarios in each kernel (default: ${DEFAULT_SCENARIOS})`)
    .option('--schedules <n>', `random schedules for each scenario (default: ${DEFAULT_SCHEDULES})`)
    .option('--seed <n>', 'seed of the search, or "random" (default: 1)')
    .option('--kernel <profile>', 'in this kernel or design, instead of that of the file')
    .option('--law <names>', 'search for breaches of these laws only (comma-separated)')
    .option('--planted <name>', 'plant a bug, and search for the breach of its law')
    .option('--verbose', VERBOSE)
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .action((path: string | undefined, own: NearLine, command: Command) =>
      finish(command, answer(path, command.optsWithGlobals<NearLine>(), givenOptions(own))),
    );
}

async function answer(
  path: string | undefined,
  line: NearLine,
  given: Partial<NearLine>,
): Promise<CommandWork> {
  const { nearJob } = await import('./near-job.ts');
  return nearJob(path, { ...line, ...given }, given);
}
