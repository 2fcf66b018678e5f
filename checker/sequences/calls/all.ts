import type { Action, ActionOf } from '../../../model/client/all.ts';
import { searchedBpfLinkCreate } from './bpf-link-create.ts';
import { searchedBpfLinkCreatePerfEvent } from './bpf-link-create-perf-event.ts';
import { searchedBpfProgLoad } from './bpf-prog-load.ts';
import { searchedBpfRawTracepointOpen } from './bpf-raw-tracepoint-open.ts';
import { searchedTask } from './call.ts';
import { searchedCloseLink } from './close-link.ts';
import { searchedClosePerfEvent } from './close-perf-event.ts';
import { searchedCloseProg } from './close-prog.ts';
import { searchedDeleteModule } from './delete-module.ts';
import { searchedDevChangeXdpFd } from './dev-change-xdp-fd.ts';
import { searchedDisableKprobe } from './disable-kprobe.ts';
import { searchedEnableKprobe } from './enable-kprobe.ts';
import { searchedFail } from './fail.ts';
import { searchedFtraceEnabled } from './ftrace-enabled.ts';
import { searchedFtraceFreeFilter } from './ftrace-free-filter.ts';
import { searchedFtraceOps } from './ftrace-ops.ts';
import { searchedFtraceSetFilterIp } from './ftrace-set-filter-ip.ts';
import { searchedFtraceSetNotrace } from './ftrace-set-notrace.ts';
import { searchedInitModule } from './init-module.ts';
import { searchedKfree } from './kfree.ts';
import { searchedKprobesOptimization } from './kprobes-optimization.ts';
import { searchedModifyFtraceDirect } from './modify-ftrace-direct.ts';
import { searchedModifyFtraceDirectIp } from './modify-ftrace-direct-ip.ts';
import { searchedPerfEventIocSetBpf } from './perf-event-ioc-set-bpf.ts';
import { searchedPerfEventOpen } from './perf-event-open.ts';
import { searchedPerfEventOpenKprobe } from './perf-event-open-kprobe.ts';
import { searchedRegisterFprobeIps } from './register-fprobe-ips.ts';
import { searchedRegisterFtraceDirect } from './register-ftrace-direct.ts';
import { searchedRegisterFtraceDirectIp } from './register-ftrace-direct-ip.ts';
import { searchedRegisterFtraceFunction } from './register-ftrace-function.ts';
import { searchedRegisterFtraceGraph } from './register-ftrace-graph.ts';
import { searchedRegisterKprobe } from './register-kprobe.ts';
import { searchedRegisterKretprobe } from './register-kretprobe.ts';
import type { SearchedCall } from './searched-call.ts';
import { searchedSetFtraceFilter } from './set-ftrace-filter.ts';
import { searchedSetFtraceNotrace } from './set-ftrace-notrace.ts';
import { searchedSettle } from './settle.ts';
import { searchedTracepointProbeRegisterPrio } from './tracepoint-probe-register-prio.ts';
import { searchedTracepointProbeUnregister } from './tracepoint-probe-unregister.ts';
import { searchedUnregisterFprobe } from './unregister-fprobe.ts';
import { searchedUnregisterFtraceDirect } from './unregister-ftrace-direct.ts';
import { searchedUnregisterFtraceDirectIp } from './unregister-ftrace-direct-ip.ts';
import { searchedUnregisterFtraceFunction } from './unregister-ftrace-function.ts';
import { searchedUnregisterFtraceGraph } from './unregister-ftrace-graph.ts';
import { searchedUnregisterKprobe } from './unregister-kprobe.ts';
import { searchedUnregisterKretprobe } from './unregister-kretprobe.ts';
import { searchedUpdateFtraceDirectAdd } from './update-ftrace-direct-add.ts';
import { searchedUpdateFtraceDirectDel } from './update-ftrace-direct-del.ts';
import { searchedUpdateFtraceDirectMod } from './update-ftrace-direct-mod.ts';

/** Every call in the form of the searches: a line for each file, in the order in which they are drawn. */
const SEARCHED: { readonly [D in Action['do']]: SearchedCall<ActionOf<D>> } = {
  call: searchedTask,
  ftrace_ops: searchedFtraceOps,
  ftrace_set_filter_ip: searchedFtraceSetFilterIp,
  ftrace_set_notrace: searchedFtraceSetNotrace,
  ftrace_free_filter: searchedFtraceFreeFilter,
  register_ftrace_function: searchedRegisterFtraceFunction,
  unregister_ftrace_function: searchedUnregisterFtraceFunction,
  'kernel.ftrace_enabled': searchedFtraceEnabled,
  'debug.kprobes-optimization': searchedKprobesOptimization,
  set_ftrace_filter: searchedSetFtraceFilter,
  set_ftrace_notrace: searchedSetFtraceNotrace,
  register_ftrace_direct: searchedRegisterFtraceDirect,
  modify_ftrace_direct: searchedModifyFtraceDirect,
  unregister_ftrace_direct: searchedUnregisterFtraceDirect,
  'register_ftrace_direct(ip)': searchedRegisterFtraceDirectIp,
  'modify_ftrace_direct(ip)': searchedModifyFtraceDirectIp,
  'unregister_ftrace_direct(ip)': searchedUnregisterFtraceDirectIp,
  update_ftrace_direct_add: searchedUpdateFtraceDirectAdd,
  update_ftrace_direct_mod: searchedUpdateFtraceDirectMod,
  update_ftrace_direct_del: searchedUpdateFtraceDirectDel,
  register_ftrace_graph: searchedRegisterFtraceGraph,
  unregister_ftrace_graph: searchedUnregisterFtraceGraph,
  register_kprobe: searchedRegisterKprobe,
  unregister_kprobe: searchedUnregisterKprobe,
  disable_kprobe: searchedDisableKprobe,
  enable_kprobe: searchedEnableKprobe,
  register_kretprobe: searchedRegisterKretprobe,
  unregister_kretprobe: searchedUnregisterKretprobe,
  register_fprobe_ips: searchedRegisterFprobeIps,
  unregister_fprobe: searchedUnregisterFprobe,
  tracepoint_probe_register_prio: searchedTracepointProbeRegisterPrio,
  tracepoint_probe_unregister: searchedTracepointProbeUnregister,
  perf_event_open: searchedPerfEventOpen,
  'perf_event_open(kprobe)': searchedPerfEventOpenKprobe,
  PERF_EVENT_IOC_SET_BPF: searchedPerfEventIocSetBpf,
  'BPF_LINK_CREATE(perf_event)': searchedBpfLinkCreatePerfEvent,
  'close(perf_event)': searchedClosePerfEvent,
  dev_change_xdp_fd: searchedDevChangeXdpFd,
  BPF_PROG_LOAD: searchedBpfProgLoad,
  BPF_LINK_CREATE: searchedBpfLinkCreate,
  BPF_RAW_TRACEPOINT_OPEN: searchedBpfRawTracepointOpen,
  'close(link)': searchedCloseLink,
  'close(prog)': searchedCloseProg,
  delete_module: searchedDeleteModule,
  init_module: searchedInitModule,
  settle: searchedSettle,
  fail: searchedFail,
  kfree: searchedKfree,
};

/** The call that an action is of. */
export function searchedCall({ do: name }: Action): SearchedCall<Action> {
  return SEARCHED[name];
}

export const ALL_SEARCHED: readonly SearchedCall<Action>[] = Object.values(SEARCHED);
