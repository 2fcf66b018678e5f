import { bpfLinkCreateCall } from './bpf-link-create.ts';
import { bpfLinkCreatePerfEventCall } from './bpf-link-create-perf-event.ts';
import { bpfProgLoadCall } from './bpf-prog-load.ts';
import { bpfRawTracepointOpenCall } from './bpf-raw-tracepoint-open.ts';
import { callCall } from './call.ts';
import type { ClientCall } from './client-call.ts';
import { closeLinkCall } from './close-link.ts';
import { closePerfEventCall } from './close-perf-event.ts';
import { closeProgCall } from './close-prog.ts';
import { deleteModuleCall } from './delete-module.ts';
import { devChangeXdpFdCall } from './dev-change-xdp-fd.ts';
import { disableKprobeCall } from './disable-kprobe.ts';
import { enableKprobeCall } from './enable-kprobe.ts';
import { failCall } from './fail.ts';
import { ftraceEnabledCall } from './ftrace-enabled.ts';
import { ftraceFreeFilterCall } from './ftrace-free-filter.ts';
import { ftraceOpsCall } from './ftrace-ops.ts';
import { ftraceSetFilterIpCall } from './ftrace-set-filter-ip.ts';
import { ftraceSetNotraceCall } from './ftrace-set-notrace.ts';
import { initModuleCall } from './init-module.ts';
import { kfreeCall } from './kfree.ts';
import { kprobesOptimizationCall } from './kprobes-optimization.ts';
import { modifyFtraceDirectCall } from './modify-ftrace-direct.ts';
import { modifyFtraceDirectIpCall } from './modify-ftrace-direct-ip.ts';
import { perfEventIocSetBpfCall } from './perf-event-ioc-set-bpf.ts';
import { perfEventOpenCall } from './perf-event-open.ts';
import { perfEventOpenKprobeCall } from './perf-event-open-kprobe.ts';
import { registerFprobeIpsCall } from './register-fprobe-ips.ts';
import { registerFtraceDirectCall } from './register-ftrace-direct.ts';
import { registerFtraceDirectIpCall } from './register-ftrace-direct-ip.ts';
import { registerFtraceFunctionCall } from './register-ftrace-function.ts';
import { registerFtraceGraphCall } from './register-ftrace-graph.ts';
import { registerKprobeCall } from './register-kprobe.ts';
import { registerKretprobeCall } from './register-kretprobe.ts';
import { setFtraceFilterCall } from './set-ftrace-filter.ts';
import { setFtraceNotraceCall } from './set-ftrace-notrace.ts';
import { settleCall } from './settle.ts';
import { tracepointProbeRegisterPrioCall } from './tracepoint-probe-register-prio.ts';
import { tracepointProbeUnregisterCall } from './tracepoint-probe-unregister.ts';
import { unregisterFprobeCall } from './unregister-fprobe.ts';
import { unregisterFtraceDirectCall } from './unregister-ftrace-direct.ts';
import { unregisterFtraceDirectIpCall } from './unregister-ftrace-direct-ip.ts';
import { unregisterFtraceFunctionCall } from './unregister-ftrace-function.ts';
import { unregisterFtraceGraphCall } from './unregister-ftrace-graph.ts';
import { unregisterKprobeCall } from './unregister-kprobe.ts';
import { unregisterKretprobeCall } from './unregister-kretprobe.ts';
import { updateFtraceDirectAddCall } from './update-ftrace-direct-add.ts';
import { updateFtraceDirectDelCall } from './update-ftrace-direct-del.ts';
import { updateFtraceDirectModCall } from './update-ftrace-direct-mod.ts';

/** Every call that a client can make: a line for each file. */
const CALLS = {
  ftrace_ops: ftraceOpsCall,
  ftrace_set_filter_ip: ftraceSetFilterIpCall,
  ftrace_set_notrace: ftraceSetNotraceCall,
  set_ftrace_filter: setFtraceFilterCall,
  set_ftrace_notrace: setFtraceNotraceCall,
  ftrace_free_filter: ftraceFreeFilterCall,
  register_ftrace_function: registerFtraceFunctionCall,
  unregister_ftrace_function: unregisterFtraceFunctionCall,
  register_ftrace_direct: registerFtraceDirectCall,
  modify_ftrace_direct: modifyFtraceDirectCall,
  unregister_ftrace_direct: unregisterFtraceDirectCall,
  'register_ftrace_direct(ip)': registerFtraceDirectIpCall,
  'modify_ftrace_direct(ip)': modifyFtraceDirectIpCall,
  'unregister_ftrace_direct(ip)': unregisterFtraceDirectIpCall,
  update_ftrace_direct_add: updateFtraceDirectAddCall,
  update_ftrace_direct_del: updateFtraceDirectDelCall,
  update_ftrace_direct_mod: updateFtraceDirectModCall,
  register_ftrace_graph: registerFtraceGraphCall,
  unregister_ftrace_graph: unregisterFtraceGraphCall,
  register_kprobe: registerKprobeCall,
  unregister_kprobe: unregisterKprobeCall,
  disable_kprobe: disableKprobeCall,
  enable_kprobe: enableKprobeCall,
  register_kretprobe: registerKretprobeCall,
  unregister_kretprobe: unregisterKretprobeCall,
  register_fprobe_ips: registerFprobeIpsCall,
  unregister_fprobe: unregisterFprobeCall,
  tracepoint_probe_register_prio: tracepointProbeRegisterPrioCall,
  tracepoint_probe_unregister: tracepointProbeUnregisterCall,
  BPF_RAW_TRACEPOINT_OPEN: bpfRawTracepointOpenCall,
  BPF_PROG_LOAD: bpfProgLoadCall,
  BPF_LINK_CREATE: bpfLinkCreateCall,
  perf_event_open: perfEventOpenCall,
  'perf_event_open(kprobe)': perfEventOpenKprobeCall,
  PERF_EVENT_IOC_SET_BPF: perfEventIocSetBpfCall,
  'BPF_LINK_CREATE(perf_event)': bpfLinkCreatePerfEventCall,
  'close(perf_event)': closePerfEventCall,
  dev_change_xdp_fd: devChangeXdpFdCall,
  'close(link)': closeLinkCall,
  'close(prog)': closeProgCall,
  'kernel.ftrace_enabled': ftraceEnabledCall,
  'debug.kprobes-optimization': kprobesOptimizationCall,
  init_module: initModuleCall,
  delete_module: deleteModuleCall,
  kfree: kfreeCall,
  fail: failCall,
  settle: settleCall,
  call: callCall,
};

/**
 * Every action of a client, as plain data. Objects are the client's own and have names (`ops#1`, `prog#2`); one
 * that does not exist is not an error of the action but something that the kernel, or the client, refuses.
 */
export type Action = NonNullable<ReturnType<(typeof CALLS)[keyof typeof CALLS]['parse']>>;

/** An action of one kind. */
export type ActionOf<D extends Action['do']> = Extract<Action, { readonly do: D }>;

/** The call that an action is of. */
export function callOf({ do: name }: Action): ClientCall<Action> {
  return CALLS[name];
}

export const ALL_CALLS: readonly ClientCall<Action>[] = Object.values(CALLS);
