import type { OpsId } from '../core/ids.ts';
import { routine } from '../core/routine.ts';
import type { Unloads } from '../text/module.ts';
import type { Hash } from './ops.ts';
import { filterOf, notraceOf } from './ops.ts';
import { hashMoveAndUpdateOps } from './set-filter.ts';
import type { Hashes } from './subops-hashes.ts';
import type { FtraceWorld } from './world.ts';

interface UpdateArgs extends Hashes {
  ops: OpsId;
  /** How often modules had been unloaded when the hashes were made. */
  made?: Unloads | undefined;
}

/**
 * ftrace_update_ops(), kernel/trace/ftrace.c: an enabled ops gets these hashes, the filter first. When the second
 * change fails, the first one stays. `ftrace_lock` is held.
 */
export const ftraceUpdateOps = routine<FtraceWorld, UpdateArgs>('ftrace_update_ops', ({ when, call }) => [
  when('the filter changes', (k, { ops, filter }) => !equal(filter, filterOf(k, ops)), [
    call(hashMoveAndUpdateOps, (_, { ops, filter, made }) => ({
      ops,
      which: 'filter' as const,
      hash: filter,
      made,
    })),
  ]),
  when('the notrace hash changes', (k, { ops, notrace }) => !equal(notrace, notraceOf(k, ops)), [
    call(hashMoveAndUpdateOps, (_, { ops, notrace, made }) => ({
      ops,
      which: 'notrace' as const,
      hash: notrace,
      made,
    })),
  ]),
]);

/** ops_equal(): an unchanged hash patches nothing. */
function equal(a: Hash, b: Hash): boolean {
  return a.length === b.length && a.every((ip, i) => ip === b[i]);
}
