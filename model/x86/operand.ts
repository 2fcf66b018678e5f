import { Field } from './execute.ts';
import type { Machine, Value } from './machine.ts';
import { journalStore, raise } from './machine.ts';
import type { Region } from './memory.ts';
import { EXECUTE, offsetIn, READ, WRITE } from './memory.ts';
import { CONSTANT, CONSTANT4, firstVariable, UNDEFINED } from './origin.ts';
import { AH } from './register.ts';

/** Mask of the low `size` bytes of a low half. */
export function lowMask(size: number): number {
  return size >= 4 ? -1 : (1 << (size * 8)) - 1;
}

/** Sets all bytes of a value to one tag, above `size` to CONSTANT (they are zero there). */
export function tagValue(v: Value, tag: number, size: number): void {
  const four = tag * 0x01010101;
  const mask = lowMask(size);
  v.tagLo = (four & mask) | (CONSTANT4 & ~mask);
  v.tagHi = size === 8 ? four : CONSTANT4;
}

/** Reads a register operand (field value: number doubled), zero-extended. */
export function readReg(m: Machine, field: number, size: number, v: Value): void {
  if (field >= AH * 2) {
    const at = field - AH * 2;
    v.lo = (m.regs[at]! >>> 8) & 0xff;
    v.tagLo = ((m.tags[at]! >>> 8) & 0xff) | (CONSTANT4 & ~0xff);
  } else {
    const mask = lowMask(size);
    v.lo = m.regs[field]! & mask;
    v.tagLo = (m.tags[field]! & mask) | (CONSTANT4 & ~mask);
  }
  v.hi = size === 8 ? m.regs[field + 1]! : 0;
  v.tagHi = size === 8 ? m.tags[field + 1]! : CONSTANT4;
}

/**
 * Writes a register operand. Four bytes clear the upper half, as the processor does; one and two bytes leave
 * the rest of the register, and its tags, alone.
 */
export function writeReg(m: Machine, field: number, size: number, v: Value): void {
  if (size >= 4) {
    m.regs[field] = v.lo;
    m.regs[field + 1] = size === 8 ? v.hi : 0;
    m.tags[field] = v.tagLo;
    m.tags[field + 1] = size === 8 ? v.tagHi : CONSTANT4;
    return;
  }
  const shift = field >= AH * 2 ? 8 : 0;
  const at = field >= AH * 2 ? field - AH * 2 : field;
  const mask = lowMask(size) << shift;
  m.regs[at] = (m.regs[at]! & ~mask) | ((v.lo << shift) & mask);
  m.tags[at] = (m.tags[at]! & ~mask) | ((v.tagLo << shift) & mask);
}

export function readImmediate(ops: Int32Array, k: number, size: number, v: Value): void {
  v.lo = ops[k + Field.IMM_LO]! & lowMask(size);
  v.hi = size === 8 ? ops[k + Field.IMM_HI]! : 0;
  v.tagLo = v.tagHi = CONSTANT4;
}

/** Effective address of the memory operand into `m.y`; false when the run has to stop. */
export function effectiveAddress(m: Machine, ops: Int32Array, k: number): boolean {
  const base = ops[k + Field.BASE]!;
  const index = ops[k + Field.INDEX]!;
  const scale = ops[k + Field.SCALE]!;
  const scaledHi = scale === 0 ? m.regs[index + 1]! : (m.regs[index + 1]! << scale) | (m.regs[index]! >>> (32 - scale));
  const gs = ops[k + Field.GS] === 1;
  const low =
    (m.regs[base]! >>> 0) +
    ((m.regs[index]! << scale) >>> 0) +
    (ops[k + Field.DISP_LO]! >>> 0) +
    (gs ? m.gsBase.lo >>> 0 : 0);
  m.y.lo = low | 0;
  m.y.hi =
    (m.regs[base + 1]! + scaledHi + ops[k + Field.DISP_HI]! + (gs ? m.gsBase.hi : 0) + Math.floor(low / 4294967296)) | 0;
  return addressIsKnown(m, base, index);
}

/** An undefined address is a fault; one that depends on a variable byte stops a strict run. */
export function addressIsKnown(m: Machine, base: number, index: number): boolean {
  const { tags } = m;
  const known =
    tags[base] === CONSTANT4 &&
    tags[base + 1] === CONSTANT4 &&
    tags[index] === CONSTANT4 &&
    tags[index + 1] === CONSTANT4;
  if (known) return true;
  const tag = firstVariable(tags[base]!, tags[base + 1]!, tags[index]!, tags[index + 1]!);
  if (tag === UNDEFINED) return raise(m, 'undefined address', 'read', { hi: m.y.hi, lo: m.y.lo }, 8);
  if (!m.strict || tag === CONSTANT) return true;
  m.stop = { kind: 'depends', what: 'address', tag, at: { ...m.rip } };
  return false;
}

/** The region for an access at `m.y`, or undefined after raising the fault. */
function regionFor(m: Machine, size: number, need: number): Region | undefined {
  const { lo, hi } = m.y;
  const access = need === READ ? 'read' : need === WRITE ? 'write' : 'execute';
  for (const region of m.regions) {
    const offset = offsetIn(region, hi, lo);
    if (offset + size > region.size) continue;
    if ((region.permission & need) === 0) {
      const kind = need === READ ? 'not readable' : need === WRITE ? 'not writable' : 'not executable';
      raise(m, kind, access, { hi, lo }, size);
      return undefined;
    }
    if (region === m.stack && offset < (m.regs[8]! - region.base.lo) >>> 0) {
      raise(m, 'below the stack pointer', access, { hi, lo }, size);
      return undefined;
    }
    return region;
  }
  raise(m, 'unmapped', access, { hi, lo }, size);
  return undefined;
}

/** Reads `size` bytes at the address in `m.y` into `v`, zero-extended; false when the run has to stop. */
export function readMemory(m: Machine, size: number, v: Value): boolean {
  const region = regionFor(m, size, READ);
  if (region === undefined) return false;
  const at = offsetIn(region, m.y.hi, m.y.lo);
  v.lo = gather(region.bytes, at, Math.min(size, 4));
  v.hi = size === 8 ? gather(region.bytes, at + 4, 4) : 0;
  const mask = lowMask(size);
  v.tagLo = gather(region.tags, at, Math.min(size, 4)) | (CONSTANT4 & ~mask);
  v.tagHi = size === 8 ? gather(region.tags, at + 4, 4) : CONSTANT4;
  return true;
}

/** Writes the low `size` bytes of `v` to the address in `m.y`; false when the run has to stop. */
export function writeMemory(m: Machine, size: number, v: Value): boolean {
  const region = regionFor(m, size, WRITE);
  if (region === undefined) return false;
  const at = offsetIn(region, m.y.hi, m.y.lo);
  scatter(region.bytes, at, Math.min(size, 4), v.lo);
  scatter(region.tags, at, Math.min(size, 4), v.tagLo);
  if (size === 8) {
    scatter(region.bytes, at + 4, 4, v.hi);
    scatter(region.tags, at + 4, 4, v.tagHi);
  }
  if ((region.permission & EXECUTE) !== 0) region.code.opAt.fill(0);
  return true;
}

/** Writes down a store of the journalled region (the instruction starts at `m.rip`). */
export function noteStore(m: Machine, size: number): void {
  const region = m.journalled;
  if (region === undefined) return;
  const offset = offsetIn(region, m.rip.hi, m.rip.lo);
  if (offset < region.size) journalStore(m, offset, m.y.lo, size);
}

function gather(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value |= bytes[at + i]! << (i * 8);
  return value;
}

function scatter(bytes: Uint8Array, at: number, count: number, value: number): void {
  for (let i = 0; i < count; i++) bytes[at + i] = value >>> (i * 8);
}
