import type { Job } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { WaitingJob } from './explore.ts';
import { startExploring } from './explore.ts';
import { fileExplorationFor } from './explore-file.ts';
import type { ExploreLine } from './explore-options.ts';
import { explorationFor, howToExplore, randomSearchFor, secondsIn } from './explore-options.ts';
import { startDrawing } from './random.ts';

/**
 * `explore` with its options: it explores all interleavings of built-in scenarios or of one in a file, or with
 * `--random` draws some.
 */
export function exploreJob(line: ExploreLine, file?: string): Job | WaitingJob {
  if (line.random === undefined && line.schedules !== undefined)
    throw new InputError('--schedules is for --random: an exploration has every schedule');
  if (file !== undefined) return startExploring(fileExplorationFor(file, line), howToExplore(line));
  return line.random === undefined
    ? startExploring(explorationFor(line), howToExplore(line))
    : startDrawing(randomSearchFor(line), secondsIn(line));
}
