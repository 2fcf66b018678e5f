import { join } from 'node:path';
import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';
import { filesBelow, readText } from '../../conformance/files.ts';
import type { Job } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { InputError } from '../../model/core/input-error.ts';
import { DEFAULT_FAMILY } from '../explore/exploration.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { exploreBeside } from '../explore/explore.ts';
import { besideSections, commandOf, defaultExploration, scenariosMost } from '../explore/explore-options.ts';
import { requirePlace } from '../line/asked-place.ts';
import type { SearchOptions } from '../line/options.ts';
import { searchesFor } from '../line/options.ts';
import { recording, TOP } from '../line/project.ts';
import { threadsBeside } from '../line/threads.ts';
import type { ShardOptions } from '../shard/run-shard.ts';
import { Ahead } from './ahead.ts';
import { sequenceJob } from './attach-job.ts';
import { checkJob } from './check.ts';
import { designJob, isForDesign, kernelOf } from './design-run.ts';
import { searchJob } from './search.ts';

/** The options of the command line without a command. */
export interface SearchLine extends SearchOptions, ShardOptions {
  readonly first?: boolean;
}

/** The default run, the check of a design, or a search that is a part of them; of a search, a share. */
export function searchOrCheck(
  { first = false, ...given }: SearchLine,
  share: Share = WHOLE,
): Job | WaitingJob {
  const { kernel } = given;
  const options = kernel === undefined ? given : { ...given, kernel: kernelOf(kernel) };
  const { images, sequences } = searchesFor(options);
  requirePage(options, share, sequences !== undefined);
  const isAll = images !== undefined && sequences !== undefined;
  const isDesign = isAll && kernel !== undefined && isForDesign(kernel);
  if (first && !isDesign)
    throw new InputError('--first ends the run of a design: --kernel DESIGN --first, without --law');
  if (first && share !== WHOLE)
    throw new InputError(
      '--first ends a run at its first breach: --shard excludes it, for no shard knows of others',
    );
  if (isDesign) {
    const scenarios = scenariosMost(options.scenarios);
    return designJob(kernelOf(kernel), { sequences, scenarios, first, share });
  }
  if (images === undefined) return sequenceJob({ ...sequences!, share });
  if (sequences === undefined) return searchJob({ ...images, share });
  const exploration = defaultExploration(options.scenarios);
  return checkJob({
    recordings: [recording('trampolines.jsonl.gz')],
    recordedSequences: [recording('sequences.jsonl.gz')],
    corpus: filesBelow(TOP, CORPUS, '.trace').map((path) => ({ path, text: readText(join(TOP, path)) })),
    search: images,
    sequences,
    explore: () => exploreBeside(exploration, besideSections(share)),
    exploreCommand: commandOf(DEFAULT_FAMILY),
    ...(share === WHOLE ? { ahead: new Ahead(options, threadsBeside()) } : { share }),
  });
}

/** A page of return sites has to be possible, and in its place. */
function requirePage({ sites = false, html }: SearchLine, share: Share, isOfSequences: boolean): void {
  if (html === undefined) return;
  if (!sites) throw new InputError('--html is for the table of return sites: --sites --html FILE');
  if (!isOfSequences) throw new InputError('--sites is for sequences, and this searches images alone');
  if (share !== WHOLE) throw new InputError('--html needs the whole run: --shard excludes it');
  requirePlace('--html', html);
}
