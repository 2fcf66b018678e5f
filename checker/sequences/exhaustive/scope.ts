import type { Action } from '../../../model/client/all.ts';
import type { AttachCase } from '../attach-case.ts';
import type { Scope } from './alphabet.ts';

type Call = Action['do'];

/** The calls of one mechanism: a client that makes one of them may make the others. */
const MECHANISMS: readonly (readonly Call[])[] = [
  ['ftrace_ops', 'ftrace_set_filter_ip', 'register_ftrace_function', 'unregister_ftrace_function'],
  ['ftrace_set_filter_ip', 'register_ftrace_direct', 'modify_ftrace_direct', 'unregister_ftrace_direct'],
  ['register_ftrace_direct(ip)', 'modify_ftrace_direct(ip)', 'unregister_ftrace_direct(ip)'],
  ['update_ftrace_direct_add', 'update_ftrace_direct_mod', 'update_ftrace_direct_del'],
  ['register_ftrace_graph', 'unregister_ftrace_graph'],
  ['register_kprobe', 'unregister_kprobe'],
  ['register_kretprobe', 'unregister_kretprobe'],
  ['register_fprobe_ips', 'unregister_fprobe'],
  ['tracepoint_probe_register_prio', 'tracepoint_probe_unregister'],
  ['perf_event_open', 'PERF_EVENT_IOC_SET_BPF', 'BPF_LINK_CREATE(perf_event)', 'close(perf_event)'],
  ['perf_event_open(kprobe)', 'PERF_EVENT_IOC_SET_BPF', 'BPF_LINK_CREATE(perf_event)', 'close(perf_event)'],
  ['BPF_PROG_LOAD', 'BPF_LINK_CREATE', 'close(link)'],
  ['BPF_PROG_LOAD', 'BPF_RAW_TRACEPOINT_OPEN', 'close(link)'],
  ['delete_module', 'init_module'],
];

/**
 * The small world of a sequence: the mechanisms of its calls, its functions and programs, and at least two objects of
 * each kind.
 */
export function scopeOf({ functions, tracepoints = [], actions }: AttachCase): Scope {
  const made = new Set<Call>(actions.map((action) => action.do));
  const attaching = MECHANISMS.filter((calls) =>
    calls.some((call) => made.has(call) && !SHARED.includes(call)),
  );
  const calls = new Set([...made, ...attaching.flat()]);
  const numbers = [...JSON.stringify(actions).matchAll(/#(\d+)/g)].map(([, n]) => Number(n));
  const own = actions.filter((action) => OWN.includes(action.do));
  return { calls: [...calls], functions, tracepoints, objects: Math.max(2, ...numbers), own };
}

/** Calls that several mechanisms need: they say nothing of which one it is. */
const SHARED: readonly Call[] = ['ftrace_set_filter_ip', 'BPF_PROG_LOAD', 'close(link)'];

/** Calls with fields that no example has all values of. */
const OWN: readonly Call[] = ['call', 'BPF_PROG_LOAD', 'BPF_LINK_CREATE', 'ftrace_ops'];
