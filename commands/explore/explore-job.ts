import type { Job } from '../../counterexamples/answer.ts';
import type { WaitingJob } from './explore.ts';
import { startExploring } from './explore.ts';
import type { ExploreLine } from './explore-options.ts';
import { explorationFor, howToExplore, randomSearchFor, secondsIn } from './explore-options.ts';
import { startDrawing } from './random.ts';

/** What `explore` does with its options: it looks at all interleavings, or with `--random` draws some. */
export function exploreJob(line: ExploreLine): Job | WaitingJob {
  return line.random === undefined
    ? startExploring(explorationFor(line), howToExplore(line))
    : startDrawing(randomSearchFor(line), secondsIn(line));
}
