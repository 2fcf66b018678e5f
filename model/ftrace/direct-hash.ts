import type { CodeName, Ip, OpsId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { notDirect, notEnabled, resetOps } from './direct.ts';
import type { Replaced } from './direct-table.ts';
import { publishDirectFunctions, registerFtraceDirectCb, restoreDirectFunctions } from './direct-table.ts';
import { freeHashes, publishHash } from './filter-hash.ts';
import type { Hash } from './ops.ts';
import { ensureOps, FTRACE_OPS_FL_ENABLED, filterOf, MULTI_FLAGS, opsOf, withIps } from './ops.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import { hashMoveAndUpdateOps } from './set-filter.ts';
import { EMPTY_HASH, freeTable } from './tables.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * Direct calls by a table of the client's (7.0): one ops for all sites, each with an address of its own. A new table
 * is published whole, and readers of the old one are waited for in the background.
 */

/** What is added, removed or changed: an address for each function. */
export type DirectHash = Readonly<Record<Ip, CodeName>>;

export interface HashArgs {
  ops: OpsId;
  hash: DirectHash;
}

interface UpdateLocals extends HashArgs, Replaced {
  reg: boolean;
  oldFilter: Hash;
  /** The filter of an ops that could not be registered. */
  failed?: { readonly table: number } | undefined;
}

export function isEmpty(_: FtraceView, { hash }: HashArgs): boolean {
  return Object.keys(hash).length === 0;
}

/** update_ftrace_direct_add(), kernel/trace/ftrace.c. */
export const updateFtraceDirectAdd = routine<FtraceWorld, HashArgs, UpdateLocals>(
  'update_ftrace_direct_add',
  (words) => {
    const { refuse, attempt } = words;
    return [
      refuse('EINVAL', 'nothing is added', isEmpty),
      attempt(addLocked(words), [freeOldTable(words), words.step('free the new filter', freeFailed)]),
      freeOldTable(words),
    ];
  },
);

function addLocked(words: RoutineWords<FtraceWorld, UpdateLocals>): Part[] {
  const { refuse, holding, allocate, step, attempt, when } = words;
  return [
    holding('direct_mutex', [
      refuse('EINVAL', 'a site has a direct call', (k, { hash }) =>
        Object.keys(hash).some((ip) => k.ftrace.directFunctions[ip] !== undefined),
      ),
      step('look at the filter', (k, locals) => {
        locals.oldFilter = filterOf(k, locals.ops);
        locals.reg = locals.oldFilter.length === 0;
      }),
      refuse('EINVAL', 'the ops is in use', (k, { ops, reg }) => reg && isUsed(k, ops)),
      allocate('the new filter and the new direct_functions'),
      step('publish direct_functions', (k, locals) => {
        locals.replaced = publishDirectFunctions(k, { ...k.ftrace.directFunctions, ...locals.hash });
      }),
      attempt(
        [
          when(
            'these are the first sites',
            (_, { reg }) => reg,
            registerDirect(words),
            moveFilter(words, ({ hash, oldFilter }) => withIps(oldFilter, Object.keys(hash))),
          ),
        ],
        [
          step('publish the old direct_functions', (k, locals) => {
            locals.replaced = restoreDirectFunctions(k, locals.replaced?.table ?? EMPTY_HASH);
          }),
        ],
      ),
    ]),
  ];
}

/** Whoever is looking into the table that is not current any more is waited for in the background. */
function freeOldTable({ reclaim }: RoutineWords<FtraceWorld, UpdateLocals>): Part {
  return reclaim('free the old direct_functions', registerFtraceDirectCb, (_, { replaced }) => replaced);
}

/** With no grace period, although the ops may have been on the list for a moment. */
function freeFailed(k: FtraceWorld, { failed }: UpdateLocals): void {
  if (failed !== undefined) freeTable(k, failed);
}

function isUsed(k: FtraceView, name: OpsId): boolean {
  const ops = opsOf(k, name);
  return ops.func !== '' || ops.trampoline !== '' || (ops.flags & FTRACE_OPS_FL_ENABLED) !== 0;
}

/** An ops with its first sites becomes direct and is registered. */
function registerDirect({ step, attempt, call }: RoutineWords<FtraceWorld, UpdateLocals>): Part[] {
  return [
    step('make the ops direct', (k, { ops: name, hash }) => {
      const ops = ensureOps(k, name);
      ops.func = 'call_direct_funcs';
      ops.flags |= MULTI_FLAGS;
      ops.trampoline = 'ftrace_regs_caller';
      ops.hashOf = name;
      publishHash(k, name, 'filter', Object.keys(hash).sort());
    }),
    attempt(
      [call(registerFtraceFunctionNolock, (_, { ops }) => ({ ops }))],
      [
        step('reset the ops', (k, locals) => {
          locals.failed = publishHash(k, locals.ops, 'filter', []);
          resetOps(k, locals.ops);
        }),
      ],
    ),
  ];
}

/** An ops that has sites and keeps some gets another filter. */
function moveFilter(
  { holding, call }: RoutineWords<FtraceWorld, UpdateLocals>,
  filter: (locals: UpdateLocals) => Hash,
): Part[] {
  return [
    holding('ftrace_lock', [
      call(hashMoveAndUpdateOps, (_, locals) => ({
        ops: locals.ops,
        which: 'filter' as const,
        hash: filter(locals),
      })),
    ]),
  ];
}

/** update_ftrace_direct_del(): every entry has to be there with just this address. */
export const updateFtraceDirectDel = routine<FtraceWorld, HashArgs, UpdateLocals>(
  'update_ftrace_direct_del',
  (words) => {
    const { refuse } = words;
    return [
      refuse('EINVAL', 'nothing is removed', isEmpty),
      refuse('EINVAL', 'the ops is not direct', notDirect),
      refuse('EINVAL', 'the ops is not enabled', notEnabled),
      delLocked(words),
      freeOldTable(words),
    ];
  },
);

function delLocked(words: RoutineWords<FtraceWorld, UpdateLocals>): Part {
  const { refuse, holding, allocate, step, when, call } = words;
  return holding('direct_mutex', [
    refuse('EINVAL', 'no function has a direct call', noDirectCalls),
    refuse('EINVAL', 'the filter is empty', (k, { ops }) => filterOf(k, ops).length === 0),
    refuse('EINVAL', 'a site does not call there', (k, { hash }) =>
      Object.entries(hash).some(([ip, addr]) => k.ftrace.directFunctions[ip] !== addr),
    ),
    allocate('the smaller filter and the smaller direct_functions'),
    step('compute the smaller filter', (k, locals) => {
      locals.oldFilter = filterOf(k, locals.ops).filter((ip) => locals.hash[ip] === undefined);
    }),
    when(
      'no site is left',
      (_, { oldFilter }) => oldFilter.length === 0,
      [
        call(unregisterFtraceFunction, (_, { ops }) => ({ ops })),
        step('reset the ops', (k, { ops }) => resetOps(k, ops)),
        step('ftrace_free_filter', (k, { ops }) => freeHashes(k, opsOf(k, ops).hashOf)),
      ],
      moveFilter(words, ({ oldFilter }) => oldFilter),
    ),
    step('publish the smaller direct_functions', (k, locals) => {
      const left = Object.entries(k.ftrace.directFunctions).filter(([ip]) => locals.hash[ip] === undefined);
      locals.replaced = publishDirectFunctions(k, Object.fromEntries(left));
    }),
  ]);
}

export function noDirectCalls(k: FtraceView): boolean {
  return Object.keys(k.ftrace.directFunctions).length === 0;
}
