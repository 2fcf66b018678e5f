import type { Share } from '../../checker/share.ts';
import type { Job } from '../../counterexamples/answer.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { SearchLine } from '../check/default-run.ts';
import { searchOrCheck } from '../check/default-run.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { exploreJob } from '../explore/explore-job.ts';
import type { ExploreLine } from '../explore/explore-options.ts';
import type { ComparedLine } from '../kernel/compared-job.ts';
import type { RefineLine } from '../refine/refine.ts';
import { refineCommand } from '../refine/refine.ts';

/** A command that several machines can work on, with those of its options that decide its result. */
export type ShardedLine =
  | { readonly is: 'check'; readonly line: SearchLine }
  | { readonly is: 'explore'; readonly line: ExploreLine }
  /** Of all designs. */
  | { readonly is: 'refine'; readonly line: RefineLine }
  /** Drawn histories on a kernel that was set up. */
  | { readonly is: 'kernel'; readonly line: ComparedLine };

/** Its options, as the command line gives them, without those that do not decide it. */
export function decisive(asked: ShardedLine): ShardedLine {
  switch (asked.is) {
    case 'check':
      return { is: 'check', line: picked(asked.line, OF_CHECK) };
    case 'explore':
      return { is: 'explore', line: picked(asked.line, OF_EXPLORE) };
    case 'refine':
      return { is: 'refine', line: picked(asked.line, OF_REFINE) };
    case 'kernel':
      return { is: 'kernel', line: picked(asked.line, OF_KERNEL) };
    default:
      return unreachable(asked);
  }
}

/** A share of its work. */
export function sharedWork(asked: ShardedLine, share: Share): Job | WaitingJob {
  switch (asked.is) {
    case 'check':
      return searchOrCheck(asked.line, share);
    case 'explore':
      return exploreJob(asked.line, undefined, share);
    case 'refine':
      return refineCommand([], asked.line, share);
    case 'kernel':
      return kernelWork(asked.line, share);
    default:
      return unreachable(asked);
  }
}

const OF_CHECK = [
  'seed',
  'cases',
  'sequences',
  'scenarios',
  'kernel',
  'law',
  'planted',
  'sites',
  'first',
] as const satisfies readonly (keyof SearchLine)[];

const OF_EXPLORE = [
  'kernel',
  'cpus',
  'tasks',
  'operations',
  'only',
  'depth',
  'states',
  'preemptions',
  'workers',
  'planted',
  'law',
  'random',
  'schedules',
  'seed',
] as const satisfies readonly (keyof ExploreLine)[];

const OF_REFINE = ['operations', 'all', 'workers'] as const satisfies readonly (keyof RefineLine)[];

const OF_KERNEL = [
  'kernel',
  'runs',
  'seed',
  'from',
  'profile',
  'traceAll',
] as const satisfies readonly (keyof ComparedLine)[];

/** Only this command needs what runs kernels. */
async function* kernelWork(line: ComparedLine, share: Share): WaitingJob {
  const { comparedJob } = await import('../kernel/compared-job.ts');
  return yield* comparedJob(line, share);
}

function picked<T extends object>(line: T, names: readonly (keyof T)[]): T {
  const given = names.flatMap((name) => (line[name] === undefined ? [] : [[name, line[name]]]));
  return Object.fromEntries(given) as T;
}
