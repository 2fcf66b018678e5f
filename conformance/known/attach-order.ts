import { FTRACE_FL_REGS, FTRACE_FL_REGS_EN } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { KnownAttach } from './attach.ts';

const LAW = 'ftrace/independent-operations-commute';

function hasDirectCall({ ftrace }: KernelView): boolean {
  return Object.keys(ftrace.directFunctions).length > 0;
}

/** Breaches of the law that operations which have nothing to do with each other may change places. */
export const KNOWN_ORDER: readonly KnownAttach[] = [
  {
    name: 'regs-are-kept-if-another-function-is-left',
    sentence:
      'A function that leaves a registered ops with SAVE_REGS keeps REGS; if it is the only one, the ops is unregistered, and it does not.',
    evidence:
      'kernel/trace/ftrace.c of all three  test_rec_ops_needs_regs: it asks every ops on the list, the one that is being taken off included, whose filter is still the old one',
    law: LAW,
    kernels: ['6.1', '6.12', '7.2'],
    shows:
      /^(ftrace\/records\/\w+\/flags is \d+|text\/sites\/\w+ is call ftrace_(regs_)?caller), .* it is (\d+|call ftrace_(regs_)?caller)$/,
    example:
      'register_ftrace_graph(gops#1); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); unregister_kprobe(kprobe#1)',
    when: ({ finding: { expected, observed }, moment: { after } }) => {
      const flags = [expected, observed].map((text) => Number(/ is (\d+)/.exec(text)?.[1]));
      const kept = after.ftrace.enabled ? FTRACE_FL_REGS | FTRACE_FL_REGS_EN : FTRACE_FL_REGS;
      return Number.isNaN(flags[0]) || (flags[0]! ^ flags[1]!) === kept;
    },
  },
  {
    name: 'only-the-first-ipmodify-function-is-negotiated',
    sentence:
      'A kprobe with post_handler on a function with a direct call is refused if it is the first of its kind, and registered if another is armed elsewhere.',
    evidence:
      'recorded on all three (common 88; correction 8, F2): register_kprobe is 0 where it would be EBUSY alone; kernel/trace/ftrace.c  register_ftrace_function_nolock, ftrace_set_hash',
    law: LAW,
    kernels: ['6.1', '6.12', '7.2'],
    shows:
      /^(register_kprobe gives (0|EBUSY|EAGAIN)|(text|bpf\/trampolines|ftrace)\/\S+ is .*), in both orders \/ /,
    when: ({ moment: { previous, action } }) => {
      const [first, second] = [previous?.action.do ?? '', action.do].map((name) => name.endsWith('kprobe'));
      return first === true && second === true && hasDirectCall(previous!.before);
    },
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); register_kprobe(kprobe#1, f1, post_handler); register_kprobe(kprobe#2, f2, post_handler)',
  },
];
