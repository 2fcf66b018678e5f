import { ALL_CALLS } from './client/all.ts';
import type { Linkage } from './core/link.ts';
import type { Routine } from './core/part.ts';
import { registerFtraceDirectCb } from './ftrace/direct-table.ts';
import { OPS_FUNC } from './ftrace/ipmodify.ts';
import { freeOptinsnSlot, kprobeOptimizer } from './ftrace/kprobe-optimizer.ts';
import { freeRethookNodeRcu, rethookFreeRcu } from './ftrace/rethook.ts';
import { KPROBE_DISPATCHER, KRETPROBE_DISPATCHER } from './ftrace/run/event-handlers.ts';
import { ftraceReturnToHandler } from './ftrace/run/graph-return.ts';
import { HANDLERS } from './ftrace/run/handlers.ts';
import { archFtraceOpsListFunc, ftraceOpsAssistFunc } from './ftrace/run/list.ts';
import { optimizedCallback } from './ftrace/run/optimized-callback.ts';
import { archRethookTrampolineCallback } from './ftrace/run/rethook-return.ts';
import { UPDATE_SUBOPS } from './ftrace/set-filter.ts';
import { hashMoveAndUpdateSubops } from './ftrace/subops-move.ts';
import { freeFtraceHashRcu } from './ftrace/tables.ts';
import { bpfPerfLinkRelease } from './perf-event/event.ts';
import { KPROBE_EVENT_ROUTINES, kprobePerfFunc, kretprobePerfFunc } from './perf-event/kprobe-run.ts';
import { freeProgArray } from './perf-event/prog-array.ts';
import { PERF_ROUTINES } from './perf-event/run.ts';
import { bpfRawTpLinkRelease } from './raw-tracepoint/link.ts';
import { RAW_TRACEPOINT_ROUTINES } from './raw-tracepoint/run.ts';
import { freeOldProbes } from './tracepoint/release-probes.ts';
import { snapshotPasses } from './tracepoint/snapshot.ts';
import { BPF_ROUTINES } from './trampoline/bpf-functions.ts';
import { cgroupBpfLinkRelease } from './trampoline/cgroup-lsm.ts';
import { CGROUP_ROUTINES } from './trampoline/cgroup-run.ts';
import { bpfLinkPutDeferred } from './trampoline/cgroup-shim.ts';
import { DESIGNS } from './trampoline/designs/all.ts';
import { freeWhenUnused } from './trampoline/image-lifecycle.ts';
import { bpfTrampFtraceOpsFunc } from './trampoline/ops-func.ts';
import {
  bpfLinkDealloc,
  CGROUP_RELEASE,
  freeProg,
  PERF_RELEASE,
  RAW_TP_RELEASE,
} from './trampoline/release.ts';

/*
 * The linker's input. A routine that a client calls, or that another calls, is found from its caller; routines
 * that are started by name at run time have to be listed: callbacks of grace periods, handlers that machine
 * code calls through `ops->func`, and the upcalls of lower layers (`ops->ops_func`, `link->ops->release`),
 * which point against the direction of the imports and are bound here.
 */

/**
 * Callbacks of call_rcu(), call_rcu_tasks(), call_rcu_tasks_trace() and of work items, without those of
 * designs. Their waits are part of the routine: `k.deferred` has a name and arguments only.
 */
const BACKGROUND = [
  freeWhenUnused,
  freeProg,
  bpfLinkDealloc,
  bpfLinkPutDeferred,
  freeFtraceHashRcu,
  registerFtraceDirectCb,
  snapshotPasses,
  freeOldProbes,
  freeProgArray,
  rethookFreeRcu,
  freeRethookNodeRcu,
  kprobeOptimizer,
  freeOptinsnSlot,
] as unknown as readonly Routine[];

/** Routines that are handed to a grace period or to a work queue. */
export function backgroundRoutines(): readonly Routine[] {
  return [...BACKGROUND, ...DESIGNS.flatMap(({ background = [] }) => background)];
}

/** Those that clients call. */
const OF_CLIENTS = ALL_CALLS.flatMap(({ service }) =>
  service.by === 'routine' ? service.routines : [],
) as unknown as readonly Routine[];

/** Those that run in a traced call. */
const IN_CALLS = [
  archFtraceOpsListFunc,
  ftraceOpsAssistFunc,
  ...Object.values(HANDLERS),
  ftraceReturnToHandler,
  archRethookTrampolineCallback,
  optimizedCallback,
  ...BPF_ROUTINES,
  ...CGROUP_ROUTINES,
  ...RAW_TRACEPOINT_ROUTINES,
  ...PERF_ROUTINES,
  ...KPROBE_EVENT_ROUTINES,
] as unknown as readonly Routine[];

/**
 * `ops_func` of a trampoline's ops, called from __ftrace_hash_update_ipmodify() and its neighbours with
 * `direct_mutex` held; `release` of a link of a raw tracepoint or a cgroup; the update of a manager when the filter of a
 * subops changes; the handlers of kprobes that perf events have.
 */
const UPCALLS = {
  [OPS_FUNC]: bpfTrampFtraceOpsFunc,
  [RAW_TP_RELEASE]: bpfRawTpLinkRelease,
  [CGROUP_RELEASE]: cgroupBpfLinkRelease,
  [PERF_RELEASE]: bpfPerfLinkRelease,
  [UPDATE_SUBOPS]: hashMoveAndUpdateSubops,
  [KPROBE_DISPATCHER]: kprobePerfFunc,
  [KRETPROBE_DISPATCHER]: kretprobePerfFunc,
} as unknown as Readonly<Record<string, Routine>>;

/** All that a kernel is linked of, with the designs that there are now. */
export function linkage(): Linkage {
  return {
    routines: [
      ...OF_CLIENTS,
      ...backgroundRoutines(),
      ...IN_CALLS,
      ...DESIGNS.flatMap(({ routines = [] }) => routines),
    ],
    upcalls: Object.assign({}, UPCALLS, ...DESIGNS.map(({ upcalls }) => upcalls)),
  };
}
