import type { TaskLaw } from '../../properties/law/interleaving-law.ts';

/*
 * Questions about interleavings that are checked only here. The kernel promises neither: no law is broken by the
 * answers.
 */

export const nobodyIsPutOff: TaskLaw = {
  name: 'question/no-eagain-for-another-function',
  sentence: 'No operation is refused with EAGAIN because of one on another function.',
  source: 'kernel/bpf/trampoline.c bpf_tramp_ftrace_ops_func',
  witness: 'an operation ended',
  judge: ({ happening }) => {
    if (happening.is !== 'operation over') return 'not applicable';
    const { action, answer } = happening.done;
    return answer === 'EAGAIN' ? { is: 'is-put-off', action: action.do } : 'held';
  },
};

export const newAddressesStay: TaskLaw = {
  name: 'question/new-addresses-stay',
  sentence: 'A call that has used the new address of a direct call never uses the old one afterwards.',
  source: 'kernel/trace/ftrace.c __modify_ftrace_direct',
  witness: 'a call made direct calls in two functions',
  judge: ({ happening }) => {
    if (happening.is !== 'call over') return 'not applicable';
    const made = happening.run.events.flatMap(({ kind, who, fn }) =>
      kind === 'direct' ? [{ who, fn }] : [],
    );
    const [first, second] = made;
    if (first === undefined || second === undefined) return 'not applicable';
    return first.who === 'my_tramp2' && second.who === 'my_tramp1'
      ? { is: 'old-address-again', fn: second.fn, before: first.fn }
      : 'held';
  },
};
