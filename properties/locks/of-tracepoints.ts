import type { GuardedState } from './guarded-state.ts';

const TRACEPOINT_C =
  'kernel/tracepoint.c  lockdep_is_held(&tracepoints_mutex) in tracepoint_add_func, tracepoint_remove_func';
const BPF_EVENT =
  'kernel/trace/bpf_trace.c  lockdep_is_held(&bpf_event_mutex) in perf_event_attach_bpf_prog, _detach_bpf_prog';
const PERF_C =
  'kernel/trace/trace_event_perf.c  perf_trace_init, perf_trace_destroy, perf_kprobe_init, perf_kprobe_destroy';

/** kernel/tracepoint.c, events of perf, and devices with a dispatcher. */
export const OF_TRACEPOINTS: readonly GuardedState[] = [
  ...[
    'tracepoints.points.*.funcs',
    'tracepoints.made',
    'tracepoints.snapshots.*',
    'tracepoints.snapshots.*.serial',
  ].map((state) => ({ state, locks: ['tracepoints_mutex'], source: TRACEPOINT_C })),
  {
    state: 'tracepoints.points.*.call',
    locks: ['tracepoints_mutex', 'static_call_mutex'],
    source: 'kernel/static_call_inline.c  static_call_lock() in __static_call_update',
  },
  {
    state: 'tracepoints.points.*.key',
    locks: ['tracepoints_mutex', 'jump_label_mutex'],
    source:
      'kernel/jump_label.c  jump_label_lock() in static_key_enable_cpuslocked, static_key_disable_cpuslocked',
  },
  ...['perf.calls.*.perfRefcount', 'perf.calls.*.probe.profile'].map((state) => ({
    state,
    locks: ['event_mutex'],
    source: PERF_C,
  })),
  ...['perf.calls.*.progArray', 'perf.events.*.prog'].map((state) => ({
    state,
    locks: ['bpf_event_mutex'],
    source: BPF_EVENT,
  })),
  ...['xdp.devices.*.stateProg', 'xdp.devices.*.xdpProg'].map((state) => ({
    state,
    locks: ['rtnl_mutex'],
    source: 'net/core/dev.c  ASSERT_RTNL() in dev_xdp_attach',
  })),
  {
    state: 'xdp.dispatcher.**',
    locks: ['dispatcher mutex'],
    source: 'kernel/bpf/dispatcher.c  d->mutex in bpf_dispatcher_change_prog',
  },
];
