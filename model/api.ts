import type { Routine } from './core/part.ts';
import { modifyFtraceDirect, registerFtraceDirect, unregisterFtraceDirect } from './ftrace/direct.ts';
import { updateFtraceDirectAdd, updateFtraceDirectDel } from './ftrace/direct-hash.ts';
import { updateFtraceDirectMod } from './ftrace/direct-hash-modify.ts';
import { registerFtraceDirectIp, unregisterFtraceDirectIp } from './ftrace/direct-ip.ts';
import { modifyFtraceDirectIp } from './ftrace/direct-ip-modify.ts';
import { registerFtraceDirectCb } from './ftrace/direct-table.ts';
import { registerFprobeIps, unregisterFprobe } from './ftrace/fprobe.ts';
import { registerFtraceGraph, unregisterFtraceGraph } from './ftrace/graph.ts';
import { OPS_FUNC } from './ftrace/ipmodify.ts';
import { registerKprobe } from './ftrace/kprobe.ts';
import { registerKretprobe, unregisterKretprobe } from './ftrace/kretprobe.ts';
import { deleteModule, initModule } from './ftrace/module.ts';
import { registerFtraceFunction, unregisterFtraceFunction } from './ftrace/register.ts';
import { freeRethookNodeRcu, rethookFreeRcu } from './ftrace/rethook.ts';
import { ftraceReturnToHandler } from './ftrace/run/graph-return.ts';
import { HANDLERS } from './ftrace/run/handlers.ts';
import { archFtraceOpsListFunc, ftraceOpsAssistFunc } from './ftrace/run/list.ts';
import { archRethookTrampolineCallback } from './ftrace/run/rethook-return.ts';
import {
  ftraceFreeFilter,
  ftraceSetFilterIp,
  ftraceSetHash,
  ftraceSetNotrace,
  UPDATE_SUBOPS,
} from './ftrace/set-filter.ts';
import { hashMoveAndUpdateSubops } from './ftrace/subops.ts';
import { ftraceEnableSysctl } from './ftrace/sysctl.ts';
import { freeFtraceHashRcu } from './ftrace/tables.ts';
import { unregisterKprobe } from './ftrace/unregister-kprobe.ts';
import { bpfRawTpLinkAttach, bpfRawTpLinkRelease } from './raw-tracepoint/link.ts';
import { RAW_TRACEPOINT_ROUTINES } from './raw-tracepoint/run.ts';
import { tracepointProbeRegister, tracepointProbeUnregister } from './tracepoint/register.ts';
import { freeOldProbes } from './tracepoint/release-probes.ts';
import { snapshotPasses } from './tracepoint/snapshot.ts';
import { BPF_ROUTINES } from './trampoline/bpf-functions.ts';
import { DESIGNS } from './trampoline/designs/all.ts';
import { freeWhenUnused } from './trampoline/image-lifecycle.ts';
import { bpfTrampFtraceOpsFunc } from './trampoline/ops-func.ts';
import { bpfLinkDealloc, closeLink, closeProg, freeProg, RAW_TP_RELEASE } from './trampoline/release.ts';
import { bpfLinkCreate, bpfProgLoad } from './trampoline/syscall.ts';

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
  ...DESIGNS.flatMap(({ background }) => background),
] as const;

/**
 * The routines that clients call, those that run in the background or in a traced call, and what the upcalls of lower
 * layers lead to.
 */
export const ROUTINES = [
  ftraceSetFilterIp,
  ftraceSetNotrace,
  ftraceSetHash,
  ftraceFreeFilter,
  registerFtraceFunction,
  unregisterFtraceFunction,
  registerFtraceDirect,
  modifyFtraceDirect,
  unregisterFtraceDirect,
  registerFtraceDirectIp,
  modifyFtraceDirectIp,
  unregisterFtraceDirectIp,
  updateFtraceDirectAdd,
  updateFtraceDirectDel,
  updateFtraceDirectMod,
  registerFtraceGraph,
  unregisterFtraceGraph,
  registerKprobe,
  unregisterKprobe,
  registerKretprobe,
  unregisterKretprobe,
  registerFprobeIps,
  unregisterFprobe,
  tracepointProbeRegister,
  tracepointProbeUnregister,
  bpfRawTpLinkAttach,
  bpfProgLoad,
  bpfLinkCreate,
  closeLink,
  closeProg,
  ftraceEnableSysctl,
  initModule,
  deleteModule,
  ...BACKGROUND,
  archFtraceOpsListFunc,
  ftraceOpsAssistFunc,
  ...Object.values(HANDLERS),
  ftraceReturnToHandler,
  archRethookTrampolineCallback,
  ...BPF_ROUTINES,
  ...RAW_TRACEPOINT_ROUTINES,
  ...DESIGNS.flatMap(({ routines }) => routines),
] as unknown as readonly Routine[];

export const UPCALLS = {
  [OPS_FUNC]: bpfTrampFtraceOpsFunc,
  [RAW_TP_RELEASE]: bpfRawTpLinkRelease,
  [UPDATE_SUBOPS]: hashMoveAndUpdateSubops,
  ...Object.assign({}, ...DESIGNS.map(({ upcalls }) => upcalls)),
} as unknown as Readonly<Record<string, Routine>>;
