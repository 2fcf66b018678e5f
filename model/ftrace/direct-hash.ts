import type { CodeName, Ip, OpsId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Unloads } from '../text/module.ts';
import { addressesNow, addressNow, unloadsOf } from '../text/module.ts';
import { notDirect, notEnabled, resetOps } from './direct.ts';
import type { Replaced } from './direct-table.ts';
import { publishDirectFunctions, registerFtraceDirectCb, restoreDirectFunctions } from './direct-table.ts';
import { freeHashes, publishHash } from './filter-hash.ts';
import type { Hash } from './ops.ts';
import { ensureOps, FTRACE_OPS_FL_ENABLED, filterOf, MULTI_FLAGS, opsOf, withIps } from './ops.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import { EMPTY_HASH, freeTable } from './tables.ts';
import { ftraceUpdateOps } from './update-ops.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * Direct calls by a table of the client (7.0): one ops for any number of sites, each with its own address. BPF
 * uses it with a single ops for all trampolines (`direct_ops` of kernel/bpf/trampoline.c).
 *
 * ```text
 *   update_ftrace_direct_add(ops, {f1: t1, f2: t2})   every site new, or EINVAL for all
 *   update_ftrace_direct_mod(ops, {f1: t3})           sites without an entry are skipped
 *   update_ftrace_direct_del(ops, {f2: t2})           every entry there with just this address, or EINVAL for all
 * ```
 *
 * Under `direct_mutex` a new `direct_functions` is built and published whole; the old one is freed by
 * call_rcu_tasks() after the lock is dropped. Unlike `register_ftrace_direct()` the ops may be enabled already:
 * its filter is then moved like that of any ops.
 */

/** `struct ftrace_hash` of the caller: what is added, removed or changed; an address for each function. */
export type DirectHash = Readonly<Record<Ip, CodeName>>;

/** `got`: how often modules had been unloaded when the table was made, if its caller does not hold them. */
export interface HashArgs {
  ops: OpsId;
  hash: DirectHash;
  got?: Unloads | undefined;
}

/** The table of the caller, by the names that addresses have now. */
export function tableNow(k: FtraceView, { hash, got }: HashArgs): DirectHash {
  if (got === undefined) return hash;
  return Object.fromEntries(Object.entries(hash).map(([ip, addr]) => [addressNow(k, ip, got), addr]));
}

interface UpdateLocals extends HashArgs, Replaced {
  reg: boolean;
  oldFilter: Hash;
  /** When that was read. */
  read: Unloads;
  /** The filter of an ops that could not be registered: it is freed with the rest. */
  failed?: { readonly table: number } | undefined;
}

export function isEmpty(_: FtraceView, { hash }: HashArgs): boolean {
  return Object.keys(hash).length === 0;
}

/**
 * update_ftrace_direct_add(), kernel/trace/ftrace.c. All or nothing: on any failure the previous table is
 * published again, and the one that was visible meanwhile is freed after a grace period.
 */
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

/**
 * The part under `direct_mutex`. Whether the ops is registered or its filter is moved depends on its filter being
 * empty. The table is published first, for the sites are patched with addresses from it.
 */
function addLocked(words: RoutineWords<FtraceWorld, UpdateLocals>): Part[] {
  const { refuse, holding, allocate, step, attempt, when } = words;
  return [
    holding('direct_mutex', [
      refuse('EINVAL', 'a site has a direct call', (k, locals) =>
        Object.keys(tableNow(k, locals)).some((ip) => k.ftrace.directFunctions[ip] !== undefined),
      ),
      step('read the filter', (k, locals) => {
        locals.oldFilter = filterOf(k, locals.ops);
        locals.read = unloadsOf(k);
        locals.reg = locals.oldFilter.length === 0;
      }),
      refuse('EINVAL', 'the ops is in use', (k, { ops, reg }) => reg && isUsed(k, ops)),
      allocate('the new filter and the new direct_functions'),
      // Before the sites: ftrace_get_addr_new() takes their addresses from here.
      step('publish direct_functions', (k, locals) => {
        locals.replaced = publishDirectFunctions(k, { ...k.ftrace.directFunctions, ...tableNow(k, locals) });
      }),
      attempt(
        [
          when(
            'these are the first sites',
            (_, { reg }) => reg,
            registerDirect(words),
            moveFilter(words, (k, locals) =>
              withIps(oldFilterNow(k, locals), Object.keys(tableNow(k, locals))),
            ),
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

/** Readers of the table that is no longer current are waited for in the background. */
function freeOldTable({ reclaim }: RoutineWords<FtraceWorld, UpdateLocals>): Part {
  return reclaim('free the old direct_functions', registerFtraceDirectCb, (_, { replaced }) => replaced);
}

/** Freed with no grace period, although the ops was on the list until its registration failed. */
function freeFailed(k: FtraceWorld, { failed }: UpdateLocals): void {
  if (failed !== undefined) freeTable(k, failed);
}

/** The three EINVAL checks of register_ftrace_direct(), for an ops that gets its first sites. */
function isUsed(k: FtraceView, name: OpsId): boolean {
  const ops = opsOf(k, name);
  return ops.func !== '' || ops.trampoline !== '' || (ops.flags & FTRACE_OPS_FL_ENABLED) !== 0;
}

/** An ops with its first sites becomes direct and is registered: its filter is the caller's table. */
function registerDirect({ step, attempt, call }: RoutineWords<FtraceWorld, UpdateLocals>): Part[] {
  return [
    step('make the ops direct', (k, locals) => {
      const { ops: name } = locals;
      const ops = ensureOps(k, name);
      ops.func = 'call_direct_funcs';
      ops.flags |= MULTI_FLAGS;
      ops.trampoline = 'ftrace_regs_caller';
      ops.hashOf = name;
      publishHash(k, name, 'filter', Object.keys(tableNow(k, locals)).sort());
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

/** An enabled ops gets another filter. ftrace_update_ops() is given an empty notrace hash: the ops loses its own. */
function moveFilter(
  { holding, call }: RoutineWords<FtraceWorld, UpdateLocals>,
  filter: (k: FtraceView, locals: UpdateLocals) => Hash,
): Part[] {
  return [
    holding('ftrace_lock', [
      call(ftraceUpdateOps, (k, locals) => ({
        ops: locals.ops,
        filter: filter(k, locals),
        notrace: [],
        made: unloadsOf(k),
      })),
    ]),
  ];
}

/**
 * update_ftrace_direct_del(). An entry with another address, which update_ftrace_direct_mod() may have left, is
 * EINVAL: nothing is removed at all.
 */
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

/**
 * The part under `direct_mutex`. The sites are patched before their entries disappear from the table. With its
 * last site the ops is unregistered and its filter freed; an errno of unregister_ftrace_function() ends it there,
 * with the table unchanged.
 */
function delLocked(words: RoutineWords<FtraceWorld, UpdateLocals>): Part {
  const { refuse, holding, allocate, step, when, call } = words;
  return holding('direct_mutex', [
    refuse('EINVAL', 'no function has a direct call', noDirectCalls),
    refuse('EINVAL', 'the filter is empty', (k, { ops }) => filterOf(k, ops).length === 0),
    refuse('EINVAL', 'a site does not call there', (k, locals) =>
      Object.entries(tableNow(k, locals)).some(([ip, addr]) => k.ftrace.directFunctions[ip] !== addr),
    ),
    allocate('the smaller filter and the smaller direct_functions'),
    step('compute the smaller filter', (k, locals) => {
      const removed = tableNow(k, locals);
      locals.oldFilter = filterOf(k, locals.ops).filter((ip) => removed[ip] === undefined);
      locals.read = unloadsOf(k);
    }),
    when(
      'no site is left',
      (_, { oldFilter }) => oldFilter.length === 0,
      [
        call(unregisterFtraceFunction, (_, { ops }) => ({ ops })),
        step('reset the ops', (k, { ops }) => resetOps(k, ops)),
        step('ftrace_free_filter', (k, { ops }) => freeHashes(k, opsOf(k, ops).hashOf)),
      ],
      moveFilter(words, oldFilterNow),
    ),
    step('publish the smaller direct_functions', (k, locals) => {
      const removed = tableNow(k, locals);
      const left = Object.entries(k.ftrace.directFunctions).filter(([ip]) => removed[ip] === undefined);
      locals.replaced = publishDirectFunctions(k, Object.fromEntries(left));
    }),
  ]);
}

function oldFilterNow(k: FtraceView, { oldFilter, read }: UpdateLocals): Hash {
  return addressesNow(k, oldFilter, read);
}

/** `direct_functions == EMPTY_HASH`. */
export function noDirectCalls(k: FtraceView): boolean {
  return Object.keys(k.ftrace.directFunctions).length === 0;
}
