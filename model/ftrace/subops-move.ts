import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Ended } from '../core/world.ts';
import type { Unloads } from '../text/module.ts';
import { addressesNow } from '../text/module.ts';
import type { FgraphWorld } from './fgraph.ts';
import type { Which } from './filter-hash.ts';
import { publishHash, restoreHash } from './filter-hash.ts';
import type { Hash } from './ops.ts';
import { GRAPH_OPS, opsOf } from './ops.ts';
import { hashMoveAndUpdateOps } from './set-filter.ts';
import type { SubopsArgs, SubopsLocals } from './subops.ts';
import { appendHashes, combineAll, intersectHashes, nothing, rebuildHashes } from './subops.ts';
import { isRebuilt } from './subops-hashes.ts';
import { freeFtraceHashRcu } from './tables.ts';
import { ftraceUpdateOps } from './update-ops.ts';

interface MoveArgs extends SubopsArgs {
  which: Which;
  hash: Hash;
  /** How often modules had been unloaded when the hash was made. */
  made?: Unloads;
}

interface MoveLocals extends MoveArgs, SubopsLocals {
  unused: { readonly table: number } | undefined;
}

/**
 * ftrace_hash_move_and_update_subops(): a user changes its filter while it is registered. The hash is replaced
 * first and put back when the manager cannot follow. Whichever hash is unused then is freed after an RCU grace
 * period.
 *
 * Where hashes are merged, intersect_hashes() begins with the notrace hash that the manager has, not with that of
 * the first subops: of a single user no change of notrace reaches the manager. The NULL of append_hashes() and
 * intersect_hashes() is not checked; ftrace_hash_move() takes it for an empty hash, and the answer is 0.
 */
export const hashMoveAndUpdateSubops = routine<FgraphWorld, MoveArgs, MoveLocals>(
  'ftrace_hash_move_and_update_subops',
  (words) => {
    const { allocate, step, attempt, call, when, reclaim } = words;
    return [
      when('the hash has functions', (_, { hash }) => hash.length > 0, [allocate('the new hash')]),
      step('replace the hash', (k, locals) => {
        const hash = addressesNow(k, locals.hash, locals.made);
        locals.unused = publishHash(k, opsOf(k, locals.subops).hashOf, locals.which, hash);
        combineAll(k, locals);
      }),
      attempt(
        [
          when(
            'both hashes of the manager follow',
            isRebuilt,
            [
              call(rebuildHashes, nothing),
              call(ftraceUpdateOps, (_, { filter, notrace }) => ({ ops: GRAPH_OPS, filter, notrace })),
            ],
            mergeHash(words),
          ),
        ],
        [
          step('put the hash back', (k, locals) => {
            locals.unused = restoreHash(k, opsOf(k, locals.subops).hashOf, locals.which, locals.unused);
          }),
          reclaim('free the new hash', freeFtraceHashRcu, (_, { unused }) => unused),
        ],
      ),
      reclaim('free the old hash', freeFtraceHashRcu, (_, { unused }) => unused),
    ];
  },
);

/** 6.12: the manager's hash of the same kind, which is empty if there was no memory to make it. */
function mergeHash({ when, call }: RoutineWords<FgraphWorld, MoveLocals>): Part[] {
  const made = (_: FgraphWorld, locals: MoveLocals, errno: Ended): void => {
    if (errno !== 0) locals[locals.which] = [];
  };
  return [
    when(
      'the filter is merged',
      (_, { which }) => which === 'filter',
      [call(appendHashes, nothing, made)],
      [call(intersectHashes, nothing, made)],
    ),
    call(hashMoveAndUpdateOps, (_, locals) => ({
      ops: GRAPH_OPS,
      which: locals.which,
      hash: locals[locals.which],
    })),
  ];
}
