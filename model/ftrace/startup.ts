import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { addressOf } from '../text/space.ts';
import { allocatePage, freePage } from '../text/text.ts';
import { ftraceHashRecUpdate } from './accounting.ts';
import { opsTrampoline } from './entry/ops-trampoline.ts';
import { hashUpdateIpmodify } from './ipmodify.ts';
import {
  FTRACE_OPS_FL_ADDING,
  FTRACE_OPS_FL_ALLOC_TRAMP,
  FTRACE_OPS_FL_DELETED,
  FTRACE_OPS_FL_DYNAMIC,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_PERMANENT,
  FTRACE_OPS_FL_RCU,
  FTRACE_OPS_FL_REMOVING,
  FTRACE_OPS_FL_SAVE_REGS,
  filterOf,
  ftraceOpsGetFunc,
  isCoreOps,
  notraceOf,
  opsOf,
  opsPointer,
} from './ops.ts';
import { FTRACE_FL_DISABLED } from './record.ts';
import {
  FTRACE_UPDATE_CALLS,
  FTRACE_UPDATE_TRACE_FUNC,
  ftraceRunUpdateCode,
  LIST_FUNC,
} from './update-code.ts';
import type { FtraceWorld } from './world.ts';
import { ftraceWarnOn, LIST_END } from './world.ts';

export interface OpsArgs {
  ops: string;
}

interface Startup extends OpsArgs {
  command: number;
}

/** __register_ftrace_function(): onto the list. From here on the function that walks the list can call the handler. */
const registerOnList = routine<FtraceWorld, OpsArgs>('__register_ftrace_function', ({ refuse, step }) => [
  refuse('EINVAL', 'the ops was deleted', (k, at) => flag(k, at, FTRACE_OPS_FL_DELETED)),
  refuse('EBUSY', 'the ops is enabled', (k, at) => {
    const enabled = flag(k, at, FTRACE_OPS_FL_ENABLED);
    if (enabled) warn(k, 'an enabled ops is registered (__register_ftrace_function)');
    return enabled;
  }),
  refuse(
    'EBUSY',
    'the ops is permanent and kernel.ftrace_enabled is 0',
    (k, at) => !k.ftrace.enabled && flag(k, at, FTRACE_OPS_FL_PERMANENT),
  ),
  step('publish the ops', (k, at) => {
    const ops = opsOf(k, at.ops);
    if (!isCoreOps(at.ops)) ops.flags |= FTRACE_OPS_FL_DYNAMIC;
    k.ftrace.opsList.unshift(at.ops);
    ops.savedFunc = ops.func;
  }),
  step('update the trampoline of the ops', (k, at) => updateTrampoline(k, at.ops)),
  step('choose the trace function', (k) => {
    if (k.ftrace.enabled) updateFtraceFunction(k);
  }),
]);

/** __unregister_ftrace_function(): off the list. */
const unregisterFromList = routine<FtraceWorld, OpsArgs>(
  '__unregister_ftrace_function',
  ({ refuse, step }) => [
    refuse('EBUSY', 'the ops is not enabled', (k, at) => {
      const enabled = flag(k, at, FTRACE_OPS_FL_ENABLED);
      if (!enabled) warn(k, 'an ops that is not enabled is unregistered (__unregister_ftrace_function)');
      return !enabled;
    }),
    refuse('EPERM', 'the ops is not on the list', (k, at) => !k.ftrace.opsList.includes(at.ops)),
    step('unlink the ops', (k, at) => {
      k.ftrace.opsList = k.ftrace.opsList.filter((name) => name !== at.ops);
    }),
    step('choose the trace function', (k) => {
      if (k.ftrace.enabled) updateFtraceFunction(k);
    }),
    step('restore the func', (k, at) => {
      const ops = opsOf(k, at.ops);
      ops.func = ops.savedFunc;
    }),
  ],
);

/** ftrace_startup(): an ops begins to trace. */
export const ftraceStartup = routine<FtraceWorld, Startup>(
  'ftrace_startup',
  ({ refuse, call, step, attempt, when }) => [
    refuse('ENODEV', 'ftrace is dead', (k) => k.ftrace.disabled),
    call(registerOnList, (_, { ops }) => ({ ops })),
    step('mark enabled and adding', (k, at) => {
      k.ftrace.startUp++;
      opsOf(k, at.ops).flags |= FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_ADDING;
    }),
    attempt(
      [
        call(hashUpdateIpmodify, (k, { ops }) => ({
          ops,
          from: [],
          to: filterOf(k, ops),
          toAll: filterOf(k, ops).length === 0,
          updateTarget: false,
        })),
      ],
      [
        call(
          unregisterFromList,
          (_, { ops }) => ({ ops }),
          () => {},
        ),
        step('take the enabling back', (k, at) => {
          k.ftrace.startUp--;
          opsOf(k, at.ops).flags &= ~FTRACE_OPS_FL_ENABLED;
          if (flag(k, at, FTRACE_OPS_FL_DYNAMIC)) freeTrampoline(k, at.ops);
        }),
      ],
    ),
    step('count the ops in its records', (k, at) => {
      if (ftraceHashRecUpdate(k, at.ops, true)) at.command |= FTRACE_UPDATE_CALLS;
      takeTraceFunction(k, at);
    }),
    when('text has to change', needsUpdate, [call(ftraceRunUpdateCode, (_, { command }) => ({ command }))]),
    attempt(
      [refuse('ENODEV', 'ftrace died over it', (k) => k.ftrace.disabled)],
      [
        call(
          unregisterFromList,
          (_, { ops }) => ({ ops }),
          () => {},
        ),
      ],
    ),
    step('adding is over', (k, at) => {
      opsOf(k, at.ops).flags &= ~FTRACE_OPS_FL_ADDING;
    }),
  ],
);

/** ftrace_shutdown(): an ops stops tracing. One that may be freed afterwards is waited for first. */
export const ftraceShutdown = routine<FtraceWorld, Startup>(
  'ftrace_shutdown',
  ({ refuse, call, step, when, wait }) => [
    refuse('ENODEV', 'ftrace is dead', (k) => k.ftrace.disabled),
    call(unregisterFromList, (_, { ops }) => ({ ops })),
    step('count one ops less', (k) => {
      k.ftrace.startUp--;
      if (k.ftrace.startUp < 0) warn(k, 'ftrace_start_up is negative (ftrace_shutdown)');
    }),
    call(
      hashUpdateIpmodify,
      (k, { ops }) => ({
        ops,
        from: filterOf(k, ops),
        fromAll: filterOf(k, ops).length === 0,
        to: [],
        updateTarget: false,
      }),
      () => {},
    ),
    step('take the ops from its records', (k, at) => {
      if (ftraceHashRecUpdate(k, at.ops, false)) at.command |= FTRACE_UPDATE_CALLS;
      opsOf(k, at.ops).flags &= ~FTRACE_OPS_FL_ENABLED;
      takeTraceFunction(k, at);
    }),
    when('text has to change', needsUpdate, [
      step('mark removing', (k, at) => {
        const ops = opsOf(k, at.ops);
        ops.flags |= FTRACE_OPS_FL_REMOVING;
        ops.oldFilter = filterOf(k, at.ops);
        ops.oldNotrace = notraceOf(k, at.ops);
        k.ftrace.removedOps = at.ops;
      }),
      call(ftraceRunUpdateCode, (_, { command }) => ({ command })),
      step('check that the records are clear', (k) => {
        if (k.ftrace.opsList.length > 0) return;
        const stale = Object.values(k.ftrace.records).some(
          ({ flags }) => (flags & ~FTRACE_FL_DISABLED) !== 0,
        );
        ftraceWarnOn(k, stale, 'a record has flags and no ops is registered (ftrace_shutdown)');
      }),
      step('removing is over', (k, at) => {
        const ops = opsOf(k, at.ops);
        ops.flags &= ~FTRACE_OPS_FL_REMOVING;
        ops.oldFilter = null;
        ops.oldNotrace = null;
        k.ftrace.removedOps = '';
      }),
    ]),
    when('the ops may be freed', (k, at) => flag(k, at, FTRACE_OPS_FL_DYNAMIC), [
      wait('rcu_tasks_rude'),
      wait('rcu_tasks'),
      step('free the trampoline', (k, { ops }) => freeTrampoline(k, ops)),
    ]),
  ],
);

function flag(k: FtraceWorld, { ops }: OpsArgs, bit: number): boolean {
  return (opsOf(k, ops).flags & bit) !== 0;
}

/** The comparison with `saved_ftrace_func` in ftrace_startup_enable() and ftrace_shutdown(). */
export function takeTraceFunction(k: FtraceWorld, at: { command: number }): void {
  if (k.ftrace.savedTraceFunction === k.ftrace.traceFunction) return;
  k.ftrace.savedTraceFunction = k.ftrace.traceFunction;
  at.command |= FTRACE_UPDATE_TRACE_FUNC;
}

export function needsUpdate(k: FtraceWorld, { command }: { command: number }): boolean {
  return command !== 0 && k.ftrace.enabled;
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

/**
 * arch_ftrace_update_trampoline(): an ops that brings no trampoline gets a copy of the entry code that calls its
 * handler. When there is no memory for it, it goes without.
 */
function updateTrampoline(k: FtraceWorld, name: string): void {
  const ops = opsOf(k, name);
  if (ops.trampoline !== '') return;
  const page = `${name}.trampoline`;
  if (k.fault?.what === 'allocation' && k.fault.where === 'arch_ftrace_update_trampoline') {
    k.fault = null;
    return;
  }
  allocatePage(k, page, '');
  const regs = (ops.flags & FTRACE_OPS_FL_SAVE_REGS) !== 0;
  k.text.pages[page]!.bytes = opsTrampoline(
    regs,
    addressOf(k, page),
    addressOf(k, ftraceOpsGetFunc(ops)),
    opsPointer(k, name),
  );
  ops.trampoline = page;
  ops.flags |= FTRACE_OPS_FL_ALLOC_TRAMP;
}

/** ftrace_trampoline_free(): only what was allocated for the ops. */
function freeTrampoline(k: FtraceWorld, name: string): void {
  const ops = opsOf(k, name);
  if ((ops.flags & FTRACE_OPS_FL_ALLOC_TRAMP) === 0 || ops.trampoline === '') return;
  freePage(k, ops.trampoline);
  ops.trampoline = '';
  ops.flags &= ~FTRACE_OPS_FL_ALLOC_TRAMP;
}
