import type { Action, ActionOf } from '../../model/client/all.ts';
import type { CallErrnos } from './contract.ts';
import {
  MODIFY_FTRACE_DIRECT,
  MODIFY_FTRACE_DIRECT_IP,
  REGISTER_FTRACE_DIRECT,
  REGISTER_FTRACE_DIRECT_IP,
  UNREGISTER_FTRACE_DIRECT,
  UNREGISTER_FTRACE_DIRECT_IP,
  UPDATE_FTRACE_DIRECT_ADD,
  UPDATE_FTRACE_DIRECT_DEL,
  UPDATE_FTRACE_DIRECT_MOD,
} from './direct-calls.ts';
import {
  FTRACE_SET_FILTER_IP,
  FTRACE_SET_NOTRACE,
  KERNEL_FTRACE_ENABLED,
  REGISTER_FTRACE_FUNCTION,
  SET_FTRACE_FILTER,
  SET_FTRACE_NOTRACE,
  UNREGISTER_FTRACE_FUNCTION,
} from './ftrace-calls.ts';
import { REGISTER_FPROBE_IPS, REGISTER_FTRACE_GRAPH, UNREGISTER_FPROBE } from './graph-calls.ts';
import { BPF_LINK_CREATE, BPF_RAW_TRACEPOINT_OPEN } from './link-calls.ts';
import { DELETE_MODULE, INIT_MODULE } from './module-calls.ts';
import {
  DISABLE_KPROBE,
  ENABLE_KPROBE,
  PERF_EVENT_OPEN_KPROBE,
  REGISTER_KPROBE,
  REGISTER_KRETPROBE,
} from './probe-calls.ts';
import { BPF_PROG_LOAD, CLOSE_LINK, CLOSE_PROG, DEV_CHANGE_XDP_FD } from './prog-calls.ts';
import {
  BPF_LINK_CREATE_PERF_EVENT,
  CLOSE_PERF_EVENT,
  PERF_EVENT_IOC_SET_BPF,
  PERF_EVENT_OPEN,
  TRACEPOINT_PROBE_REGISTER,
  TRACEPOINT_PROBE_UNREGISTER,
} from './tracepoint-calls.ts';

/** What each call says of its refusals. */
export type AllErrnos = { readonly [D in Action['do']]: CallErrnos<ActionOf<D>> | undefined };

/** A call that is never refused: it has no errno of its own, or returns nothing. */
const NEVER_REFUSED = { stages: [] } as const;
/** Nothing is said of a call yet, and so its answers are not judged. */
export const NOT_SAID = undefined;

export const ERRNOS: AllErrnos = {
  ftrace_ops: NEVER_REFUSED,
  ftrace_set_filter_ip: FTRACE_SET_FILTER_IP,
  ftrace_set_notrace: FTRACE_SET_NOTRACE,
  set_ftrace_filter: SET_FTRACE_FILTER,
  set_ftrace_notrace: SET_FTRACE_NOTRACE,
  ftrace_free_filter: NEVER_REFUSED,
  register_ftrace_function: REGISTER_FTRACE_FUNCTION,
  unregister_ftrace_function: UNREGISTER_FTRACE_FUNCTION,
  register_ftrace_direct: REGISTER_FTRACE_DIRECT,
  modify_ftrace_direct: MODIFY_FTRACE_DIRECT,
  unregister_ftrace_direct: UNREGISTER_FTRACE_DIRECT,
  'register_ftrace_direct(ip)': REGISTER_FTRACE_DIRECT_IP,
  'modify_ftrace_direct(ip)': MODIFY_FTRACE_DIRECT_IP,
  'unregister_ftrace_direct(ip)': UNREGISTER_FTRACE_DIRECT_IP,
  update_ftrace_direct_add: UPDATE_FTRACE_DIRECT_ADD,
  update_ftrace_direct_del: UPDATE_FTRACE_DIRECT_DEL,
  update_ftrace_direct_mod: UPDATE_FTRACE_DIRECT_MOD,
  register_ftrace_graph: REGISTER_FTRACE_GRAPH,
  unregister_ftrace_graph: NEVER_REFUSED,
  register_kprobe: REGISTER_KPROBE,
  unregister_kprobe: NEVER_REFUSED,
  disable_kprobe: DISABLE_KPROBE,
  enable_kprobe: ENABLE_KPROBE,
  register_kretprobe: REGISTER_KRETPROBE,
  unregister_kretprobe: NEVER_REFUSED,
  register_fprobe_ips: REGISTER_FPROBE_IPS,
  unregister_fprobe: UNREGISTER_FPROBE,
  tracepoint_probe_register_prio: TRACEPOINT_PROBE_REGISTER,
  tracepoint_probe_unregister: TRACEPOINT_PROBE_UNREGISTER,
  BPF_RAW_TRACEPOINT_OPEN: BPF_RAW_TRACEPOINT_OPEN,
  BPF_PROG_LOAD: BPF_PROG_LOAD,
  BPF_LINK_CREATE: BPF_LINK_CREATE,
  perf_event_open: PERF_EVENT_OPEN,
  'perf_event_open(kprobe)': PERF_EVENT_OPEN_KPROBE,
  PERF_EVENT_IOC_SET_BPF: PERF_EVENT_IOC_SET_BPF,
  'BPF_LINK_CREATE(perf_event)': BPF_LINK_CREATE_PERF_EVENT,
  'close(perf_event)': CLOSE_PERF_EVENT,
  dev_change_xdp_fd: DEV_CHANGE_XDP_FD,
  'close(link)': CLOSE_LINK,
  'close(prog)': CLOSE_PROG,
  'kernel.ftrace_enabled': KERNEL_FTRACE_ENABLED,
  'debug.kprobes-optimization': NEVER_REFUSED,
  init_module: INIT_MODULE,
  delete_module: DELETE_MODULE,
  kfree: NEVER_REFUSED,
  fail: NEVER_REFUSED,
  settle: NEVER_REFUSED,
  call: NEVER_REFUSED,
};

/** The reasons of an action's call, if they are said: each entry is given the actions of its own call alone. */
export function errnosFor({ do: name }: Action): CallErrnos<Action> | undefined {
  return ERRNOS[name] as CallErrnos<Action> | undefined;
}
