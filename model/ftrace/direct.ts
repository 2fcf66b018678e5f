import type { Errno } from '../core/errno.ts';
import type { CodeName, OpsId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Replaced } from './direct-table.ts';
import { freeGrown, makeRoom, publishDirectFunctions, registerFtraceDirectCb } from './direct-table.ts';
import { readHash } from './filter-hash.ts';
import { ftraceJmpGet } from './jmp.ts';
import {
  ensureOps,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_INITIALIZED,
  filterOf,
  MULTI_FLAGS,
  notInitialised,
  opsHas,
  opsOf,
} from './ops.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import { ftraceFreeFilter } from './set-filter.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * Direct calls by an ops that the client owns: every function of its filter calls one trampoline. The functions
 * were called `*_ftrace_direct_multi` from 5.15 to 6.3 and have no suffix since 6.4.
 *
 * ```text
 *   call site (text)         record (dyn_ftrace)          direct_functions   ops#1
 *   -----------------------  ---------------------------  -----------------  ----------------------
 *   f1: call tramp#1     <-- count 1, DIRECT | DIRECT_EN  f1 -> tramp#1  <-- filter {f1, f2}
 *   f2: call ftrace_regs_caller                           f2 -> tramp#1      func call_direct_funcs
 *         |              <-- count 2, DIRECT | REGS_EN                       direct_call tramp#1
 *         |                  a second ops traces f2: DIRECT is wanted, not in effect
 *         v
 *       ops list -> call_direct_funcs(): orig_ax = tramp#1 -> ftrace_regs_caller jumps to tramp#1
 * ```
 *
 * 1. register_ftrace_direct() checks the ops without a lock, then takes `direct_mutex` and refuses a filter of
 *    which any site already has an entry in `direct_functions` (EBUSY).
 * 2. The entries are published before the ops is registered, because ftrace_get_addr_new() reads the address from
 *    `direct_functions` while it patches the site.
 * 3. A site calls the trampoline itself only while its record counts a single ops; with a second one it calls
 *    ftrace_regs_caller, and call_direct_funcs() hands the address over in `orig_ax`.
 * 4. Unregistration runs in the opposite order: the ops leaves the list, the records and the text first, and its
 *    entries are removed when no site needs them.
 * 5. A reader of `direct_functions` may be preempted in the middle of a bucket, so the table that a registration
 *    replaces is freed after an RCU-tasks grace period (register_ftrace_direct_cb()).
 *
 * Lock order: `direct_mutex`, `ftrace_lock`, `text_mutex`.
 */

export interface DirectArgs {
  ops: OpsId;
  addr: CodeName;
}

/** check_direct_multi(), and whether the ops has been initialised: anything else is EINVAL. */
export function notDirect(k: FtraceView, { ops }: { ops: OpsId }): boolean {
  const { flags } = opsOf(k, ops);
  return (flags & FTRACE_OPS_FL_INITIALIZED) === 0 || (flags & MULTI_FLAGS) !== MULTI_FLAGS;
}

/** `FTRACE_OPS_FL_ENABLED` is set by ftrace_startup() and cleared by ftrace_shutdown(); no lock is held here. */
export function notEnabled(k: FtraceView, locals: { ops: OpsId }): boolean {
  return !opsHas(k, locals, FTRACE_OPS_FL_ENABLED);
}

/**
 * register_ftrace_direct(ops, addr), kernel/trace/ftrace.c; register_ftrace_direct_multi() until 6.3. The first
 * four checks run without `direct_mutex`: of two callers that register the same ops, both may pass them, and the
 * EBUSY check under the lock stops the second one.
 */
export const registerFtraceDirect = routine<FtraceWorld, DirectArgs, DirectArgs & Replaced>(
  'register_ftrace_direct',
  (words) => {
    const { refuse, attempt } = words;
    return [
      refuse('EINVAL', 'the ops has a func or a trampoline', (k, { ops }) => {
        const { func, trampoline } = opsOf(k, ops);
        return func !== '' || trampoline !== '';
      }),
      refuse('EINVAL', 'the ops is not initialised', notInitialised),
      refuse('EINVAL', 'the ops is enabled', (k, locals) => !notEnabled(k, locals)),
      refuse('EINVAL', 'the filter is empty', (k, { ops }) => readHash(k, ops, 'filter').length === 0),
      attempt(registerLocked(words), [freeReplaced(words)]),
      freeReplaced(words),
    ];
  },
);

/**
 * The part under `direct_mutex`. register_ftrace_function_nolock() is called, not register_ftrace_function():
 * that one takes `direct_mutex` itself, and the check against IPMODIFY ops that it makes is for ops that are not
 * direct.
 */
function registerLocked(words: RoutineWords<FtraceWorld, DirectArgs & Replaced>): Part[] {
  const { refuse, holding, allocate, step, attempt, call, when } = words;
  return [
    holding('direct_mutex', [
      refuse('EBUSY', 'a site of the filter has a direct call', (k, { ops }) =>
        filterOf(k, ops).some((ip) => k.ftrace.directFunctions[ip] !== undefined),
      ),
      when(
        'the table is changed in place',
        isOneTable,
        [makeRoom(words), allocate('the entries'), step('enter direct_functions', enterDirectFunctions)],
        [allocate('the new direct_functions'), step('publish direct_functions', publishWithFilter)],
      ),
      step('make the ops direct', makeDirect),
      attempt(
        [call(registerFtraceFunctionNolock, (_, { ops }) => ({ ops }))],
        [
          step('remove the direct calls', removeDirectFunctions),
          step('reset the ops', (k, { ops }) => {
            if (hasResetDirect(k)) resetOps(k, ops);
          }),
        ],
      ),
    ]),
  ];
}

/** Until 6.3 there is one table, which ftrace_add_rec_direct() fills in place. */
function isOneTable({ profile }: FtraceView): boolean {
  return profileNamed(profile).directApi === 'ip and multi';
}

/**
 * Entries become visible one by one. A reader that finds one early does no harm: its call site is not patched
 * yet, and no record has the DIRECT flag.
 */
function enterDirectFunctions(k: FtraceWorld, { ops, addr }: DirectArgs): void {
  for (const ip of filterOf(k, ops)) k.ftrace.directFunctions[ip] = addr;
}

/**
 * Since 6.7 a registration copies the table, adds its entries, and publishes the copy with rcu_assign_pointer():
 * a lookup sees all of the new entries or none.
 */
function publishWithFilter(k: FtraceWorld, locals: DirectArgs & Replaced): void {
  const copy = { ...k.ftrace.directFunctions };
  for (const ip of filterOf(k, locals.ops)) copy[ip] = locals.addr;
  locals.replaced = publishDirectFunctions(k, copy);
}

/**
 * The table that was replaced. Until 6.3 the client itself waits for the readers (synchronize_rcu_tasks(), after
 * `direct_mutex` is released); later kernels free it from call_rcu_tasks().
 */
function freeReplaced(words: RoutineWords<FtraceWorld, DirectArgs & Replaced>): Part {
  return words.when(
    'the table is changed in place',
    isOneTable,
    [freeGrown(words)],
    [words.reclaim('free the old direct_functions', registerFtraceDirectCb, (_, { replaced }) => replaced)],
  );
}

/**
 * reset_direct() also clears func and trampoline, so that bpf_trampoline_update() can register the same ops again
 * after EAGAIN. It runs under `direct_mutex`. 6.1 only removes the entries.
 */
function hasResetDirect({ profile }: FtraceView): boolean {
  return profileNamed(profile).directReset;
}

/**
 * Up to 6.12 the flags are assigned, which loses whatever the client has set (IPMODIFY, RCU …) and keeps only
 * `MULTI_FLAGS`; 7.2 adds them. `FTRACE_REGS_ADDR` as the trampoline keeps arch_ftrace_update_trampoline() from
 * allocating one for the ops.
 */
function makeDirect(k: FtraceWorld, { ops: name, addr }: DirectArgs): void {
  const ops = ensureOps(k, name);
  ops.func = 'call_direct_funcs';
  ops.flags = profileNamed(k.profile).directFlagsAssigned ? MULTI_FLAGS : ops.flags | MULTI_FLAGS;
  ops.trampoline = 'ftrace_regs_caller';
  ops.directCall = addr;
}

/**
 * remove_direct_functions_hash(): only the entries with this address. Entries that another interface has changed
 * survive, and with them a pointer to a trampoline that its owner may free.
 */
function removeDirectFunctions(k: FtraceWorld, { ops, addr }: DirectArgs): void {
  for (const ip of readHash(k, ops, 'filter')) {
    const direct = k.ftrace.directFunctions[ip];
    if (direct !== undefined && ftraceJmpGet(direct) === ftraceJmpGet(addr))
      delete k.ftrace.directFunctions[ip];
  }
}

/** The second half of reset_direct(): without it the EINVAL checks above refuse the ops for good. */
export function resetOps(k: FtraceWorld, name: OpsId): void {
  const ops = ensureOps(k, name);
  ops.func = '';
  ops.trampoline = '';
}

interface UnregisterArgs extends DirectArgs {
  freeFilters: boolean;
}

/** The errno of unregister_ftrace_function() is kept: the entries are removed even when it fails. */
interface UnregisterLocals extends UnregisterArgs {
  errno: Errno | 0;
}

/**
 * unregister_ftrace_direct(ops, addr, free_filters). A wrong `addr` is not refused: the ops is unregistered, and
 * its entries stay in `direct_functions`. When ftrace_shutdown() fails because ftrace is dead, the site still
 * calls the trampoline, but its entry is gone.
 */
export const unregisterFtraceDirect = routine<FtraceWorld, UnregisterArgs, UnregisterLocals>(
  'unregister_ftrace_direct',
  ({ refuse, refuseWith, holding, call, step, when }) => [
    refuse('EINVAL', 'the ops is not direct', notDirect),
    refuse('EINVAL', 'the ops is not enabled', notEnabled),
    holding('direct_mutex', [
      call(
        unregisterFtraceFunction,
        (_, { ops }) => ({ ops }),
        (_, locals, errno) => {
          locals.errno = errno;
        },
      ),
      step('remove the direct calls', removeDirectFunctions),
      when('reset_direct()', hasResetDirect, [step('reset the ops', (k, { ops }) => resetOps(k, ops))]),
    ]),
    when('it is for another register call', (k) => !hasResetDirect(k), [
      step('reset the ops', (k, { ops }) => resetOps(k, ops)),
    ]),
    when('the filters are freed', (_, { freeFilters }) => freeFilters, [
      call(ftraceFreeFilter, (_, { ops }) => ({ ops })),
    ]),
    refuseWith(['ENODEV', 'EBUSY'], 'unregister_ftrace_function failed', (_, { errno }) =>
      errno === 0 ? undefined : errno,
    ),
  ],
);
