import type { GuardedState } from './guarded-state.ts';

const TRACEPOINT_C = 'kernel/tracepoint.c  lockdep_is_held(&tracepoints_mutex)';
const BPF_EVENT = 'kernel/trace/bpf_trace.c  bpf_event_rcu_dereference: lockdep_is_held(&bpf_event_mutex)';
const PERF_C = 'kernel/trace/trace_event_perf.c  event_mutex, of trace_events.c';

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
    source: 'kernel/static_call_inline.c  __static_call_update: static_call_mutex',
  },
  {
    state: 'tracepoints.points.*.key',
    locks: ['tracepoints_mutex', 'jump_label_mutex'],
    source: 'kernel/jump_label.c  static_key_enable_cpuslocked: jump_label_mutex',
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
    source: 'net/core/dev.c  dev_xdp_install: ASSERT_RTNL()',
  })),
  {
    state: 'xdp.dispatcher.**',
    locks: ['dispatcher mutex'],
    source: 'include/linux/bpf.h  struct bpf_dispatcher: mutex',
  },
];
