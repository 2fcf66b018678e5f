import type { Audit } from './row.ts';
import { ALL, branches, modelled } from './row.ts';

/** The return hooks of x86-64. */
export const X86_RETHOOK: Audit = {
  file: 'arch/x86/kernel/rethook.c',
  functions: [
    {
      fn: 'arch_rethook_trampoline_callback',
      in: ALL,
      rows: [
        branches(
          ALL,
          'the registers are completed, rethook_trampoline_handler() is called',
          modelled('arch_rethook_trampoline_callback: each pool'),
        ),
      ],
    },
  ],
};
