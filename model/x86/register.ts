import { item } from './cell.ts';
/**
 * General-purpose registers by their hardware number, and their names at each width.
 *
 * Numbers 20–23 are the high bytes `ah ch dh bh`, which exist only at one byte and without a REX prefix.
 */
export type Reg = number;

export const RAX = 0;
export const RCX = 1;
export const RDX = 2;
export const RBX = 3;
export const RSP = 4;
export const RBP = 5;
export const RSI = 6;
export const RDI = 7;
export const R8 = 8;
export const R9 = 9;
export const R10 = 10;
export const R11 = 11;
export const R12 = 12;
export const R13 = 13;
export const R14 = 14;
export const R15 = 15;

/** First of the four high-byte registers. */
export const AH = 20;

/** A width of an operand in bytes. */
export type Width = 1 | 2 | 4 | 8;

const LEGACY = ['ax', 'cx', 'dx', 'bx', 'sp', 'bp', 'si', 'di'];
const HIGH_BYTES = ['ah', 'ch', 'dh', 'bh'];

/** The assembler's name of a register at a width of 1, 2, 4 or 8 bytes, without the percent sign. */
export function registerName(reg: Reg, width: Width = 8): string {
  if (reg >= AH) return item(HIGH_BYTES, reg - AH);
  if (reg >= 8) return `r${reg}${{ 1: 'b', 2: 'w', 4: 'd', 8: '' }[width]}`;
  const name = item(LEGACY, reg);
  if (width === 8) return `r${name}`;
  if (width === 4) return `e${name}`;
  if (width === 2) return name;
  return name.endsWith('x') ? `${name[0]}l` : `${name}l`;
}

/** Registers that a callee may leave with anything in them (System V ABI, x86-64). */
export const CALLER_SAVED: readonly Reg[] = [RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11];

/** Registers that a callee must give back as they were; `rsp` is checked on its own. */
export const CALLEE_SAVED: readonly Reg[] = [RBX, RBP, R12, R13, R14, R15];
