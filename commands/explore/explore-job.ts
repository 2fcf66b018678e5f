import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';
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
 * `--random` draws some; of built-in and of drawn ones, a share.
 */
export function exploreJob(line: ExploreLine, file?: string, share: Share = WHOLE): Job | WaitingJob {
  if (line.random === undefined && line.schedules !== undefined)
    throw new InputError('--schedules is for --random: an exploration has every schedule');
  if (file !== undefined) return startExploring(fileExplorationFor(file, line), howToExplore(line));
  return line.random === undefined
    ? startExploring(explorationFor(line), { ...howToExplore(line), share })
    : startDrawing({ ...randomSearchFor(line), share }, secondsIn(line));
}

/** An InputError if these options have no shards. */
export function requireShards({ checkpoint, resume, maxTime }: ExploreLine, file: string | undefined): void {
  if (file !== undefined)
    throw new InputError(`--shard is for built-in and drawn scenarios; ${file} is one, for one machine`);
  const [name] = Object.entries({ checkpoint, resume, 'max-time': maxTime }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (name !== undefined)
    throw new InputError(`--shard excludes --${name}: a shard is searched from the start to its end`);
}
