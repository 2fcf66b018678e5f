import type { Benchmark } from '../../checker/cost/benchmark.ts';

/** The means of all its benchmarks, as the cover letter of the global trampoline has them, with mitigations off. */
export const BENCHMARK: Benchmark = {
  source:
    'Menglong Dong, "bpf: tracing multi-link support" v2, cover letter, July 2025; ' +
    'selftests/bpf/benchs/bench_trigger.c on bpf-next c4b1be928ea0',
  design: 'global',
  baseline: { name: 'kernel-count', rate: 313.423 },
  hits: [
    { name: 'fentry', rate: 107.149 },
    { name: 'fentry-multi', rate: 99.073 },
    { name: 'fentry-multi-all', rate: 97.92 },
    { name: 'fexit', rate: 56.565 },
    { name: 'fexit-multi', rate: 55.426 },
    { name: 'fmodret', rate: 59.495 },
    { name: 'fmodret-multi', rate: 56.589 },
    { name: 'kprobe', rate: 43.719 },
    { name: 'kprobe-multi', rate: 47.451 },
    { name: 'kretprobe', rate: 18.358 },
    { name: 'kretprobe-multi', rate: 24.523 },
    { name: 'rawtp', rate: 166.774 },
    { name: 'tp', rate: 61.947 },
  ],
  counts: [
    { name: 'usermode-count', rate: 746.907 },
    { name: 'syscall-count', rate: 18.179 },
  ],
  order: [
    'usermode-count',
    'kernel-count',
    'syscall-count',
    'fentry',
    'fexit',
    'fmodret',
    'fentry-multi',
    'fentry-multi-all',
    'fexit-multi',
    'fmodret-multi',
    'rawtp',
    'tp',
    'kprobe',
    'kprobe-multi',
    'kretprobe',
    'kretprobe-multi',
  ],
};
