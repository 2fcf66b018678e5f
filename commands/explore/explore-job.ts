import type { Command } from 'commander';
import type { Job } from '../../counterexamples/answer.ts';
import type { CommandLine } from '../line/command-line.ts';
import type { WaitingJob } from './explore.ts';
import { startExploring } from './explore.ts';
import type { ExploreLine } from './explore-options.ts';
import {
  explorationFor,
  exploreOptions,
  howToExplore,
  randomSearchFor,
  secondsIn,
} from './explore-options.ts';
import { startDrawing } from './random.ts';

export function declareExplore({ subcommand, finish }: CommandLine): void {
  exploreOptions(
    subcommand('explore', 'search every interleaving of operations and calls, step by step'),
  ).action((own: Partial<ExploreLine>, command: Command) => {
    const all: ExploreLine = command.optsWithGlobals();
    return finish(command, exploreJob({ ...all, seed: own.seed ?? all.seed }));
  });
}

/** What `explore` does with its options: it looks at all interleavings, or with `--random` draws some. */
export function exploreJob(line: ExploreLine): Job | WaitingJob {
  return line.random === undefined
    ? startExploring(explorationFor(line), howToExplore(line))
    : startDrawing(randomSearchFor(line), secondsIn(line));
}
