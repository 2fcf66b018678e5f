import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { calls } from '../../properties/planted/interleavings/scenarios.ts';
import { noCallToAFreedProgram } from '../../properties/task/no-call-to-a-freed-program.ts';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import { gapsOfRecordedImages } from './gaps.ts';
import type { Hypothesis } from './hypothesis.ts';

const ALL = ['6.1', '6.12', '7.2'];
const F1 = tracedFunction('f1', 1, 'u64 -> u64');

export const TRAMPOLINE_HYPOTHESES: readonly Hypothesis[] = [
  {
    id: 'T1',
    claim:
      'Between the branch of a modify-return program that skips the function and the exit program after it, nothing prevents that program from being freed.',
    confirmed: ['6.1', '6.12'],
    refuted: ['7.2'],
    why: 'The branch skips the nop that is patched when the image retires, and the task is outside any RCU read-side section there. In 7.2 programs wait for RCU-tasks, and detached ones are skipped one by one.',
    source:
      'kernel/bpf/trampoline.c: bpf_tramp_image_put(); fixed in 7.2.10 (bpf: Skip detached progs in trampoline images that are still in use; bpf: Wait for an RCU tasks GP before freeing trampoline progs)',
    traces: [
      'task/known/program-is-freed-before-its-entry.6.1',
      'task/known/program-is-freed-before-its-entry.6.12',
    ],
    explored: [
      {
        kernels: ALL,
        brokenIn: ['6.1', '6.12'],
        functions: [F1],
        setup: [
          'prog#1 = BPF_PROG_LOAD(fmod_ret returns=0x1, f1)',
          'prog#2 = BPF_PROG_LOAD(fexit, f1)',
          'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)',
          'link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)',
        ],
        clients: [['close(link#2)', 'close(prog#2)']],
        callers: [calls('f1')],
        laws: [noCallToAFreedProgram],
      },
    ],
  },
  {
    id: 'T2',
    claim:
      'An extension whose poke fails leaves its target marked: the target stays busy for good, and the rollback pokes what was never written.',
    confirmed: ALL,
    refuted: [],
    why: 'extension_prog is set before the poke and not reset when the poke fails.',
    source: 'kernel/bpf/trampoline.c: BPF_TRAMP_REPLACE in __bpf_trampoline_link_prog()',
    traces: ['known/extension-that-was-refused-keeps-its-target'],
  },
  {
    id: 'T3',
    claim:
      'The gap before the exit programs is computed from the address of the buffer instead of the final address of the image.',
    confirmed: [],
    refuted: ['6.12', '7.2'],
    why: 'Images start at multiples of 64 and the gap ends at a multiple of 16, so that both agree. The model reproduces all recorded images byte for byte, including those with such a gap; in 6.1 the image is generated in place.',
    source:
      'arch/x86/net/bpf_jit_comp.c: emit_align(), __arch_prepare_bpf_trampoline(); kernel/bpf/core.c: BPF_IMAGE_ALIGNMENT',
    recorded: gapsOfRecordedImages,
  },
  {
    id: 'T4',
    claim:
      'bpf_trampoline_add_prog() counts a session as an entry program, and may refuse it with EINVAL without undoing that.',
    confirmed: [],
    refuted: ['7.2'],
    why: 'Only links of other types than tracing and tracing multi reach that return site; programs with sessions are linked by these two only, each with a node for the exit half.',
    source:
      'kernel/bpf/trampoline.c of 7.2: bpf_trampoline_add_prog(), fsession_exit(); kernel/bpf/syscall.c: bpf_tracing_prog_attach(), bpf_tracing_multi_attach()',
    played: [
      {
        kernels: ['7.2'],
        actions: [
          'prog#1 = BPF_PROG_LOAD(fsession, f1)',
          'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)',
          'prog#2 = BPF_PROG_LOAD(fsession, f1)',
          'link#2 = BPF_LINK_CREATE(prog#2)',
          'prog#3 = BPF_PROG_LOAD(fsession multi)',
          'link#3 = BPF_LINK_CREATE(prog#3, { f1, f2 })',
          'task#1 calls f1(0x1)',
        ],
      },
    ],
  },
  {
    id: 'T5',
    claim:
      'A trampoline that outlives its module is found by a program for the reloaded module, with the former address.',
    confirmed: [],
    refuted: ALL,
    why: 'A trampoline does outlive its module: in 6.1 a program that was never linked holds the trampoline but not the module, in 7.2 a retired image does. In 6.12 both are held from program load on. But a trampoline is looked up by the BTF id of its module, and a reloaded module gets the next id: ids repeat after 2^31.',
    source:
      'kernel/bpf/trampoline.c: bpf_trampoline_get(), bpf_trampoline_lookup(); kernel/bpf/btf.c: btf_alloc_id(), which calls idr_alloc_cyclic(); kernel/bpf/verifier.c: prog->aux->mod',
    explored: [
      {
        kernels: ALL,
        brokenIn: [],
        functions: [{ ...F1, module: 'm1' }],
        setup: ['prog#1 = BPF_PROG_LOAD(fexit, f1)', 'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)'],
        clients: [
          ['close(link#1)', 'close(prog#1)'],
          [
            'delete_module(m1)',
            'init_module(m1)',
            'prog#2 = BPF_PROG_LOAD(fexit, f1)',
            'link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)',
          ],
        ],
        callers: [],
        laws: TASK_LAWS,
      },
    ],
  },
  {
    id: 'T6',
    claim:
      'update_ftrace_direct_mod() skips functions without a direct call, and returns 0: a multi link assumes a change that did not happen, and puts an image that a site still calls.',
    confirmed: [],
    refuted: ['7.2'],
    why: 'It does skip them. But BPF passes only functions that have an image at their site, with the mutexes of all trampolines held, so that none lacks a direct call when the change is made.',
    source:
      'kernel/trace/ftrace.c of 7.2: update_ftrace_direct_mod(); kernel/bpf/trampoline.c: bpf_trampoline_multi_attach(), trampoline_lock_all()',
    explored: [
      {
        kernels: ['7.2'],
        brokenIn: [],
        functions: [F1, tracedFunction('f2', 2, 'u64 -> u64')],
        setup: [
          'prog#1 = BPF_PROG_LOAD(fentry, f1)',
          'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)',
          'prog#2 = BPF_PROG_LOAD(fentry multi)',
        ],
        clients: [['link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 })'], ['close(link#1)']],
        callers: [],
        laws: TASK_LAWS,
      },
      {
        kernels: ['7.2'],
        brokenIn: [],
        functions: [F1, tracedFunction('f2', 2, 'u64 -> u64')],
        setup: [
          'prog#1 = BPF_PROG_LOAD(fentry, f1)',
          'prog#2 = BPF_PROG_LOAD(fentry multi)',
          'link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 })',
        ],
        clients: [['link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)'], ['close(link#2)']],
        callers: [],
        laws: TASK_LAWS,
      },
    ],
  },
];
