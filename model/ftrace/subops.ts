import type { OpsId } from '../core/ids.ts';
import { Oops } from '../core/oops.ts';
import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { fails, warn } from '../core/world.ts';
import type { FgraphView, FgraphWorld } from './fgraph.ts';
import { freeHashes, publishHash } from './filter-hash.ts';
import {
  ensureOps,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_SUBOP,
  ftraceOpsInit,
  GRAPH_OPS,
  notraceOf,
  opsOf,
} from './ops.ts';
import { ftraceShutdown, ftraceStartup } from './startup.ts';
import type { Hashes } from './subops-hashes.ts';
import {
  allHashes,
  copiesHashes,
  copiesNext,
  firstHashes,
  hashesOf,
  intersectHash,
  isRebuilt,
  nextHashes,
} from './subops-hashes.ts';
import { ftraceUpdateOps } from './update-ops.ts';

/*
 * Several users on one ops (6.11): `graph_ops` manages the ops of each function graph user and traces at least what
 * each of them wants (`subops-hashes.ts`).
 *
 * ```text
 *   graph_ops   filter {f1, f2}
 *     subops    fgraph_ops#1.ops   filter {f1}
 *     subops    fgraph_ops#2.ops   filter {f1, f2}
 * ```
 *
 * Only `graph_ops` is on the list of ops and in the counts of the records. When a call of f2 arrives, each user
 * is still tested against its own filter (function_graph_enter_regs()). `ftrace_lock` is held throughout.
 */

export interface SubopsArgs {
  subops: OpsId;
}

export interface SubopsLocals extends SubopsArgs, Hashes {}

/** Both hashes of the manager, from all of its subops. */
export function combineAll(k: FgraphWorld, locals: Hashes): void {
  Object.assign(locals, allHashes(k, GRAPH_OPS, k.fgraph.subops));
}

/**
 * append_hashes() of 6.12: the union of the subops' filters, which begins with a hash that is allocated even if
 * it stays empty. NULL is its ENOMEM; so with intersect_hashes().
 */
export const appendHashes = routine<FgraphWorld, object>('append_hashes', ({ allocate }) => [
  allocate('the union of the filters'),
]);

/**
 * intersect_hashes() of 6.12. Only the copy of the first notrace hash is checked. The hash that is made for each further
 * subops is written through when the two before have a function in common; an empty one ends it.
 */
export const intersectHashes = routine<FgraphWorld, object>('intersect_hashes', ({ allocate, step }) => [
  allocate('the intersection of the notrace hashes'),
  step('intersect with the other subops', (k) => {
    let common = notraceOf(k, GRAPH_OPS);
    for (const subops of k.fgraph.subops.slice(1)) {
      const lacks = fails(k, 'allocation', 'intersect_hashes');
      common = intersectHash(common, hashesOf(k, subops).notrace);
      if (common.length === 0) return;
      if (lacks) throw new Oops({ is: 'hash without memory' });
    }
  }),
]);

/** rebuild_hashes() of 7.2: both hashes. A single subops without functions needs no memory. */
export const rebuildHashes = routine<FgraphWorld, object>('rebuild_hashes', ({ when, allocate }) => [
  when('a hash is copied', rebuildingCopies, [allocate('the hashes of the manager')]),
]);

export const nothing = (): object => ({});

function rebuildingCopies(k: FgraphView): boolean {
  const { subops } = k.fgraph;
  return subops.length > 1 || subops.some((name) => copiesHashes(k, name));
}

/**
 * ftrace_startup_subops(), kernel/trace/ftrace.c. The first subops starts the manager with its hashes, every other
 * one only widens them. The checks are those of ftrace_startup() and __register_ftrace_function().
 */
export const ftraceStartupSubops = routine<FgraphWorld, SubopsArgs, SubopsLocals>(
  'ftrace_startup_subops',
  (words) => {
    const { refuse, step, when, attempt, call, allocate } = words;
    return [
      refuse('ENODEV', 'ftrace is dead', (k) => k.ftrace.disabled),
      step('ftrace_ops_init', (k, { subops }) => {
        ftraceOpsInit(ensureOps(k, GRAPH_OPS), GRAPH_OPS);
        ftraceOpsInit(ensureOps(k, subops), subops);
      }),
      refuse('EBUSY', 'the subops is enabled', (k, { subops }) => {
        const enabled = (opsOf(k, subops).flags & FTRACE_OPS_FL_ENABLED) !== 0;
        if (enabled) warn(k, { is: 'enabled subops started' });
        return enabled;
      }),
      when('a hash is made', makesHash, [allocate('the hashes of the manager')]),
      when('it is the first', (k) => k.fgraph.subops.length === 0, startManager(words), [
        step('combine the hashes', (k, locals) => {
          Object.assign(locals, nextHashes(k, GRAPH_OPS, locals.subops));
        }),
        step('add the subops', addSubops),
        attempt(
          [call(ftraceUpdateOps, (_, { filter, notrace }) => ({ ops: GRAPH_OPS, filter, notrace }))],
          [step('take the subops back', removeSubops)],
        ),
      ]),
    ];
  },
);

function makesHash(k: FgraphView, { subops }: SubopsArgs): boolean {
  const isFirst = k.fgraph.subops.length === 0;
  return isFirst ? copiesHashes(k, subops) : copiesNext(k, GRAPH_OPS, subops);
}

/** The manager starts with its first subops; on failure its hashes are empty again. */
function startManager({ step, attempt, call }: RoutineWords<FgraphWorld, SubopsLocals>): Part[] {
  return [
    step('copy its hashes', (k, { subops }) => {
      ensureOps(k, GRAPH_OPS).func = 'ftrace_graph_func';
      const { filter, notrace } = firstHashes(k, subops);
      publishHash(k, GRAPH_OPS, 'filter', filter);
      publishHash(k, GRAPH_OPS, 'notrace', notrace);
    }),
    attempt(
      [call(ftraceStartup, () => ({ ops: GRAPH_OPS, command: 0 }))],
      [step('free the hashes', freeManagersHashes)],
    ),
    step('add the subops', addSubops),
  ];
}

/**
 * With no grace period, although `graph_ops` is not DYNAMIC: ftrace_shutdown() waits for no call that uses them.
 */
function freeManagersHashes(k: FgraphWorld): void {
  freeHashes(k, GRAPH_OPS);
}

function addSubops(k: FgraphWorld, { subops }: SubopsArgs): void {
  k.fgraph.subops.unshift(subops);
  enableSubops(k, subops);
}

function enableSubops(k: FgraphWorld, subops: OpsId): void {
  ensureOps(k, subops).flags |= FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_SUBOP;
}

function removeSubops(k: FgraphWorld, { subops }: SubopsArgs): void {
  k.fgraph.subops = k.fgraph.subops.filter((name) => name !== subops);
  ensureOps(k, subops).flags &= ~(FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_SUBOP);
}

/**
 * The subops stays enabled, and on the manager's list: except in 7.2 without memory for rebuild_hashes(), whose
 * error is answered without list_add().
 */
function keepSubops(k: FgraphWorld, { subops, filter }: SubopsArgs & Partial<Hashes>): void {
  if (isRebuilt(k) && filter === undefined && k.fgraph.subops.length > 0) enableSubops(k, subops);
  else addSubops(k, { subops });
}

/**
 * ftrace_shutdown_subops(). When the manager cannot follow (ENOMEM, ftrace dead), the subops stays attached to it
 * while unregister_ftrace_graph() forgets the user.
 */
export const ftraceShutdownSubops = routine<FgraphWorld, SubopsArgs, SubopsLocals>(
  'ftrace_shutdown_subops',
  ({ refuse, step, when, attempt, call }) => [
    refuse('ENODEV', 'ftrace is dead', (k) => k.ftrace.disabled),
    refuse('EINVAL', 'the subops is not enabled', (k, { subops }) => {
      const enabled = (opsOf(k, subops).flags & FTRACE_OPS_FL_ENABLED) !== 0;
      if (!enabled) warn(k, { is: 'subops not enabled' });
      return !enabled;
    }),
    // Off the list before the hashes are combined: they are those of the rest.
    step('remove the subops', removeSubops),
    attempt(
      [
        when(
          'it was the last',
          (k) => k.fgraph.subops.length === 0,
          [
            call(ftraceShutdown, () => ({ ops: GRAPH_OPS, command: 0 })),
            step('free the hashes', freeManagersHashes),
          ],
          [
            when(
              'both hashes are made at once',
              isRebuilt,
              [call(rebuildHashes, nothing)],
              [call(appendHashes, nothing), call(intersectHashes, nothing)],
            ),
            step('combine the hashes', combineAll),
            call(ftraceUpdateOps, (_, { filter, notrace }) => ({ ops: GRAPH_OPS, filter, notrace })),
          ],
        ),
      ],
      [step('add the subops again', keepSubops)],
    ),
  ],
);
