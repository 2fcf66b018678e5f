import type { OpsId } from '../core/ids.ts';
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
  isCoreOps,
  opsHas,
  opsOf,
} from './ops.ts';
import { updateTrampoline } from './ops-page.ts';
import { LIST_FUNC } from './update-code.ts';
import type { FtraceView, FtraceWorld } from './world.ts';
import { LIST_END } from './world.ts';

/*
 * The list of registered ops (`ftrace_ops_list`), and what follows from it: the one function that the shared entry code
 * calls.
 */

export interface OpsArgs {
  ops: OpsId;
}

/** __register_ftrace_function(): onto the list. From here on the function that walks the list can call the handler. */
export const registerOnList = routine<FtraceWorld, OpsArgs>(
  '__register_ftrace_function',
  ({ refuse, step }) => [
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
    step('publish the ops', (k, locals) => {
      const ops = ensureOps(k, locals.ops);
      if (!isCoreOps(locals.ops)) ops.flags |= FTRACE_OPS_FL_DYNAMIC;
      k.ftrace.opsList.unshift(locals.ops);
      delete k.ftrace.unlinked[locals.ops];
      ops.savedFunc = ops.func;
    }),
    step('update the trampoline of the ops', (k, locals) => updateTrampoline(k, locals.ops)),
    step('choose the trace function', (k) => {
      if (k.ftrace.enabled) updateFtraceFunction(k);
    }),
  ],
);

/** __unregister_ftrace_function(): off the list. */
export const unregisterFromList = routine<FtraceWorld, OpsArgs>(
  '__unregister_ftrace_function',
  ({ refuse, step }) => [
    refuse('EBUSY', 'the ops is not enabled', (k, locals) => {
      const enabled = opsHas(k, locals, FTRACE_OPS_FL_ENABLED);
      if (!enabled) warn(k, { is: 'ops not enabled' });
      return !enabled;
    }),
    refuse('EPERM', 'the ops is not on the list', (k, locals) => !k.ftrace.opsList.includes(locals.ops)),
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

/** `ops->next`. An ops that is off the list leads to what came after it then; memory that was never on it, nowhere. */
export function nextOps({ ftrace }: FtraceView, name: OpsId): OpsId {
  const index = ftrace.opsList.indexOf(name);
  return (index < 0 ? ftrace.unlinked[name] : ftrace.opsList[index + 1]) ?? LIST_END;
}

/**
 * update_ftrace_function(): what the shared entry code shall call. A single ops is called itself if it is in the
 * kernel's own data; one that may be freed is called through the list, and so are several.
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
}
