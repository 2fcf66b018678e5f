import type { CodeName, Ip, OpsId } from '../core/ids.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { Warning } from '../core/warning.ts';
import { warn } from '../core/world.ts';
import type { TextWorld } from '../text/text.ts';
import type { FtraceOps } from './ops.ts';
import type { DynFtrace } from './record.ts';
import type { Tables } from './tables.ts';
import { bootTables } from './tables.ts';

/** `struct ftrace_direct_func`: how many sites call the trampoline. modify_ftrace_direct() may make two of one address. */
export interface DirectFunc {
  addr: CodeName;
  count: number;
}

/** State of kernel/trace/ftrace.c. `ftrace_lock` guards all of it but `direct_functions` (`direct_mutex`). */
export interface Ftrace {
  /** `kernel.ftrace_enabled`. */
  enabled: boolean;
  /** `ftrace_disabled`: ftrace no longer knows what the text holds and does nothing any more, until a reboot. */
  disabled: boolean;
  /** `ftrace_start_up`. */
  startUp: number;
  /** `ftrace_ops_list`, the newest first. */
  opsList: OpsId[];
  /**
   * `ops->next` of ops that were taken off the list, for a walk that is on one of them. Empty between two
   * operations: no walk is under way then.
   */
  unlinked: Record<OpsId, OpsId>;
  ops: Record<OpsId, FtraceOps>;
  /** Ops that the kernel freed while they were on `ftrace_ops_list`, as they were then. Absent: none. */
  staleOps?: Record<OpsId, FtraceOps>;
  /** Objects that clients freed: a pointer to one points to reused memory. */
  freed: string[];
  /** Names of ops by the place of their memory, for those that have a trampoline. */
  opsMemory: OpsId[];
  /** Records come and go with their modules: then the table is another one. */
  records: Readonly<Record<Ip, DynFtrace>>;
  /** `direct_functions`: the address of each site's direct call. */
  directFunctions: Record<Ip, CodeName>;
  /** The tables that pointers refer to: the current `direct_functions` and hashes, and those they replaced. */
  tables: Tables;
  /** `ftrace_direct_funcs`: descriptors of the (ip, addr) interface, the newest first. */
  directFuncs: DirectFunc[];
  /** Sites whose entry was removed from `direct_functions` and not freed. */
  lostEntries: Ip[];
  /** The filter of `direct_ops` has been set since boot; its hash is a NULL pointer before. */
  directOpsHasHash: boolean;
  /** `ftrace_trace_function`, and the same as it was when text was last changed. */
  traceFunction: string;
  savedTraceFunction: string;
  /** What `ftrace_call` was last made to call (`save_func` in update_ftrace_func()). */
  innerFunction: string;
  /** `function_trace_op`: the ops that the inner call's function gets, and the one to be set with the next change. */
  functionTraceOp: OpsId;
  setFunctionTraceOp: OpsId;
  /** `ftrace_graph_entry` tests the filter of `global_ops` (until 6.10). Absent: it does not. */
  graphEntryTests?: true;
  /** `removed_ops` while an ops is being shut down. */
  removedOps: OpsId;
}

export interface FtraceWorld extends TextWorld {
  ftrace: Ftrace;
}

/** Read-only. */
export type FtraceView = DeepReadonly<FtraceWorld>;

export const LIST_END = '';

export function bootFtrace(functions: readonly string[]): Ftrace {
  return {
    enabled: true,
    disabled: false,
    startUp: 0,
    opsList: [],
    unlinked: {},
    ops: {},
    freed: [],
    opsMemory: [],
    records: Object.fromEntries(functions.map((name) => [name, { count: 0, flags: 0 }])),
    directFunctions: {},
    tables: bootTables(),
    directFuncs: [],
    lostEntries: [],
    directOpsHasHash: false,
    traceFunction: 'ftrace_stub',
    savedTraceFunction: 'ftrace_stub',
    innerFunction: '',
    functionTraceOp: LIST_END,
    setFunctionTraceOp: LIST_END,
    removedOps: '',
  };
}

/**
 * FTRACE_WARN_ON(): a WARN, and ftrace_kill(): `ftrace_disabled`, no tracing function, every later call ENODEV.
 * Sites stay as they are, and so do the ops on the list.
 */
export function ftraceWarnOn(k: FtraceWorld, wrong: boolean, warning: Warning): boolean {
  if (!wrong) return false;
  warn(k, warning);
  k.ftrace.disabled = true;
  k.ftrace.enabled = false;
  k.ftrace.traceFunction = 'ftrace_stub';
  return true;
}
