import type { Errno } from '../core/errno.ts';
import type { CodeName, OpsId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Replaced } from './direct-table.ts';
import { freeGrown, makeRoom, publishDirectFunctions, registerFtraceDirectCb } from './direct-table.ts';
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
 * Direct calls with an ops of the client's own: all functions of its filter lead to one trampoline. Called
 * `*_ftrace_direct_multi` from 5.15 to 6.3, and without the suffix since 6.4.
 */

export interface DirectArgs {
  ops: OpsId;
  addr: CodeName;
}

/** check_direct_multi(), and whether the ops is registered. */
export function notDirect(k: FtraceView, { ops }: { ops: OpsId }): boolean {
  const { flags } = opsOf(k, ops);
  return (flags & FTRACE_OPS_FL_INITIALIZED) === 0 || (flags & MULTI_FLAGS) !== MULTI_FLAGS;
}

export function notEnabled(k: FtraceView, locals: { ops: OpsId }): boolean {
  return !opsHas(k, locals, FTRACE_OPS_FL_ENABLED);
}

/** register_ftrace_direct(ops, addr), kernel/trace/ftrace.c; register_ftrace_direct_multi() until 6.3. */
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
      refuse('EINVAL', 'the filter is empty', (k, { ops }) => filterOf(k, ops).length === 0),
      attempt(registerLocked(words), [freeReplaced(words)]),
      freeReplaced(words),
    ];
  },
);

function registerLocked(words: RoutineWords<FtraceWorld, DirectArgs & Replaced>): Part[] {
  const { refuse, holding, allocate, step, attempt, call, when } = words;
  return [
    holding('direct_mutex', [
      refuse('EBUSY', 'a site of the filter has a direct call', (k, { ops }) =>
        filterOf(k, ops).some((ip) => k.ftrace.directFunctions[ip] !== undefined),
      ),
      allocate('the new direct_functions'),
      when(
        'the table is changed in place',
        isOneTable,
        [makeRoom(words), step('enter direct_functions', enterDirectFunctions)],
        [step('publish direct_functions', publishWithFilter)],
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

function isOneTable({ profile }: FtraceView): boolean {
  return profileNamed(profile).directApi === 'ip and multi';
}

/** Entries become visible one by one, each with its own call site still as it was. */
function enterDirectFunctions(k: FtraceWorld, { ops, addr }: DirectArgs): void {
  for (const ip of filterOf(k, ops)) k.ftrace.directFunctions[ip] = addr;
}

function publishWithFilter(k: FtraceWorld, locals: DirectArgs & Replaced): void {
  const added = Object.fromEntries(filterOf(k, locals.ops).map((ip) => [ip, locals.addr]));
  locals.replaced = publishDirectFunctions(k, { ...k.ftrace.directFunctions, ...added });
}

/** The table that was replaced: the client waits for its readers, or (6.4 and later) leaves that to the background. */
function freeReplaced(words: RoutineWords<FtraceWorld, DirectArgs & Replaced>): Part {
  return words.when(
    'the table is changed in place',
    isOneTable,
    [freeGrown(words)],
    [words.reclaim('free the old direct_functions', registerFtraceDirectCb, (_, { replaced }) => replaced)],
  );
}

/** reset_direct() belongs to the registration that can be tried once more, and runs with `direct_mutex` held. */
function hasResetDirect({ profile }: FtraceView): boolean {
  return profileNamed(profile).directReset;
}

function makeDirect(k: FtraceWorld, { ops: name, addr }: DirectArgs): void {
  const ops = ensureOps(k, name);
  ops.func = 'call_direct_funcs';
  ops.flags = profileNamed(k.profile).directFlagsAssigned ? MULTI_FLAGS : ops.flags | MULTI_FLAGS;
  ops.trampoline = 'ftrace_regs_caller';
  ops.directCall = addr;
}

/** remove_direct_functions_hash(): only the entries that lead to this address. */
function removeDirectFunctions(k: FtraceWorld, { ops, addr }: DirectArgs): void {
  for (const ip of filterOf(k, ops)) {
    const direct = k.ftrace.directFunctions[ip];
    if (direct !== undefined && ftraceJmpGet(direct) === ftraceJmpGet(addr))
      delete k.ftrace.directFunctions[ip];
  }
}

export function resetOps(k: FtraceWorld, name: OpsId): void {
  const ops = ensureOps(k, name);
  ops.func = '';
  ops.trampoline = '';
}

interface UnregisterArgs extends DirectArgs {
  freeFilters: boolean;
}

interface UnregisterLocals extends UnregisterArgs {
  errno: Errno | 0;
}

/** unregister_ftrace_direct(ops, addr, free_filters). Entries that lead to another address than `addr` stay. */
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
