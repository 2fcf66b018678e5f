import { crashLaw } from '../observed/crash-law.ts';

export const noCallToAFreedProgram = crashLaw({
  name: 'task/no-call-to-a-freed-program',
  sentence: 'A program is freed only after the last image that may call it can no longer do so.',
  source: 'kernel/bpf/syscall.c bpf_prog_put; kernel/bpf/trampoline.c bpf_trampoline_skip_prog',
  witness: 'a program freed during a call',
  unmet: 'programs stay',
  isBreach: (crash) => crash.is === 'use after free' && crash.object.is === 'program',
  isPremise: (happening) => happening.is === 'freed' && happening.object.is === 'program',
});
