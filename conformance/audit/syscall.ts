import type { Audit } from './row.ts';

export const SYSCALL: Audit = {
  file: 'kernel/bpf/syscall.c',
  functions: [],
  open: [
    'bpf_prog_load',
    'link_create',
    'bpf_link_release',
    'bpf_prog_release',
    'bpf_tracing_prog_attach',
    'bpf_raw_tp_link_attach',
    'bpf_raw_tp_link_release',
    'bpf_prog_put',
    '__bpf_prog_put',
    'bpf_link_dealloc',
  ],
};
