import type { FunctionName } from '../../../model/core/ids.ts';
import { profileNamed } from '../../../model/core/profile.ts';
import type { KernelView } from '../../../model/kernel.ts';
import { designOf } from '../../../model/trampoline/designs/chosen.ts';
import { knownFunction, reachOf } from '../../../model/trampoline/traced-function.ts';
import type { KnownAttach } from '../attach.ts';
import { known } from '../attach.ts';
import { hasJoinedAShared } from '../attach-second-function.ts';
import { isProgram } from '../cause.ts';

/** Common fields: the evidence and the designs. */
export const OF_GLOBAL = {
  kernels: ['6.12'],
  multiLinks: 'global',
  variants: ['global int in rax', 'global padding'],
} as const;

/** The global trampoline's code for a function with programs; empty: it has none. */
function imageOfCall(k: KernelView, fn: FunctionName): string {
  return designOf(profileNamed(k.profile))!.imageOf!(k, fn);
}

/** The same for a function, or for one that it calls. */
function reachesAnImage(k: KernelView, fn: FunctionName): boolean {
  return [...reachOf(k.functions, fn)].some((name) => imageOfCall(k, name) !== '');
}

/** The global trampoline's code runs for a function that has a __int128 among its arguments. */
function isWideCall(k: KernelView, fn: FunctionName): boolean {
  const { args } = knownFunction(k.functions, fn).signature;
  return args.some(({ size, struct }) => size > 8 && !struct) && imageOfCall(k, fn) !== '';
}

const WIDE =
  '[PATCH bpf-next v2 10/18] x86,bpf: factor out arch_bpf_get_regs_nr; [06/18] bpf: tracing: add support to record and check the accessed args  btf_check_func_part_match: roundup(t->size, 8)';

/** What the global trampoline's code does to a call: arguments of two registers, and an int in all of rax (D4). */
export const KNOWN_GLOBAL_CALLS: readonly KnownAttach[] = [
  known({
    ...OF_GLOBAL,
    name: 'global-loses-half-of-a-wide-argument',
    sentence:
      'A __int128 takes two registers but counts as one: the code for one argument does not save the second, and the function gets its leftover contents.',
    evidence:
      '[PATCH bpf-next v2 10/18] x86,bpf: factor out arch_bpf_get_regs_nr: only arguments with BTF_FMODEL_STRUCT_ARG count as often as their words',
    law: 'ftrace/caller-gets-the-return-value',
    finding: 'return-value-differs',
    when: ({ fn }, { moment: { after } }) => isWideCall(after, fn),
    example:
      'f1 = function(u128 -> u64); prog#1 = BPF_PROG_LOAD(fexit multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); task#1 calls f1(0x5100000071000000, 0x5100000072000000)',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-takes-the-replacement-for-its-function',
    sentence:
      'The code finds the metadata of its function by the return address below the call site; of a function that joins a registered IPMODIFY ops, whose direct calls nothing notifies, that is the replacement, which has none.',
    evidence:
      '[PATCH bpf-next v2 02/18] x86,bpf: add bpf_global_caller for global trampoline; correction 8 (F2)',
    law: 'ftrace/traced-calls-return',
    finding: 'call-does-not-return',
    when: ({ fn, why }, breach) =>
      (why.is === 'function without metadata' || why.is === 'fault') && hasJoinedAShared(breach, fn),
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f2 }); register_ftrace_function(ops#1); ftrace_set_filter_ip(ops#1, f2); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-shows-what-is-left-on-the-stack',
    sentence:
      'The verifier counts a __int128 as two words, the code that stores the arguments counts registers and takes it for one: the program reads stale stack contents.',
    evidence: WIDE,
    law: 'ftrace/callbacks-see-the-callers-arguments',
    finding: 'arguments-differ',
    when: (_, { moment: { action, after } }) => action.do === 'call' && isWideCall(after, action.fn),
    example:
      'f1 = function(u64 x3 -> u64); f2 = function(u128, u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi reads=ctx[2], f1); link#1 = BPF_LINK_CREATE(prog#1, { f2 }); task#1 calls f2(0x5100000071000000, 0x5100000072000000, 0x5100000073000000)',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-return-value-is-not-where-it-was-checked',
    sentence:
      'The same for the return value: it is stored after the words that were counted, but the program expects it after the real ones.',
    evidence: WIDE,
    law: 'ftrace/exit-handlers-see-the-return-value',
    finding: 'seen-return-value-differs',
    when: ({ who }, { moment: { action, after } }) =>
      isProgram(who) && action.do === 'call' && isWideCall(after, action.fn),
    example:
      'f1 = function(u64 x2 -> u64); f2 = function(u128 -> u64); prog#1 = BPF_PROG_LOAD(fexit multi reads=ctx[ret], f1); link#1 = BPF_LINK_CREATE(prog#1, { f2 }); task#1 calls f2(0x5100000071000000, 0x5100000072000000)',
  }),
  known({
    kernels: ['6.12'],
    multiLinks: 'global int in rax',
    name: 'global-entry-tests-rax',
    sentence:
      'D4: bpf_global_caller_run() returns an int, and its caller tests all of rax: if the compiler leaves garbage in the upper half, as it may, functions with entry programs alone no longer run.',
    evidence:
      '[PATCH bpf-next v2 02/18] x86,bpf: add bpf_global_caller for global trampoline  CALLER_DEFINE: test %rax, %rax after a call of a function that returns int',
    law: 'ftrace/caller-gets-the-return-value',
    finding: 'return-value-differs',
    when: ({ fn }, { moment: { after } }) => reachesAnImage(after, fn),
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    kernels: ['6.12'],
    multiLinks: 'global int in rax',
    name: 'global-entry-skips-a-void-function',
    sentence: 'D4, for a function that returns void: its caller does not notice that it has not run.',
    evidence:
      '[PATCH bpf-next v2 02/18] x86,bpf: add bpf_global_caller for global trampoline  CALLER_DEFINE: test %rax, %rax',
    law: 'ftrace/body-or-replacement-runs-once',
    finding: 'runs-differ',
    when: ({ fn, expected, observed }, { moment: { after } }) =>
      expected.some(({ is }) => is === 'body') && observed.length === 0 && reachesAnImage(after, fn),
    example:
      'f1 = function(u64 -> void); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); task#1 calls f1(0x5100000071000000)',
  }),
];
