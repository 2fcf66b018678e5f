import type { AttachLaw } from '../law/sequence-law.ts';

/** I-34, first half. A task that has exited in a function that does not return is no witness. */
export const tracedCallsReturn: AttachLaw = {
  name: 'ftrace/traced-calls-return',
  sentence: 'A call of a traced function returns to its caller, whatever is attached.',
  source: 'arch/x86/kernel/ftrace_64.S; kernel/bpf/trampoline.c  bpf_tramp_image_put',
  witness: 'a call',
  judge: ({ action, outcome }) => {
    if (action.do !== 'call') return 'not applicable';
    if (outcome.call?.gone === true) return 'not applicable';
    const wrong = outcome.died ?? outcome.call?.fault;
    if (wrong === undefined) return 'held';
    return { is: 'call-does-not-return', fn: action.fn, why: wrong };
  },
};
