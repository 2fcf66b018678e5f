import type { Reasons } from './table.ts';

/**
 * Survivors that no law has to kill, and why: an equivalent mutant, or a fault that no client can observe. A survivor
 * that is not listed here is a hole in the laws or in the draws.
 */
export const EXPLAINED: Reasons = {
  'model/trampoline/plan/plan.ts/closeFrame/constant/0 (3)':
    'equivalent: the index names an item among several of its role, and an image closes its frame once',
  'model/trampoline/traced-function.ts/modulesAtBoot/constant/0 (2)':
    'equivalent: the count of unloads only keeps the addresses of a gone module apart, in the model and in the contract',
  'model/x86/trial.ts/difference/constant/0':
    'no search runs it: it compares two forms of an instruction, for the tests of the emulator',
};
