import { forget } from '../core/forget.ts';
import type { OpsId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import {
  ensureOps,
  FTRACE_OPS_FL_DELETED,
  FTRACE_OPS_FL_DYNAMIC,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_PERMANENT,
  FTRACE_OPS_FL_RCU,
  ftraceOpsGetFunc,
  GLOBAL_OPS,
  GRAPH_OPS,
  isCoreOps,
  opsHas,
  opsOf,
} from './ops.ts';
import { archFtraceUpdateTrampoline } from './ops-page.ts';
import { LIST_FUNC } from './update-code.ts';
import type { FtraceView, FtraceWorld } from './world.ts';
import { LIST_END } from './world.ts';

/*
 * The list of registered ops (`ftrace_ops_list`), and the one function that the shared entry code calls because
 * of it.
 *
 * ```text
 *   ops on the list                                 ftrace_trace_function
 *   --------------------------------------------    -----------------------------------------
 *   none                                            ftrace_stub
 *   one, in the kernel's data, not RCU              its handler
 *   one that may be freed (DYNAMIC), or RCU         ftrace_ops_list_func
 *   several                                         ftrace_ops_list_func
 * ```
 *
 * `ftrace_lock` guards the list; ftrace_ops_list_func() walks it without a lock, with preemption disabled.
 */

export interface OpsArgs {
  ops: OpsId;
}

/**
 * __register_ftrace_function(): onto the list, the newest first. From here on ftrace_ops_list_func() may call the
 * handler. An ops outside the kernel's data is DYNAMIC from now on, and gets its own trampoline if memory allows.
 */
export const registerOnList = routine<FtraceWorld, OpsArgs>(
  '__register_ftrace_function',
  ({ refuse, step, call }) => [
    refuse('EINVAL', 'the ops was deleted', (k, locals) => opsHas(k, locals, FTRACE_OPS_FL_DELETED)),
    refuse('EBUSY', 'the ops is enabled', (k, locals) => {
      const enabled = opsHas(k, locals, FTRACE_OPS_FL_ENABLED);
      if (enabled) warn(k, { is: 'enabled ops registered' });
      return enabled;
    }),
    refuse(
      'EBUSY',
      'the ops is permanent and kernel.ftrace_enabled is 0',
      (k, locals) => !k.ftrace.enabled && opsHas(k, locals, FTRACE_OPS_FL_PERMANENT),
    ),
    // DYNAMIC decides at unregistration whether anything is waited for.
    step('publish the ops', (k, locals) => {
      const ops = ensureOps(k, locals.ops);
      if (!isCoreOps(locals.ops)) ops.flags |= FTRACE_OPS_FL_DYNAMIC;
      k.ftrace.opsList.unshift(locals.ops);
      delete k.ftrace.unlinked[locals.ops];
      ops.savedFunc = ops.func;
    }),
    call(archFtraceUpdateTrampoline, (_, { ops }) => ({ ops })),
    step('choose the trace function', (k) => {
      if (k.ftrace.enabled) updateFtraceFunction(k);
    }),
  ],
);

/**
 * __unregister_ftrace_function(): off the list. `ops->next` keeps its value for a walk that is on the ops. Its
 * errno is EPERM where the list does not have it, which remove_ftrace_ops() answers as -1.
 */
export const unregisterFromList = routine<FtraceWorld, OpsArgs>(
  '__unregister_ftrace_function',
  ({ refuse, step }) => [
    refuse('EBUSY', 'the ops is not enabled', (k, locals) => {
      const enabled = opsHas(k, locals, FTRACE_OPS_FL_ENABLED);
      if (!enabled) warn(k, { is: 'ops not enabled' });
      return !enabled;
    }),
    refuse('EPERM', 'the ops is not on the list', (k, locals) => !k.ftrace.opsList.includes(locals.ops)),
    // A walk that is on the ops continues through its old next pointer.
    step('unlink the ops', (k, locals) => {
      k.ftrace.unlinked[locals.ops] = nextOps(k, locals.ops);
      k.ftrace.opsList = k.ftrace.opsList.filter((name) => name !== locals.ops);
    }),
    step('choose the trace function', (k) => {
      if (k.ftrace.enabled) updateFtraceFunction(k);
    }),
    step('restore the func', (k, locals) => {
      const ops = ensureOps(k, locals.ops);
      ops.func = ops.savedFunc;
    }),
  ],
);

/** `ops->next`: of an ops that was unlinked, what came after it then; of one that was never linked, the end. */
export function nextOps({ ftrace }: FtraceView, name: OpsId): OpsId {
  const index = ftrace.opsList.indexOf(name);
  return (index < 0 ? ftrace.unlinked[name] : ftrace.opsList[index + 1]) ?? LIST_END;
}

/**
 * update_ftrace_function(). A single ops is called directly only if its memory cannot be freed under the call;
 * the text changes later, when ftrace_run_update_code() runs.
 */
export function updateFtraceFunction(k: FtraceWorld): void {
  const { opsList } = k.ftrace;
  const [first] = opsList;
  k.ftrace.setFunctionTraceOp = first ?? LIST_END;
  if (first === undefined) k.ftrace.traceFunction = 'ftrace_stub';
  else if (opsList.length === 1) {
    const ops = opsOf(k, first);
    const listed = (ops.flags & (FTRACE_OPS_FL_DYNAMIC | FTRACE_OPS_FL_RCU)) !== 0;
    k.ftrace.traceFunction = listed ? LIST_FUNC : ftraceOpsGetFunc(ops);
  } else {
    k.ftrace.setFunctionTraceOp = LIST_END;
    k.ftrace.traceFunction = LIST_FUNC;
  }
  updateFunctionGraphFunc(k);
}

/**
 * update_function_graph_func(), until 6.10: the sites of function graph are those of its filter, unless other ops are on the
 * list, whose sites may call it as well.
 */
export function updateFunctionGraphFunc({ profile, ftrace }: FtraceWorld): void {
  if (profileNamed(profile).fgraph !== 'single') return;
  if (ftrace.opsList.some((name) => name !== GRAPH_OPS && name !== GLOBAL_OPS)) ftrace.graphEntryTests = true;
  else forget(ftrace, 'graphEntryTests');
}
