import { FTRACE_OPS_FL_ENABLED } from '../../model/ftrace/ops.ts';
import type { GuardedState, Write } from './guarded-state.ts';
import { isModuleGone } from './private-writes.ts';

const FTRACE_C = 'kernel/trace/ftrace.c';
const FGRAPH_C = 'kernel/trace/fgraph.c';

/** ftrace_kill() is for panic code: it takes no lock. */
function isNoKill({ before, after }: Write): boolean {
  return before.ftrace.disabled === after.ftrace.disabled;
}

/**
 * FTRACE_OPS_FL_ENABLED. The other flags have writers of their own: clients set some before they register,
 * ftrace_ops_init() sets INITIALIZED, and register_ftrace_direct() overwrites all under direct_mutex.
 */
function isRegistered({ old, new: now }: Write): boolean {
  return typeof old === 'number' && typeof now === 'number' && ((old ^ now) & FTRACE_OPS_FL_ENABLED) !== 0;
}

/**
 * The hashes of a registered ops; those of another one are its client's. In 6.1 ftrace_free_filter() frees those of an
 * ops that a dead ftrace keeps.
 */
function isInUse(write: Write): boolean {
  const { before, after, keys } = write;
  const isEnabled = [before, after].every(
    ({ ftrace }) => ((ftrace.ops[keys[0] ?? '']?.flags ?? 0) & FTRACE_OPS_FL_ENABLED) !== 0,
  );
  return isEnabled && !after.ftrace.disabled && !isModuleGone(write);
}

function ofFtraceLock(states: readonly string[], source: string): GuardedState[] {
  return states.map((state) => ({ state, locks: ['ftrace_lock'], source }));
}

/** kernel/trace/ftrace.c and fgraph.c. */
export const OF_FTRACE: readonly GuardedState[] = [
  ...ofFtraceLock(
    ['ftrace.opsList', 'ftrace.removedOps'],
    `${FTRACE_C}  ftrace_ops_list: rcu_dereference_protected(…, lockdep_is_held(&ftrace_lock))`,
  ),
  ...ofFtraceLock(
    ['ftrace.startUp', 'ftrace.savedTraceFunction', 'ftrace.innerFunction'],
    `${FTRACE_C}  ftrace_startup, ftrace_shutdown, ftrace_run_update_code: called under ftrace_lock`,
  ),
  ...ofFtraceLock(
    ['ftrace.functionTraceOp', 'ftrace.setFunctionTraceOp'],
    `${FTRACE_C}  update_ftrace_function: lockdep_is_held(&ftrace_lock)`,
  ),
  ...ofFtraceLock(
    ['ftrace.records.**'],
    `${FTRACE_C}  struct dyn_ftrace: "flags" is changed under ftrace_lock (__ftrace_hash_rec_update)`,
  ),
  ...ofFtraceLock(
    ['ftrace.ops.*.oldFilter', 'ftrace.ops.*.oldNotrace'],
    `${FTRACE_C}  ftrace_run_modify_code: old_hash is of one change, under ftrace_lock`,
  ),
  {
    state: 'ftrace.enabled',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  ftrace_enable_sysctl; ftrace_kill takes none`,
    when: isNoKill,
  },
  {
    state: 'ftrace.traceFunction',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  update_ftrace_function; ftrace_kill takes none`,
    when: isNoKill,
  },
  {
    state: 'ftrace.ops.*.flags',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  ftrace_startup, ftrace_shutdown`,
    when: isRegistered,
  },
  {
    state: 'ftrace.ops.*.filter',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  ftrace_hash_move: rcu_assign_pointer under ftrace_lock`,
    when: isInUse,
  },
  {
    state: 'ftrace.ops.*.notrace',
    locks: ['ftrace_lock'],
    source: `${FTRACE_C}  ftrace_hash_move: rcu_assign_pointer under ftrace_lock`,
    when: isInUse,
  },
  {
    state: 'ftrace.ops.*.directCall',
    locks: ['direct_mutex'],
    source: `${FTRACE_C}  __modify_ftrace_direct: lockdep_assert_held_once(&direct_mutex)`,
    // What a dead ftrace keeps on its list is freed under it, and may be made again.
    when: ({ after }) => !after.ftrace.disabled,
  },
  {
    state: 'ftrace.directFunctions.*',
    locks: ['direct_mutex'],
    source: `${FTRACE_C}  direct_functions: "protected by direct_mutex"`,
    when: (write) => !isModuleGone(write),
  },
  ...['ftrace.directFuncs', 'ftrace.lostEntries', 'ftrace.directOpsHasHash'].map((state) => ({
    state,
    locks: ['direct_mutex'],
    source: `${FTRACE_C}  register_ftrace_direct, ftrace_find_direct_func (6.1): "direct_mutex must be held"`,
  })),
  ...ofFtraceLock(
    ['fgraph.active', 'fgraph.array', 'fgraph.lru', 'fgraph.subops', 'fgraph.suspendNotifier'],
    `${FGRAPH_C}  register_ftrace_graph, unregister_ftrace_graph: guard(mutex)(&ftrace_lock)`,
  ),
  ...ofFtraceLock(
    ['fgraph.directEntryfunc', 'fgraph.directRetfunc', 'fgraph.directGops', 'fgraph.doDirect'],
    `${FGRAPH_C}  ftrace_graph_enable_direct, ftrace_graph_disable_direct: under ftrace_lock`,
  ),
  ...ofFtraceLock(
    ['fgraph.switchProbe', 'fgraph.gops.*.idx', 'fgraph.gops.*.registered'],
    `${FGRAPH_C}  register_ftrace_graph: under ftrace_lock`,
  ),
];
