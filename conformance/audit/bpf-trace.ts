import type { Audit } from './row.ts';

export const BPF_TRACE: Audit = {
  file: 'kernel/trace/bpf_trace.c',
  functions: [],
  open: ['bpf_kprobe_multi_link_attach', '__bpf_trace_run'],
};
