import { ALL_CALLS } from './client/all.ts';
import type { Routine } from './core/part.ts';
import { registerFtraceDirectCb } from './ftrace/direct-table.ts';
import { OPS_FUNC } from './ftrace/ipmodify.ts';
import { freeRethookNodeRcu, rethookFreeRcu } from './ftrace/rethook.ts';
import { ftraceReturnToHandler } from './ftrace/run/graph-return.ts';
import { HANDLERS } from './ftrace/run/handlers.ts';
import { archFtraceOpsListFunc, ftraceOpsAssistFunc } from './ftrace/run/list.ts';
import { archRethookTrampolineCallback } from './ftrace/run/rethook-return.ts';
import { UPDATE_SUBOPS } from './ftrace/set-filter.ts';
import { hashMoveAndUpdateSubops } from './ftrace/subops.ts';
import { freeFtraceHashRcu } from './ftrace/tables.ts';
import { bpfRawTpLinkRelease } from './raw-tracepoint/link.ts';
import { RAW_TRACEPOINT_ROUTINES } from './raw-tracepoint/run.ts';
import { freeOldProbes } from './tracepoint/release-probes.ts';
import { snapshotPasses } from './tracepoint/snapshot.ts';
import { BPF_ROUTINES } from './trampoline/bpf-functions.ts';
import { DESIGNS } from './trampoline/designs/all.ts';
import { freeWhenUnused } from './trampoline/image-lifecycle.ts';
import { bpfTrampFtraceOpsFunc } from './trampoline/ops-func.ts';
import { bpfLinkDealloc, freeProg, RAW_TP_RELEASE } from './trampoline/release.ts';

/** Those that are handed to a grace period or to a work queue. */
export const BACKGROUND = [
  freeWhenUnused,
  freeProg,
  bpfLinkDealloc,
  freeFtraceHashRcu,
  registerFtraceDirectCb,
  snapshotPasses,
  freeOldProbes,
  rethookFreeRcu,
  freeRethookNodeRcu,
  ...DESIGNS.flatMap(({ background = [] }) => background),
] as const;

/**
 * The routines that clients call, those that run in the background or in a traced call, and what the upcalls of lower
 * layers lead to.
 */
export const ROUTINES = [
  ...ALL_CALLS.flatMap(({ service }) => (service.by === 'routine' ? service.routines : [])),
  ...BACKGROUND,
  archFtraceOpsListFunc,
  ftraceOpsAssistFunc,
  ...Object.values(HANDLERS),
  ftraceReturnToHandler,
  archRethookTrampolineCallback,
  ...BPF_ROUTINES,
  ...RAW_TRACEPOINT_ROUTINES,
  ...DESIGNS.flatMap(({ routines = [] }) => routines),
] as unknown as readonly Routine[];

export const UPCALLS = {
  [OPS_FUNC]: bpfTrampFtraceOpsFunc,
  [RAW_TP_RELEASE]: bpfRawTpLinkRelease,
  [UPDATE_SUBOPS]: hashMoveAndUpdateSubops,
  ...Object.assign({}, ...DESIGNS.map(({ upcalls }) => upcalls)),
} as unknown as Readonly<Record<string, Routine>>;
