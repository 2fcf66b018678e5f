import type { Explanations } from '../../checker/cost/benchmark.ts';

const ON_PERF =
  'A BPF program on a kprobe runs from a perf event: kprobe_dispatcher(), kprobe_perf_func() and trace_call_bpf() are ' +
  'between the probe and the program. In the model and the recordings the probe calls its handler directly.';

/** Where the benchmark and the model's counts disagree, and why. */
export const EXPLANATIONS: Explanations = {
  order: [
    {
      by: ['machine code', 'with functions in C'],
      cheaper: ['fexit'],
      dearer: ['fmodret'],
      why:
        "The benchmark's fmod_ret program returns an errno: its function does not run, but the subtracted baseline " +
        'includes one run.',
    },
    {
      by: ['machine code'],
      cheaper: ['kprobe', 'kretprobe'],
      dearer: ['kprobe-multi', 'kretprobe-multi'],
      why: 'Both use the same assembly; they differ in functions in C.',
    },
    {
      by: ['machine code'],
      cheaper: ['kprobe-multi', 'kretprobe-multi'],
      dearer: ['fexit', 'fmodret', 'kprobe'],
      why: 'An fprobe works in C: its assembly is a small part of its instructions.',
    },
    {
      by: ['machine code'],
      cheaper: ['fexit', 'fmodret', 'kprobe', 'kprobe-multi'],
      dearer: ['fentry-multi', 'fentry-multi-all', 'fexit-multi', 'fmodret-multi'],
      why:
        "The global trampoline's C code is machine code here, and that of the others is not: this count compares only " +
        'entries of the same kind.',
    },
    {
      by: ['machine code'],
      cheaper: ['tp'],
      dearer: ['fentry', 'fentry-multi', 'fentry-multi-all', 'rawtp'],
      why: 'perf_trace_X() and trace_call_bpf() are functions in C here: of a hit only the site is assembly.',
    },
    {
      by: ['with functions in C'],
      cheaper: ['kprobe', 'kretprobe'],
      dearer: ['fentry-multi', 'fentry-multi-all', 'fexit', 'fmodret', 'kprobe-multi', 'kretprobe-multi'],
      why: ON_PERF,
    },
    {
      by: ['with functions in C'],
      cheaper: ['fexit', 'fmodret'],
      dearer: ['fentry-multi', 'fentry-multi-all'],
      why:
        'The series inlines the code around a program; here it is called and counted as in every other image. ' +
        'And the return of an image that skips the function is mispredicted.',
    },
  ],
  size: [
    {
      names: ['fexit'],
      why:
        'The benchmarked kernel enters an image by a call, as 6.12 does. The return of an image that skips the function is ' +
        'then mispredicted, and so are the returns of its callers.',
    },
    { names: ['kprobe'], why: ON_PERF },
    {
      names: ['kretprobe'],
      why:
        'Two returns are mispredicted: to the trampoline, and from there to the caller. And its ' +
        'program runs from a perf event, as that of a kprobe.',
    },
  ],
};
