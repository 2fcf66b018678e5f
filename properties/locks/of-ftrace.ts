import type { OpsId } from '../../model/core/ids.ts';
import { profileNamed } from '../../model/core/profile.ts';
import {
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_MODIFYING,
  FTRACE_OPS_FL_REMOVING,
} from '../../model/ftrace/ops.ts';
import type { GuardedState, Write } from './guarded-state.ts';
import { isModuleGone } from './private-writes.ts';

const FTRACE_C = 'kernel/trace/ftrace.c';
const FGRAPH_C = 'kernel/trace/fgraph.c';

/** What ftrace_kill() writes, which takes no lock. */
function isKill({ before, after }: Write): boolean {
  return !before.ftrace.disabled && after.ftrace.disabled;
}

/** Written by ftrace_startup(), ftrace_shutdown() and ftrace_run_modify_code(). */
const UNDER_FTRACE_LOCK = FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_REMOVING | FTRACE_OPS_FL_MODIFYING;

/**
 * The other flags have writers of their own: clients set some before they register, ftrace_ops_init() sets INITIALIZED,
 * and register_ftrace_direct() overwrites all under `direct_mutex`, of an ops that is not enabled; so it clears the ADDING
 * that a ftrace_startup() that has failed leaves.
 */
function isOfFtraceLock({ old, new: now }: Write): boolean {
  return typeof old === 'number' && typeof now === 'number' && ((old ^ now) & UNDER_FTRACE_LOCK) !== 0;
}

/**
 * The hashes of a registered ops. Those of another one are its client's: ftrace_free_filter() takes no lock, and
 * update_ftrace_direct_add() of the first sites (7.2) has `direct_mutex`. One over which ftrace has died keeps ENABLED, and
 * is off the list: ftrace_startup() answers ENODEV, and its client frees the hashes.
 */
function isInUse(write: Write): boolean {
  const { opsList, disabled } = write.after.ftrace;
  const isOffTheList = disabled && !opsList.includes(write.keys[0] as OpsId);
  return isEnabled(write) && !isOffTheList && !isModuleGone(write);
}

function isEnabled({ after, keys }: Write): boolean {
  return ((after.ftrace.ops[keys[0] ?? '']?.flags ?? 0) & FTRACE_OPS_FL_ENABLED) !== 0;
}

/** Where a link splits trampolines it frees their ops, and may make another of the same name. */
function isMadeAgain(write: Write): boolean {
  return !isEnabled(write) && SPLITS.includes(profileNamed(write.after.profile).multiLinks);
}

const SPLITS: readonly string[] = ['splitting', 'program sets'];

function ofFtraceLock(states: readonly string[], source: string): GuardedState[] {
  return states.map((state) => ({ state, locks: ['ftrace_lock'], source }));
}

/** kernel/trace/ftrace.c and fgraph.c. */
export const OF_FTRACE: readonly GuardedState[] = [
  ...ofFtraceLock(
    ['ftrace.opsList', 'ftrace.removedOps'],
    `${FTRACE_C}  lockdep_is_held(&ftrace_lock) in remove_ftrace_ops, ftrace_shutdown`,
  ),
  ...ofFtraceLock(
    ['ftrace.startUp', 'ftrace.savedTraceFunction', 'ftrace.innerFunction'],
    `${FTRACE_C}  ftrace_startup, ftrace_shutdown, ftrace_modify_all_code: all callers hold ftrace_lock`,
  ),
  ...ofFtraceLock(
    ['ftrace.functionTraceOp', 'ftrace.setFunctionTraceOp'],
    `${FTRACE_C}  lockdep_is_held(&ftrace_lock) in update_ftrace_function; ftrace_modify_all_code`,
  ),
  ...ofFtraceLock(
    ['ftrace.records.**'],
    `${FTRACE_C}  __ftrace_hash_rec_update, ftrace_update_record, ftrace_module_enable, ftrace_release_mod`,
  ),
  ...ofFtraceLock(
    ['ftrace.ops.*.oldFilter', 'ftrace.ops.*.oldNotrace'],
    `${FTRACE_C}  ops->old_hash in ftrace_shutdown, ftrace_run_modify_code`,
  ),
  {
    state: 'ftrace.enabled',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  ftrace_enable_sysctl`,
    when: (write) => !(isKill(write) && write.new === false),
  },
  {
    state: 'ftrace.traceFunction',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  update_ftrace_function, ftrace_enable_sysctl`,
    when: (write) => !(isKill(write) && write.new === 'ftrace_stub'),
  },
  {
    state: 'ftrace.ops.*.flags',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  ftrace_startup, ftrace_shutdown, ftrace_run_modify_code`,
    when: isOfFtraceLock,
  },
  {
    state: 'ftrace.ops.*.filter',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  ftrace_hash_move in ftrace_set_hash, ftrace_regex_release`,
    when: isInUse,
  },
  {
    state: 'ftrace.ops.*.notrace',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  ftrace_hash_move in ftrace_set_hash, ftrace_regex_release`,
    when: isInUse,
  },
  {
    state: 'ftrace.ops.*.directCall',
    locks: ['direct_mutex'],
    source: `${FTRACE_C} (since 6.4)  register_ftrace_direct, __modify_ftrace_direct`,
    // bpf_trampoline_put() frees an ops that a dead ftrace has on its list, and new memory may be there.
    when: (write) => !write.after.ftrace.disabled && !isMadeAgain(write),
  },
  {
    state: 'ftrace.directFunctions.*',
    locks: ['direct_mutex'],
    source: `${FTRACE_C}  direct_functions: register_ftrace_direct, unregister_ftrace_direct, __modify_ftrace_direct`,
    when: (write) => !isModuleGone(write),
  },
  ...['ftrace.directFuncs', 'ftrace.lostEntries', 'ftrace.directOpsHasHash'].map((state) => ({
    state,
    locks: ['direct_mutex'],
    source: `${FTRACE_C} (6.1)  register_ftrace_direct, unregister_ftrace_direct, modify_ftrace_direct`,
  })),
  ...ofFtraceLock(
    ['fgraph.active', 'fgraph.array', 'fgraph.lru', 'fgraph.subops', 'fgraph.suspendNotifier'],
    `${FGRAPH_C}  register_ftrace_graph, unregister_ftrace_graph: ftrace_lock throughout`,
  ),
  ...ofFtraceLock(
    ['fgraph.directEntryfunc', 'fgraph.directRetfunc', 'fgraph.directGops', 'fgraph.doDirect'],
    `${FGRAPH_C}  ftrace_graph_enable_direct, ftrace_graph_disable_direct: callers hold ftrace_lock`,
  ),
  ...ofFtraceLock(
    ['fgraph.switchProbe', 'fgraph.gops.*.idx', 'fgraph.gops.*.registered'],
    `${FGRAPH_C}  register_ftrace_graph, start_graph_tracing`,
  ),
];
