import { crashLaw } from '../observed/crash-law.ts';

export const noTornInstruction = crashLaw({
  name: 'task/no-torn-instruction',
  sentence: 'No CPU executes a mix of two instructions: it fetches the old one, an int3, or the new one.',
  source: 'arch/x86/kernel/alternative.c text_poke_bp_batch, smp_text_poke_batch_finish',
  witness: 'an instruction fetched while it is being patched',
  unmet: 'instructions are whole',
  isBreach: (crash) => crash.is === 'torn instruction',
  isPremise: ({ is }) => is === 'fetched',
});
