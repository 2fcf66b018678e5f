import type { Explanations } from '../../checker/cost/benchmark.ts';

const ON_PERF =
  'A BPF program on a kprobe hangs on a perf event: kprobe_dispatcher(), kprobe_perf_func() and trace_call_bpf() run ' +
  'between the probe and the program. Here the probe calls its handler at once, in the model and in the recordings.';

/** Where the benchmark says something else than the model counts, and why. */
export const EXPLANATIONS: Explanations = {
  order: [
    {
      by: ['machine code', 'with functions in C'],
      cheaper: ['fexit'],
      dearer: ['fmodret'],
      why:
        "The benchmark's fmod_ret program returns an errno: its function does not run, and the baseline that is taken " +
        'off has run one.',
    },
    {
      by: ['machine code'],
      cheaper: ['kprobe', 'kretprobe'],
      dearer: ['kprobe-multi', 'kretprobe-multi'],
      why: 'Both come through the same assembly; what tells them apart is done by functions in C.',
    },
    {
      by: ['machine code'],
      cheaper: ['kprobe-multi', 'kretprobe-multi'],
      dearer: ['fexit', 'fmodret', 'kprobe'],
      why: 'What an fprobe does it does in C: its assembly is a small part of its instructions.',
    },
    {
      by: ['machine code'],
      cheaper: ['fexit', 'fmodret', 'kprobe', 'kprobe-multi'],
      dearer: ['fentry-multi', 'fentry-multi-all', 'fexit-multi', 'fmodret-multi'],
      why:
        'What the global trampoline does in C is machine code here, and that of the others is not: this count is for ' +
        'what stands on the same side.',
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
        'The series inlines what stands around a program; here that is called and counted as in every other image. ' +
        'And an image that returns past the function returns elsewhere than a CPU predicts.',
    },
  ],
  size: [
    {
      names: ['fexit'],
      why:
        'The benchmarked kernel enters an image by a call, as 6.12 does. An image that returns past the function then ' +
        'returns elsewhere than a CPU predicts, and so do its callers after it.',
    },
    { names: ['kprobe'], why: ON_PERF },
    {
      names: ['kretprobe'],
      why:
        'Two returns go elsewhere than a CPU predicts: to the trampoline, and from there to the caller. And its ' +
        'program hangs on a perf event, as that of a kprobe.',
    },
  ],
};
