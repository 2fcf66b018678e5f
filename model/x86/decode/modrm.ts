import { cell } from '../cell.ts';
import { FAMILY, FIELD, FORM, NO_REGISTER, REG_STRIDE } from '../instruction.ts';
import { AH } from '../register.ts';
import type { Cursor } from './cursor.ts';
import { immediate, operandSize, set, take, takeInt8, takeInt32 } from './cursor.ts';

/**
 * A register field; at one byte and without any REX prefix, numbers 4-7 are `ah ch dh bh`, with one `spl bpl
 * sil dil`.
 */
function registerField(d: Cursor, number: number, size: number): number {
  if (size === 1 && d.rex === 0 && number >= 4) return (AH + number - 4) * REG_STRIDE;
  return number * REG_STRIDE;
}

/** The register in ModRM.reg. */
function regOperand(d: Cursor, modrm: number, size: number): number {
  return registerField(d, ((modrm >> 3) & 7) | ((d.rex & 4) << 1), size);
}

/** A register in the low three bits of the opcode. */
export function opcodeRegister(d: Cursor, opcode: number, size: number): number {
  return registerField(d, (opcode & 7) | ((d.rex & 1) << 3), size);
}

export function isRegister(modrm: number): boolean {
  return modrm >= 0xc0;
}

/** The register in ModRM.rm, when mod is 3. */
function rmRegister(d: Cursor, modrm: number, size: number): number {
  return registerField(d, (modrm & 7) | ((d.rex & 1) << 3), size);
}

/**
 * The memory operand of ModRM.rm: base, index, scale and displacement.
 *
 * ```text
 *  rm    mod 0          mod 1            mod 2
 *  4     a SIB byte follows, in all three
 *  5     rip + disp32   rbp + disp8      rbp + disp32
 *  else  base           base + disp8     base + disp32
 * ```
 *
 * A SIB base of 5 in mode 0 is disp32 without a base. Both special cases are decided before REX.B extends the
 * number: r12 needs a SIB byte like `rsp`, and r13 a displacement like `rbp`.
 */
export function memoryOperand(d: Cursor, modrm: number): void {
  const { ops, k } = d;
  const mode = modrm >> 6;
  let base = modrm & 7;
  const hasSib = base === 4;
  if (hasSib) base = takeSib(d);
  const absolute = base === 5 && mode === 0;
  d.ripRelative = absolute && !hasSib;
  ops[k + FIELD.BASE] = absolute ? NO_REGISTER : (base | ((d.rex & 1) << 3)) * REG_STRIDE;
  const wide = mode === 2 || absolute;
  // 32 bits at most, sign-extended: addresses of kernel text and of per-CPU data fit.
  const displacement = wide ? takeInt32(d) : mode === 1 ? takeInt8(d) : 0;
  ops[k + FIELD.DISP_LO] = displacement;
  ops[k + FIELD.DISP_HI] = displacement >> 31;
}

/**
 * Sets the scaled index from a SIB byte; returns the base's number without REX.B. Index 4 means none, but
 * with REX.X it is r12, which may be one.
 */
function takeSib(d: Cursor): number {
  const sib = take(d);
  const index = ((sib >> 3) & 7) | ((d.rex & 2) << 2);
  if (index !== 4) {
    d.ops[d.k + FIELD.INDEX] = index * REG_STRIDE;
    d.ops[d.k + FIELD.SCALE] = sib >> 6;
  }
  return sib & 7;
}

/**
 * Sets a two-operand instruction from ModRM: `reg` first when `regIsDestination`. Both operands have the same
 * size.
 */
export function modrmPair(
  d: Cursor,
  family: number,
  size: number,
  sub: number,
  regIsDestination: boolean,
): void {
  const modrm = take(d);
  const { ops, k } = d;
  const reg = regOperand(d, modrm, size);
  if (isRegister(modrm)) {
    const rm = rmRegister(d, modrm, size);
    set(d, family, FORM.RR, size, sub);
    ops[k + FIELD.A] = regIsDestination ? reg : rm;
    ops[k + FIELD.B] = regIsDestination ? rm : reg;
    return;
  }
  memoryOperand(d, modrm);
  set(d, family, regIsDestination ? FORM.RM : FORM.MR, size, sub);
  ops[k + (regIsDestination ? FIELD.A : FIELD.B)] = reg;
}

/** Sets a one-operand instruction from ModRM.rm. */
export function modrmSingle(d: Cursor, modrm: number, family: number, size: number, sub = 0): void {
  if (isRegister(modrm)) {
    set(d, family, FORM.R, size, sub);
    d.ops[d.k + FIELD.A] = rmRegister(d, modrm, size);
    return;
  }
  memoryOperand(d, modrm);
  set(d, family, FORM.M, size, sub);
}

/**
 * ModRM.rm with an immediate of `bytes` bytes, sign-extended to the operand's size. The immediate is last,
 * after a displacement.
 */
export function modrmImmediate(
  d: Cursor,
  modrm: number,
  family: number,
  size: number,
  sub: number,
  bytes: number,
): void {
  if (isRegister(modrm)) {
    set(d, family, FORM.RI, size, sub);
    d.ops[d.k + FIELD.A] = rmRegister(d, modrm, size);
  } else {
    memoryOperand(d, modrm);
    set(d, family, FORM.MI, size, sub);
  }
  immediate(d, bytes);
}

/**
 * MOVZX, MOVSX and MOVSXD: the source is `from` bytes wide, `sub` tells signed (1) from unsigned (0). The
 * source register may be a high byte; the destination, at `operandSize()`, is none.
 */
export function modrmExtend(d: Cursor, from: number, signed: number): void {
  const size = operandSize(d);
  const modrm = take(d);
  const destination = regOperand(d, modrm, 8);
  modrmSingle(d, modrm, FAMILY.EXTEND, from, signed);
  const { ops, k } = d;
  ops[k + FIELD.FORM] = isRegister(modrm) ? FORM.RR : FORM.RM;
  ops[k + FIELD.B] = cell(ops, k + FIELD.A);
  ops[k + FIELD.A] = destination;
  ops[k + FIELD.IMM_LO] = size;
}
