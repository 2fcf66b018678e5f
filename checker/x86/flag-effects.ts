import { entry } from '../../model/core/present.ts';
import { AF, ALL_FLAGS, CF, OF, PF, SF, ZF } from '../../model/x86/flags.ts';
import { CONDITION } from '../../model/x86/instruction.ts';

/** What an instruction does to the six status flags, as sets of flags. */
export interface FlagEffect {
  readonly reads: number;
  readonly writes: number;
  /** Of those that it writes, the ones that the architecture leaves open. */
  readonly undefined: number;
}

/** A row of the table: `FlagEffect`, and what depends on the count of a shift. */
interface Entry extends FlagEffect {
  /** Left open when the masked count is not one. */
  readonly unlessOne?: number;
  /** Left open when the masked count is the operand's width in bits or more. */
  readonly fromWidth?: number;
}

const arithmetic: Entry = { reads: 0, writes: ALL_FLAGS, undefined: 0 };
const withCarry: Entry = { reads: CF, writes: ALL_FLAGS, undefined: 0 };
const keepsCarry: Entry = { reads: 0, writes: ALL_FLAGS & ~CF, undefined: 0 };
const logic: Entry = { reads: 0, writes: ALL_FLAGS, undefined: AF };
const product: Entry = { reads: 0, writes: ALL_FLAGS, undefined: SF | ZF | AF | PF };
const linear: Entry = { reads: 0, writes: ALL_FLAGS, undefined: AF, unlessOne: OF, fromWidth: CF };
const rotation: Entry = { reads: 0, writes: CF | OF, undefined: 0, unlessOne: OF };
const none: Entry = { reads: 0, writes: 0, undefined: 0 };

/**
 * "Flags Affected" of Intel SDM vol. 2, by the name of the instruction's page there (ROL and ROR are on the page
 * of RCL, SHL, SHR and SAR on that of SAL, PUSHF and POPF on those of PUSHFQ and POPFQ). An instruction that is
 * not in the table does nothing to them. A masked count of zero changes no flag.
 */
const FLAGS_AFFECTED: Readonly<Record<string, Entry>> = {
  ADD: arithmetic,
  SUB: arithmetic,
  CMP: arithmetic,
  NEG: arithmetic,
  ADC: withCarry,
  SBB: withCarry,
  INC: keepsCarry,
  DEC: keepsCarry,
  AND: logic,
  OR: logic,
  XOR: logic,
  TEST: logic,
  MUL: product,
  IMUL: product,
  SHL: linear,
  SHR: linear,
  SAR: { ...linear, fromWidth: 0 },
  ROL: rotation,
  ROR: rotation,
  PUSHF: { ...none, reads: ALL_FLAGS },
  POPF: arithmetic,
};

/** Flags that a condition reads (SDM vol. 1, appendix B), by its even number. */
const CONDITION_READS: Readonly<Record<number, number>> = {
  [CONDITION.O]: OF,
  [CONDITION.B]: CF,
  [CONDITION.E]: ZF,
  [CONDITION.BE]: CF | ZF,
  [CONDITION.S]: SF,
  [CONDITION.P]: PF,
  [CONDITION.L]: SF | OF,
  [CONDITION.LE]: SF | OF | ZF,
};

/** Flags that an instruction of this name, with this condition, reads. */
export function flagsRead(name: string, condition: number | undefined): number {
  if (condition !== undefined) return entry(CONDITION_READS, condition & ~1);
  return (FLAGS_AFFECTED[name] ?? none).reads;
}

/** The flags that are left open after an instruction, given those that were before it. */
export function undefinedAfter(before: number, name: string, shift: Shift): number {
  const entry = FLAGS_AFFECTED[name] ?? none;
  if (entry.unlessOne === undefined) return (before & ~entry.writes) | entry.undefined;
  if (shift.count === undefined) return before | entry.undefined | entry.unlessOne | (entry.fromWidth ?? 0);
  const count = shift.count & (shift.size === 8 ? 63 : 31);
  if (count === 0) return before;
  const open =
    entry.undefined |
    (count === 1 ? 0 : entry.unlessOne) |
    (count < shift.size * 8 ? 0 : (entry.fromWidth ?? 0));
  return (before & ~entry.writes) | open;
}

/** Operand size in bytes, and the count of a shift; an unknown count may do any of what the table says. */
export interface Shift {
  readonly size: number;
  readonly count: number | undefined;
}
