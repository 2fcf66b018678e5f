import { byteOrZero } from './cell.ts';
import { REG_STRIDE } from './instruction.ts';
import { OP, ROW } from './row.ts';
import { isOwnNegative } from './short-form.ts';

/**
 * Reads one instruction in its short form straight from the bytes, for the encodings that the BPF JIT and our
 * assembler produce. Returns its length, or 0 when `decode()` has to decode it. Fields of the row that the
 * instruction does not use are left as they are; PLACE and the links are the caller's.
 *
 * Why a second decoder: an image is generated, executed a few times and forgotten, so that decoding is a
 * large part of its cost. It accepts no prefix but one REX directly before the opcode, and no encoding twice:
 * whatever it accepts, `decode()` followed by `shortFromFields()` accepts with the same row. Bytes past the
 * end of the region read as zero; the caller compares the length with the region.
 */
export function shortFromBytes(
  bytes: Uint8Array,
  offset: number,
  M: Int32Array,
  k: number,
  end: number,
  hi: number,
): number {
  let p = offset;
  let rex = byteOrZero(bytes, p);
  if ((rex & 0xf0) === 0x40) p++;
  else rex = 0;
  const opcode = byteOrZero(bytes, p);
  const wide = (rex & 8) !== 0;
  if (wide && (opcode === 0x89 || opcode === 0x8b || opcode === 0x8d))
    return shortMove(bytes, offset, p, rex, M, k);
  if (wide && opcode === 0xc7) return shortStoreConstant(bytes, offset, p, rex, M, k);
  // B8+r is four bytes wide without REX.W and eight with it. PUSH and POP (50+r) are eight bytes wide by
  // default and use of REX only REX.B.
  if ((opcode & 0xf8) === 0xb8) return shortConstant(bytes, offset, p, rex, M, k);
  if ((opcode & 0xf0) === 0x50 && rex < 0x48) {
    M[k] = opcode < 0x58 ? OP.PUSH : OP.POP;
    M[k + ROW.A] = ((opcode & 7) | ((rex & 1) << 3)) * REG_STRIDE;
    return p + 1 - offset;
  }
  if (rex === 0x48) return shortArithmetic(bytes, offset, M, k);
  // What remains has neither extended registers nor REX.W.
  if (rex !== 0) return 0;
  return shortPlain(bytes, offset, opcode, M, k, end, hi);
}

/** Four bytes, little-endian, as a signed number. */
export function int32At(bytes: Uint8Array, offset: number): number {
  return (
    byteOrZero(bytes, offset) |
    (byteOrZero(bytes, offset + 1) << 8) |
    (byteOrZero(bytes, offset + 2) << 16) |
    (byteOrZero(bytes, offset + 3) << 24)
  );
}

/**
 * `mov` (89, 8B) and `lea` (8D) of eight bytes: between registers, or with a base and a displacement of one
 * byte or four.
 *
 * ModRM.rm = 4 announces a SIB byte; 0x24 without REX.X and REX.B is the one that says "base rsp, no index",
 * as every access to the stack is encoded. Mode 0 has no displacement, or is RIP-relative: the JIT always
 * emits a displacement (emit_insn_suffix(), arch/x86/net/bpf_jit_comp.c), and the second needs `rip`.
 */
function shortMove(
  bytes: Uint8Array,
  offset: number,
  p: number,
  rex: number,
  M: Int32Array,
  k: number,
): number {
  const opcode = byteOrZero(bytes, p);
  const modrm = byteOrZero(bytes, p + 1);
  const mode = modrm >> 6;
  const reg = (((modrm >> 3) & 7) | ((rex & 4) << 1)) * REG_STRIDE;
  // REX.R extends ModRM.reg, REX.B extends ModRM.rm.
  const rm = ((modrm & 7) | ((rex & 1) << 3)) * REG_STRIDE;
  if (mode === 3) {
    // `lea` of a register is #UD.
    if (opcode === 0x8d) return 0;
    M[k] = OP.MOV_RR;
    M[k + ROW.A] = opcode === 0x89 ? rm : reg;
    M[k + ROW.B] = opcode === 0x89 ? reg : rm;
    return p + 2 - offset;
  }
  const sib = (modrm & 7) === 4;
  if (mode === 0 || (sib && ((rex & 3) !== 0 || bytes[p + 2] !== 0x24))) return 0;
  const disp = p + (sib ? 3 : 2);
  M[k] = opcode === 0x89 ? OP.STORE : opcode === 0x8b ? OP.LOAD : OP.LEA;
  M[k + ROW.A] = reg;
  M[k + ROW.B] = rm;
  M[k + ROW.X] = mode === 1 ? (byteOrZero(bytes, disp) << 24) >> 24 : int32At(bytes, disp);
  return disp + (mode === 1 ? 1 : 4) - offset;
}

/**
 * C7 /0 with REX.W: `movq` of a constant to a base and a displacement. The four bytes of the immediate are
 * sign-extended by the loop.
 */
function shortStoreConstant(
  bytes: Uint8Array,
  offset: number,
  p: number,
  rex: number,
  M: Int32Array,
  k: number,
): number {
  const modrm = byteOrZero(bytes, p + 1);
  const mode = modrm >> 6;
  if ((modrm & 0x38) !== 0 || (modrm & 7) === 4 || mode === 0 || mode === 3) return 0;
  const end = p + (mode === 1 ? 3 : 6);
  M[k] = OP.STORE_I;
  M[k + ROW.B] = ((modrm & 7) | ((rex & 1) << 3)) * REG_STRIDE;
  M[k + ROW.X] = mode === 1 ? (byteOrZero(bytes, p + 2) << 24) >> 24 : int32At(bytes, p + 2);
  M[k + ROW.Y] = int32At(bytes, end);
  return end + 4 - offset;
}

/** B8+r: `mov` of a constant of four or eight bytes to a register. `Y` is the upper half: zero for four bytes. */
function shortConstant(
  bytes: Uint8Array,
  offset: number,
  p: number,
  rex: number,
  M: Int32Array,
  k: number,
): number {
  const wide = (rex & 8) !== 0;
  M[k] = OP.MOV_RI;
  M[k + ROW.A] = ((byteOrZero(bytes, p) & 7) | ((rex & 1) << 3)) * REG_STRIDE;
  M[k + ROW.X] = int32At(bytes, p + 1);
  M[k + ROW.Y] = wide ? int32At(bytes, p + 5) : 0;
  return p + (wide ? 9 : 5) - offset;
}

/**
 * With REX 48: `test r,r` (85), and additions to and subtractions from `rsp` (83, 81), whose ModRM is C4 (/0,
 * add) or EC (/5, sub).
 */
function shortArithmetic(bytes: Uint8Array, offset: number, M: Int32Array, k: number): number {
  const opcode = byteOrZero(bytes, offset + 1);
  const modrm = byteOrZero(bytes, offset + 2);
  if (opcode === 0x85 && modrm >= 0xc0 && ((modrm >> 3) & 7) === (modrm & 7)) {
    M[k] = OP.TEST_SELF;
    M[k + ROW.A] = (modrm & 7) * REG_STRIDE;
    return 3;
  }
  const adjusts = (opcode === 0x83 || opcode === 0x81) && (modrm === 0xc4 || modrm === 0xec);
  const value = opcode === 0x83 ? (byteOrZero(bytes, offset + 3) << 24) >> 24 : int32At(bytes, offset + 3);
  if (!adjusts || isOwnNegative(value)) return 0;
  M[k] = OP.ADJUST;
  // `X` is added, `Y` is the operand for the flags.
  M[k + ROW.X] = modrm === 0xc4 ? value : -value;
  M[k + ROW.Y] = value;
  return opcode === 0x83 ? 4 : 7;
}

/**
 * Instructions without a REX prefix. `end` and `hi` are the instruction's own address, from which a call
 * computes what it pushes. One switch on purpose: it runs for every instruction of a fresh image.
 *
 * The NOP of five bytes (0F 1F 44 with SIB and displacement) is the one at call sites and patch points; `je`
 * and `jne` are those of eight bits. Targets are not read here: `followBranch()` reads the displacement when
 * the branch is taken for the first time.
 */
function shortPlain(
  bytes: Uint8Array,
  offset: number,
  opcode: number,
  M: Int32Array,
  k: number,
  end: number,
  hi: number,
): number {
  switch (opcode) {
    case 0xe8:
      M[k] = OP.CALL;
      M[k + ROW.X] = end + 5;
      M[k + ROW.Y] = hi;
      return 5;
    case 0xe9:
      M[k] = OP.JUMP;
      return 5;
    case 0x74:
    case 0x75:
      M[k] = OP.JZ;
      M[k + ROW.A] = opcode & 15;
      return 2;
    case 0xc3:
      M[k] = OP.RETURN;
      return 1;
    case 0x0f:
      if (bytes[offset + 1] !== 0x1f || bytes[offset + 2] !== 0x44) return 0;
      M[k] = OP.NOP;
      return 5;
    case 0xc9:
      M[k] = OP.LEAVE;
      return 1;
    case 0x31: {
      const modrm = byteOrZero(bytes, offset + 1);
      if (modrm < 0xc0 || ((modrm >> 3) & 7) !== (modrm & 7)) return 0;
      M[k] = OP.ZERO;
      M[k + ROW.A] = (modrm & 7) * REG_STRIDE;
      return 2;
    }
    default:
      return 0;
  }
}
