import { crashLaw } from '../observed/crash-law.ts';

export const noUnhandledBreakpoint = crashLaw({
  name: 'task/no-unhandled-breakpoint',
  sentence:
    'Every int3 that a CPU hits belongs to a batch of text pokes, or to a kprobe, that its handler finds.',
  source:
    'arch/x86/kernel/alternative.c text_poke_int3_handler, smp_text_poke_int3_handler; arch/x86/kernel/kprobes/core.c kprobe_int3_handler',
  witness: 'a breakpoint hit',
  unmet: 'breakpoints are known',
  isBreach: (crash) => crash.is === 'unknown int3',
  isPremise: (happening) => happening.is === 'fetched' && happening.int3,
});
