import { byteAt, cell } from './cell.ts';
import { FIELD, REG_STRIDE } from './instruction.ts';
import type { Machine, OperandValue } from './machine.ts';
import { forgetCode, journalStore, raise } from './machine.ts';
import type { Region } from './memory.ts';
import { EXECUTE, offsetIn, READ, WRITE } from './memory.ts';
import { CONSTANT, CONSTANT4, firstVariable, UNDEFINED } from './origin.ts';
import { AH, RSP } from './register.ts';

/** Register fields from here on name `ah ch dh bh`. */
const HIGH_BYTES = AH * REG_STRIDE;

/** Mask of the low `size` bytes of a low half. */
export function lowMask(size: number): number {
  return size >= 4 ? -1 : (1 << (size * 8)) - 1;
}

/**
 * Sets all bytes of a value to one tag, above `size` to CONSTANT (they are zero there). `tag` is CONSTANT,
 * UNDEFINED or MIXED: a byte of a group would name the same byte of the group in each place.
 */
export function tagValue(v: OperandValue, tag: number, size: number): void {
  const four = tag * 0x01010101;
  const mask = lowMask(size);
  v.tagLo = (four & mask) | (CONSTANT4 & ~mask);
  v.tagHi = size === 8 ? four : CONSTANT4;
}

/**
 * Reads a register operand, zero-extended. `field` is the register's place in the arena.
 *
 * `ah`, `ch`, `dh` and `bh` are bits 15:8 of the first four registers; they have fields of their own after
 * the sixteen and never more than one byte.
 */
export function readReg(m: Machine, field: number, size: number, v: OperandValue): void {
  const r = m.arena;
  if (field >= HIGH_BYTES) {
    const offset = field - HIGH_BYTES;
    v.lo = (cell(r, offset) >>> 8) & 0xff;
    v.tagLo = ((cell(r, offset + 2) >>> 8) & 0xff) | (CONSTANT4 & ~0xff);
  } else {
    const mask = lowMask(size);
    v.lo = cell(r, field) & mask;
    v.tagLo = (cell(r, field + 2) & mask) | (CONSTANT4 & ~mask);
  }
  v.hi = size === 8 ? cell(r, field + 1) : 0;
  v.tagHi = size === 8 ? cell(r, field + 3) : CONSTANT4;
}

/**
 * Writes a register operand. Four bytes clear bits 63:32, as the CPU does in 64-bit mode; one and two bytes
 * leave the rest of the register, and its tags, alone. A register may thus hold bytes of several origins.
 */
export function writeReg(m: Machine, field: number, size: number, v: OperandValue): void {
  const r = m.arena;
  if (size >= 4) {
    r[field] = v.lo;
    r[field + 1] = size === 8 ? v.hi : 0;
    r[field + 2] = v.tagLo;
    r[field + 3] = size === 8 ? v.tagHi : CONSTANT4;
    return;
  }
  const shift = field >= HIGH_BYTES ? 8 : 0;
  const offset = field >= HIGH_BYTES ? field - HIGH_BYTES : field;
  const mask = lowMask(size) << shift;
  r[offset] = (cell(r, offset) & ~mask) | ((v.lo << shift) & mask);
  r[offset + 2] = (cell(r, offset + 2) & ~mask) | ((v.tagLo << shift) & mask);
}

/** An immediate, which the decoder has sign-extended to eight bytes, cut to the operand's size. */
export function readImmediate(ops: Int32Array, k: number, size: number, v: OperandValue): void {
  v.lo = cell(ops, k + FIELD.IMM_LO) & lowMask(size);
  v.hi = size === 8 ? cell(ops, k + FIELD.IMM_HI) : 0;
  v.tagLo = v.tagHi = CONSTANT4;
}

/**
 * Effective address of the memory operand into `m.y`; false when the run has to stop.
 *
 * Base + index << scale + displacement + segment base, modulo 2^64. A missing register is `NO_REGISTER`,
 * which reads as zero; a RIP-relative displacement was made absolute by the decoder. Only `%gs` has a base:
 * in 64-bit mode those of CS, DS, ES and SS are zero, and `%fs`, the thread pointer of user space, is refused
 * by the decoder. Canonical form is not checked: such an address is in no region, and its fault is
 * "unmapped".
 */
export function effectiveAddress(m: Machine, ops: Int32Array, k: number): boolean {
  const base = cell(ops, k + FIELD.BASE);
  const index = cell(ops, k + FIELD.INDEX);
  const scale = cell(ops, k + FIELD.SCALE);
  const r = m.arena;
  // The index as a 64-bit value, shifted. A shift by 32 would be a shift by 0 in JavaScript, hence the case
  // of scale 0.
  const scaledHi =
    scale === 0 ? cell(r, index + 1) : (cell(r, index + 1) << scale) | (cell(r, index) >>> (32 - scale));
  const gs = ops[k + FIELD.GS] === 1;
  // Up to four unsigned halves: their sum is exact in a double, and what exceeds 2^32 is the carry.
  const low =
    (cell(r, base) >>> 0) +
    ((cell(r, index) << scale) >>> 0) +
    (cell(ops, k + FIELD.DISP_LO) >>> 0) +
    (gs ? m.gsBase.lo >>> 0 : 0);
  m.y.lo = low | 0;
  m.y.hi =
    (cell(r, base + 1) +
      scaledHi +
      cell(ops, k + FIELD.DISP_HI) +
      (gs ? m.gsBase.hi : 0) +
      Math.floor(low / 4294967296)) |
    0;
  return addressIsKnown(m, base, index);
}

/**
 * An undefined address is a fault; one that depends on a variable byte stops a strict run. In a run that is
 * not strict, an address computed from an argument is used as it is: the run shows that one value.
 */
export function addressIsKnown(m: Machine, base: number, index: number): boolean {
  const r = m.arena;
  const constant =
    r[base + 2] === CONSTANT4 &&
    r[base + 3] === CONSTANT4 &&
    r[index + 2] === CONSTANT4 &&
    r[index + 3] === CONSTANT4;
  if (constant) return true;
  const tag = firstVariable(cell(r, base + 2), cell(r, base + 3), cell(r, index + 2), cell(r, index + 3));
  if (tag === UNDEFINED) return raise(m, 'undefined address', 'read', { hi: m.y.hi, lo: m.y.lo }, 8);
  if (!m.strict || tag === CONSTANT) return true;
  m.stop = { kind: 'depends', what: 'address', tag, at: { ...m.rip } };
  return false;
}

/**
 * The region for an access at `m.y`, or undefined after raising the fault.
 *
 * All bytes have to lie in one region. Adjacent regions are not joined: an access across their border is
 * "unmapped", although a CPU would split it. Alignment is not checked, as with CR0.AM or RFLAGS.AC clear.
 * Accesses below `rsp` are refused, for the kernel is compiled without a red zone: an interrupt may overwrite
 * such memory at any time.
 */
function regionFor(m: Machine, size: number, need: number): Region | undefined {
  const { lo, hi } = m.y;
  const access = need === READ ? 'read' : need === WRITE ? 'write' : 'execute';
  for (const region of m.regions) {
    const offset = offsetIn(region, hi, lo);
    if (offset + size > region.size) continue;
    if ((region.permission & need) === 0 || (need === WRITE && offset + size > region.writableBytes)) {
      const kind = need === READ ? 'not readable' : need === WRITE ? 'not writable' : 'not executable';
      raise(m, kind, access, { hi, lo }, size);
      return undefined;
    }
    if (region === m.stack && offset < ((cell(m.arena, RSP * REG_STRIDE) - region.base.lo) | 0)) {
      raise(m, 'below the stack pointer', access, { hi, lo }, size);
      return undefined;
    }
    return region;
  }
  raise(m, 'unmapped', access, { hi, lo }, size);
  return undefined;
}

/**
 * Reads `size` bytes at the address in `m.y` into `v`, zero-extended; false when the run has to stop. Tags
 * are gathered with the bytes; reading memory that was never written is no fault, only using it for a branch
 * or an address is.
 */
export function readMemory(m: Machine, size: number, v: OperandValue): boolean {
  const region = regionFor(m, size, READ);
  if (region === undefined) return false;
  const offset = offsetIn(region, m.y.hi, m.y.lo);
  v.lo = gather(region.bytes, offset, Math.min(size, 4));
  v.hi = size === 8 ? gather(region.bytes, offset + 4, 4) : 0;
  const mask = lowMask(size);
  v.tagLo = gather(region.tags, offset, Math.min(size, 4)) | (CONSTANT4 & ~mask);
  v.tagHi = size === 8 ? gather(region.tags, offset + 4, 4) : CONSTANT4;
  return true;
}

/** Whether `size` bytes at the address in `m.y` may be written; false when the run has to stop. */
export function mayWrite(m: Machine, size: number): boolean {
  return regionFor(m, size, WRITE) !== undefined;
}

/**
 * Writes the low `size` bytes of `v` to the address in `m.y`; false when the run has to stop. A region that
 * is both writable and executable forgets its decoded rows: the next fetch sees the new bytes, as a CPU does
 * for self-modifying code on the same core.
 */
export function writeMemory(m: Machine, size: number, v: OperandValue): boolean {
  const region = regionFor(m, size, WRITE);
  if (region === undefined) return false;
  const offset = offsetIn(region, m.y.hi, m.y.lo);
  scatter(region.bytes, offset, Math.min(size, 4), v.lo);
  scatter(region.tags, offset, Math.min(size, 4), v.tagLo);
  if (size === 8) {
    scatter(region.bytes, offset + 4, 4, v.hi);
    scatter(region.tags, offset + 4, 4, v.tagHi);
  }
  if ((region.permission & EXECUTE) !== 0) forgetCode(m, region);
  return true;
}

/**
 * Writes down a store of the journalled region (the instruction starts at `m.rip`). Stores of code in other
 * regions are not noted.
 */
export function noteStore(m: Machine, size: number): void {
  const region = m.journalled;
  if (region === undefined) return;
  const offset = offsetIn(region, m.rip.hi, m.rip.lo);
  if (offset < region.size) journalStore(m, offset, m.y.hi, m.y.lo, size);
}

/** One to four bytes as an int32, little-endian. The views of words need alignment; x86 does not. */
function gather(bytes: Uint8Array, offset: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value |= byteAt(bytes, offset + i) << (i * 8);
  return value;
}

function scatter(bytes: Uint8Array, offset: number, count: number, value: number): void {
  for (let i = 0; i < count; i++) bytes[offset + i] = value >>> (i * 8);
}
