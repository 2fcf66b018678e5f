import type { Reasons } from './table.ts';

/**
 * Survivors that no law has to kill, and why: an equivalent mutant, or a fault that no client can observe. A survivor
 * that is not listed here is a hole in the laws or in the draws.
 */
export const EXPLAINED: Reasons = {
  'model/trampoline/stage/cells.ts/OUTER_CONTEXT_ADDRESS/arithmetic/DATA_BYTES - 64':
    'equivalent: images save and restore the run context of an outer program, and follow it nowhere',
  'model/trampoline/traced-function.ts/modulesAtBoot/constant/0 (2)':
    'equivalent: the count of unloads only keeps the addresses of a gone module apart, in the model and in the contract',
  'model/trampoline/trampoline.ts/trLock/constant/0': 'equivalent: every function has a number',
  'model/tracepoint/stub.ts/emitItem/condition/item.signed (2)':
    'only a planted bug makes an item signed: the kernel model plans none',
  'model/x86/alu.ts/logic/constant/0 (2)':
    'equivalent: no flag of a logical result is read from the operands',
  'model/x86/decode/cursor.ts/take/constant/0':
    'equivalent: bytes past the end are refused, whatever they are read as',
  'model/x86/decode/one-byte.ts/decodeOneByte/constant/8 (2)':
    'equivalent: a trap has no operand whose size is read',
  'model/x86/flags.ts/SPLIT/constant/30': 'equivalent: bit 31 is as free as bit 30',
  'model/x86/generic/compute.ts/high/constant/0 (2)': 'equivalent: the product overwrites it',
  'model/x86/generic/branch.ts/mayBranch/comparison/tag >= ZERO_TEST':
    'equivalent: groups are numbered from 1, and a test for zero is that mark plus a group',
  'model/x86/link.ts/isBreakpoint/constant/0': 'equivalent: rows come after the registers, none is at 1',
  'model/x86/machine.ts/createMachine/constant/0 (3)':
    'equivalent: the lowest bit of the control groups is that of group 0, which no value has',
  'model/x86/template-family.ts/length/constant/0n':
    'equivalent: where a template lies decides its displacement alone, which each emission overwrites',
  'model/x86/template-family.ts/template/constant/true (3)':
    'equivalent: bytes 8 to 11 of a template are part of an immediate or a displacement, which each emission overwrites',
  'model/x86/template.ts/JA_NEAR/constant/0n':
    'equivalent: each emission overwrites the target of a template',
  'model/x86/template.ts/SHIFT_RIGHT_GS/constant/0x11':
    'equivalent: each emission overwrites the immediate of a template',
};
