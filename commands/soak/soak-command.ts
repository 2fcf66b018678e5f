import type { Command } from 'commander';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { givenSeed } from '../line/given-seed.ts';
import { NO_SAVE, SAVE } from '../line/option-texts.ts';

/** As the command line gives them. */
interface SoakLine {
  readonly hours?: string;
  readonly rounds?: string;
  readonly seed: string;
  readonly progress: string;
}

export function declareSoak({ subcommand, finish }: CommandLine): void {
  subcommand('soak', 'search with one seed after the other, without end')
    .option('--hours <h>', 'hours after which it ends: 8, or 0.5')
    .option('--rounds <n>', 'seeds after which it ends')
    .option('--seed <n>', 'seed of the first round', '1')
    .option('--progress <file>', 'file of what is done, from which it resumes', 'attachcheck-soak')
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .action((own: SoakLine, command: Command) =>
      finish(command, soaked({ ...own, seed: givenSeed(command, own) })),
    );
}

async function soaked({ hours, rounds, seed, progress }: SoakLine): Promise<CommandWork> {
  const [{ ProgressFile }, { searchesOfRound }, { soakJob }, { seedOf }] = await Promise.all([
    import('./progress-file.ts'),
    import('./searches.ts'),
    import('./soak.ts'),
    import('../line/options.ts'),
  ]);
  const searches = searchesOfRound();
  const first = seedOf(seed);
  const names = searches.map(({ name }) => name);
  return soakJob({
    searches,
    file: new ProgressFile(progress, first, names),
    first,
    hours: hours === undefined ? undefined : hoursOf(hours),
    rounds: rounds === undefined ? undefined : wholeNumber(rounds, '--rounds', 1e9, 1),
  });
}

function hoursOf(text: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text))
    throw new InputError(`--hours ${text} is not a number of hours like 8 or 0.5`);
  return Number(text);
}
