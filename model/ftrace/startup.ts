import { fixedValues } from '../core/fixed-keys.ts';
import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { ftraceHashRecUpdate } from './accounting.ts';
import { readHash } from './filter-hash.ts';
import { hashUpdateIpmodify } from './ipmodify.ts';
import {
  ensureOps,
  FTRACE_OPS_FL_ADDING,
  FTRACE_OPS_FL_DYNAMIC,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_REMOVING,
  filterOf,
  notraceOf,
  opsHas,
} from './ops.ts';
import type { OpsArgs } from './ops-list.ts';
import { registerOnList, unregisterFromList } from './ops-list.ts';
import { ftraceTrampolineFree } from './ops-page.ts';
import { FTRACE_FL_DISABLED } from './record.ts';
import { FTRACE_UPDATE_CALLS, FTRACE_UPDATE_TRACE_FUNC, ftraceRunUpdateCode } from './update-code.ts';
import type { FtraceView, FtraceWorld } from './world.ts';
import { ftraceWarnOn } from './world.ts';

/*
 * An ops starts and stops tracing. `ftrace_lock` is held throughout.
 *
 * ```text
 *   ftrace_startup()                           ftrace_shutdown()
 *   ------------------------------------      -----------------------------------------
 *   onto the list, ENABLED | ADDING            off the list
 *   __ftrace_hash_update_ipmodify()            __ftrace_hash_update_ipmodify()
 *   count it in its records                    take it out of its records, clear ENABLED
 *   patch the text                             REMOVING, removed_ops; patch the text
 *   clear ADDING                               wait for rcu_tasks_rude and rcu_tasks (DYNAMIC)
 *                                              ftrace_trampoline_free(): wait for RCU, free its page
 * ```
 *
 * The ops is on the list before a site can call it, and off the list before its sites change: between, a call
 * that reaches the list function finds the ops or not, and both are right.
 */

interface Startup extends OpsArgs {
  command: number;
}

/**
 * ftrace_startup(). When patching kills ftrace, the ops is taken off the list and nothing else: its records and
 * its ENABLED flag stay, because undoing more could damage more. The client gets ENODEV.
 */
export const ftraceStartup = routine<FtraceWorld, Startup>('ftrace_startup', (words) => {
  const { refuse, call, step, attempt, when } = words;
  return [
    refuse('ENODEV', 'ftrace is dead', (k) => k.ftrace.disabled),
    call(registerOnList, (_, { ops }) => ({ ops })),
    // Before the records: ftrace_get_addr_curr() has to skip the ops while sites do not call it yet.
    step('mark enabled and adding', (k, locals) => {
      k.ftrace.startUp++;
      ensureOps(k, locals.ops).flags |= FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_ADDING;
    }),
    claimIpmodify(words),
    // From here on the records want the ops; the text follows below.
    step('count the ops in its records', (k, locals) => {
      if (ftraceHashRecUpdate(k, locals.ops, true)) locals.command |= FTRACE_UPDATE_CALLS;
      takeTraceFunction(k, locals);
    }),
    when('text has to change', needsUpdate, [call(ftraceRunUpdateCode, (_, { command }) => ({ command }))]),
    attempt([refuse('ENODEV', 'ftrace died over it', (k) => k.ftrace.disabled)], [leaveList(words)]),
    step('adding is over', (k, locals) => {
      ensureOps(k, locals.ops).flags &= ~FTRACE_OPS_FL_ADDING;
    }),
  ];
});

/**
 * ftrace_hash_ipmodify_enable(). An ops that is refused leaves the list again. The list function may have found it
 * for a short time: only the RCU grace period in ftrace_trampoline_free() lets its client free it.
 */
function claimIpmodify(words: RoutineWords<FtraceWorld, Startup>): Part {
  const { attempt, call, step, when } = words;
  return attempt(
    [
      call(hashUpdateIpmodify, (k, { ops }) => ({
        ops,
        from: [],
        to: readHash(k, ops, 'filter'),
        toAll: filterOf(k, ops).length === 0,
        updateTarget: false,
      })),
    ],
    [
      leaveList(words),
      step('take the enabling back', (k, locals) => {
        k.ftrace.startUp--;
        ensureOps(k, locals.ops).flags &= ~FTRACE_OPS_FL_ENABLED;
      }),
      when('the ops may be freed', (k, locals) => opsHas(k, locals, FTRACE_OPS_FL_DYNAMIC), [
        call(ftraceTrampolineFree, (_, { ops }) => ({ ops })),
      ]),
    ],
  );
}

/** Off the list again. Its errno is ignored; the client gets the one of the failure. */
function leaveList({ call }: RoutineWords<FtraceWorld, Startup>): Part {
  return call(
    unregisterFromList,
    (_, { ops }) => ({ ops }),
    () => {},
  );
}

/**
 * ftrace_shutdown(). A DYNAMIC ops may be freed by its client afterwards, so it waits here: rude for CPUs in a
 * handler where RCU is not watching, rcu_tasks for tasks preempted in the ops's trampoline. A dead ftrace answers
 * ENODEV, and the ops stays on the list. An ops in the kernel's own data is not waited for at all.
 */
export const ftraceShutdown = routine<FtraceWorld, Startup>('ftrace_shutdown', (words) => {
  const { refuse, call, step, when, wait } = words;
  return [
    refuse('ENODEV', 'ftrace is dead', (k) => k.ftrace.disabled),
    call(unregisterFromList, (_, { ops }) => ({ ops })),
    // `ftrace_start_up` only decides whether ftrace patches at all.
    step('count one ops less', (k) => {
      k.ftrace.startUp--;
      if (k.ftrace.startUp < 0) warn(k, { is: 'negative start_up' });
    }),
    call(
      hashUpdateIpmodify,
      (k, { ops }) => ({
        ops,
        from: readHash(k, ops, 'filter'),
        fromAll: filterOf(k, ops).length === 0,
        to: [],
        updateTarget: false,
      }),
      () => {},
    ),
    step('take the ops from its records', (k, locals) => {
      if (ftraceHashRecUpdate(k, locals.ops, false)) locals.command |= FTRACE_UPDATE_CALLS;
      ensureOps(k, locals.ops).flags &= ~FTRACE_OPS_FL_ENABLED;
      takeTraceFunction(k, locals);
    }),
    when('text has to change', needsUpdate, changeTextWithout(words)),
    when('the ops may be freed', (k, locals) => opsHas(k, locals, FTRACE_OPS_FL_DYNAMIC), [
      wait('rcu_tasks_rude'),
      wait('rcu_tasks'),
      // Its page may not be executed any more: both waits have passed.
      call(ftraceTrampolineFree, (_, { ops }) => ({ ops })),
    ]),
  ];
});

/**
 * While the text changes, `removed_ops` and the old hashes tell ftrace_get_addr_curr() which sites still call the
 * trampoline of the ops. With the last ops gone, a record with flags left kills ftrace.
 */
function changeTextWithout({ step, call }: RoutineWords<FtraceWorld, Startup>): Part[] {
  return [
    step('mark removing', (k, locals) => {
      const ops = ensureOps(k, locals.ops);
      ops.flags |= FTRACE_OPS_FL_REMOVING;
      ops.oldFilter = filterOf(k, locals.ops);
      ops.oldNotrace = notraceOf(k, locals.ops);
      k.ftrace.removedOps = locals.ops;
    }),
    call(ftraceRunUpdateCode, (_, { command }) => ({ command })),
    step('check that the records are clear', (k) => {
      if (k.ftrace.opsList.length > 0) return;
      const { records } = k.ftrace;
      const stale = fixedValues(records).some(({ flags }) => (flags & ~FTRACE_FL_DISABLED) !== 0);
      ftraceWarnOn(k, stale, { is: 'flags without ops' });
    }),
    step('removing is over', (k, locals) => {
      const ops = ensureOps(k, locals.ops);
      ops.flags &= ~FTRACE_OPS_FL_REMOVING;
      ops.oldFilter = null;
      ops.oldNotrace = null;
      k.ftrace.removedOps = '';
    }),
  ];
}

/**
 * The comparison with `saved_ftrace_func` in ftrace_startup_enable() and ftrace_shutdown(): whether the calls
 * inside ftrace_caller have to be patched as well.
 */
export function takeTraceFunction(k: FtraceWorld, locals: { command: number }): void {
  if (k.ftrace.savedTraceFunction === k.ftrace.traceFunction) return;
  k.ftrace.savedTraceFunction = k.ftrace.traceFunction;
  locals.command |= FTRACE_UPDATE_TRACE_FUNC;
}

/** With `kernel.ftrace_enabled` 0 only the records change; ftrace_enable_sysctl() patches later. */
export function needsUpdate(k: FtraceView, { command }: { command: number }): boolean {
  return command !== 0 && k.ftrace.enabled;
}
