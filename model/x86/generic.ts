import { alu, test, unary } from './alu.ts';
import { ALL_FLAGS, flagBits, holds, setBits, TAG, ZERO_TEST } from './flags.ts';
import { ALU, FAMILY, FIELD, FORM, NO_REGISTER, REG_STRIDE, TRAP, writesDestination } from './instruction.ts';
import type { Machine, Value } from './machine.ts';
import { raise } from './machine.ts';
import { multiply, multiplyWide } from './multiply.ts';
import {
  addressIsKnown,
  effectiveAddress,
  lowMask,
  noteStore,
  readImmediate,
  readMemory,
  readReg,
  tagValue,
  writeMemory,
  writeReg,
} from './operand.ts';
import { CONSTANT, CONSTANT4, firstVariable, MIXED, tagAt, UNDEFINED } from './origin.ts';
import { RAX, RBP, RCX, RDX, RSP } from './register.ts';
import { shift } from './shift.ts';

/** What becomes of a run after one generic instruction. */
export const NEXT = 0;
export const TRANSFER = 1;
export const STOPPED = 2;

const RAX_FIELD = RAX * REG_STRIDE;
const RCX_FIELD = RCX * REG_STRIDE;
const RDX_FIELD = RDX * REG_STRIDE;
const RSP_FIELD = RSP * REG_STRIDE;
const RBP_FIELD = RBP * REG_STRIDE;

/**
 * Executes any instruction of the subset, whatever its width and operands: the reference for the short forms
 * in `execute.ts`. `m.rip` is the instruction's address and `next` the following one's (low half, same upper
 * half). On TRANSFER `m.rip` is the new address; on STOPPED `m.stop` says why.
 */
export function executeGeneric(m: Machine, ops: Int32Array, k: number, nextLo: number): number {
  const size = ops[k + FIELD.SIZE]!;
  switch (ops[k + FIELD.FAMILY]) {
    case FAMILY.MOV:
      return finish(load(m, ops, k, size, m.x) && store(m, ops, k, size, m.x));
    case FAMILY.LEA:
      return finish(executeLea(m, ops, k, size));
    case FAMILY.NOP:
      return NEXT;
    case FAMILY.PUSH:
      return finish(load(m, ops, k, 8, m.x) && push(m, m.x));
    case FAMILY.POP:
      return finish(executePop(m, ops, k));
    case FAMILY.LEAVE:
      return finish(executeLeave(m));
    case FAMILY.PUSH_FLAGS:
      return finish(pushFlags(m));
    case FAMILY.POP_FLAGS:
      return finish(popFlags(m));
    case FAMILY.CALL:
      return executeCall(m, ops, k, nextLo);
    case FAMILY.JUMP:
      return executeJump(m, ops, k);
    case FAMILY.JCC:
      return executeJcc(m, ops, k);
    case FAMILY.RETURN:
      return executeReturn(m, ops, k);
    case FAMILY.TRAP:
      raise(
        m,
        ops[k + FIELD.SUB] === TRAP.INT3 ? 'breakpoint trap' : 'invalid opcode',
        'execute',
        { ...m.rip },
        1,
      );
      return STOPPED;
    default:
      return finish(executeArithmetic(m, ops, k, size));
  }
}

function finish(ok: boolean): number {
  return ok ? NEXT : STOPPED;
}

/** Everything that computes: reads its destination, changes it, writes it back. */
function executeArithmetic(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  const sub = ops[k + FIELD.SUB]!;
  switch (ops[k + FIELD.FAMILY]) {
    case FAMILY.ALU:
    case FAMILY.TEST:
    case FAMILY.SHIFT:
      return executeBinary(m, ops, k, size, sub);
    case FAMILY.UNARY:
      if (!loadDestination(m, ops, k, size, m.x)) return false;
      unary(m, sub, size, m.x);
      return storeDestination(m, ops, k, size, m.x);
    case FAMILY.EXTEND:
      return executeExtend(m, ops, k, size, sub);
    case FAMILY.MULTIPLY:
      return executeMultiply(m, ops, k, size);
    case FAMILY.MULTIPLY_WIDE:
      return executeMultiplyWide(m, ops, k, size, sub);
    case FAMILY.EXCHANGE:
      return executeExchange(m, ops, k, size);
    case FAMILY.CMOV:
      return executeCmov(m, ops, k, size, sub);
    case FAMILY.SETCC:
      return executeSetcc(m, ops, k, sub);
    case FAMILY.BYTE_SWAP:
      return executeByteSwap(m, ops, k, size);
    case FAMILY.CONVERT:
      return executeConvert(m, size, sub);
    default:
      throw new Error(`no execution for instruction family ${ops[k + FIELD.FAMILY]}`);
  }
}

/** The source operand (the only one of PUSH) into `v`. */
function load(m: Machine, ops: Int32Array, k: number, size: number, v: Value): boolean {
  switch (ops[k + FIELD.FORM]) {
    case FORM.RR:
    case FORM.MR:
      readReg(m, ops[k + FIELD.B]!, size, v);
      return true;
    case FORM.R:
      readReg(m, ops[k + FIELD.A]!, size, v);
      return true;
    case FORM.RM:
    case FORM.RMI:
    case FORM.M:
      return effectiveAddress(m, ops, k) && readMemory(m, size, v);
    default:
      readImmediate(ops, k, size, v);
      return true;
  }
}

/** Writes `v` to the destination of a move. */
function store(m: Machine, ops: Int32Array, k: number, size: number, v: Value): boolean {
  const form = ops[k + FIELD.FORM]!;
  if (form !== FORM.MR && form !== FORM.MI) {
    writeReg(m, ops[k + FIELD.A]!, size, v);
    return true;
  }
  return effectiveAddress(m, ops, k) && writeAndNote(m, size, v);
}

/** The destination operand of a read-modify-write instruction into `v`; leaves its address in `m.y`. */
function loadDestination(m: Machine, ops: Int32Array, k: number, size: number, v: Value): boolean {
  const form = ops[k + FIELD.FORM]!;
  if (form === FORM.MR || form === FORM.MI || form === FORM.M)
    return effectiveAddress(m, ops, k) && readMemory(m, size, v);
  readReg(m, ops[k + FIELD.A]!, size, v);
  return true;
}

function storeDestination(m: Machine, ops: Int32Array, k: number, size: number, v: Value): boolean {
  const form = ops[k + FIELD.FORM]!;
  if (form === FORM.MR || form === FORM.MI || form === FORM.M)
    return effectiveAddress(m, ops, k) && writeAndNote(m, size, v);
  writeReg(m, ops[k + FIELD.A]!, size, v);
  return true;
}

function writeAndNote(m: Machine, size: number, v: Value): boolean {
  if (!writeMemory(m, size, v)) return false;
  noteStore(m, size);
  return true;
}

function executeLea(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  const r = m.arena;
  const base = ops[k + FIELD.BASE]!;
  const index = ops[k + FIELD.INDEX]!;
  const strict = m.strict;
  m.strict = false;
  const reachable = effectiveAddress(m, ops, k);
  m.strict = strict;
  if (!reachable) m.stop = undefined;
  const tag = firstVariable(r[base + 2]!, r[base + 3]!, r[index + 2]!, r[index + 3]!);
  tagValue(m.y, tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, 8);
  m.y.lo &= lowMask(size);
  writeReg(m, ops[k + FIELD.A]!, size, m.y);
  return true;
}

/** Where the stack pointer stands after moving by `bytes`, into `m.y`. */
function stackAddress(m: Machine, bytes: number): boolean {
  const sum = (m.arena[RSP_FIELD]! >>> 0) + bytes;
  m.y.lo = sum | 0;
  m.y.hi = (m.arena[RSP_FIELD + 1]! + Math.floor(sum / 4294967296)) | 0;
  return addressIsKnown(m, RSP_FIELD, NO_REGISTER);
}

function moveStack(m: Machine, bytes: number): void {
  const sum = (m.arena[RSP_FIELD]! >>> 0) + bytes;
  m.arena[RSP_FIELD] = sum | 0;
  m.arena[RSP_FIELD + 1] = m.arena[RSP_FIELD + 1]! + Math.floor(sum / 4294967296);
}

function push(m: Machine, v: Value): boolean {
  if (!stackAddress(m, -8)) return false;
  moveStack(m, -8);
  if (writeMemory(m, 8, v)) return true;
  moveStack(m, 8);
  return false;
}

function pop(m: Machine, v: Value): boolean {
  if (!stackAddress(m, 0) || !readMemory(m, 8, v)) return false;
  moveStack(m, 8);
  return true;
}

/** `pop (mem)` computes its address with the stack pointer already raised. */
function executePop(m: Machine, ops: Int32Array, k: number): boolean {
  if (!pop(m, m.x)) return false;
  if (ops[k + FIELD.FORM] === FORM.M) return effectiveAddress(m, ops, k) && writeAndNote(m, 8, m.x);
  writeReg(m, ops[k + FIELD.A]!, 8, m.x);
  return true;
}

function executeLeave(m: Machine): boolean {
  const before: Value = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  readReg(m, RSP_FIELD, 8, before);
  readReg(m, RBP_FIELD, 8, m.x);
  writeReg(m, RSP_FIELD, 8, m.x);
  const ok = pop(m, m.x);
  writeReg(m, ok ? RBP_FIELD : RSP_FIELD, 8, ok ? m.x : before);
  return ok;
}

/** The flags image has bit 1 always set and the interrupt flag on. */
function pushFlags(m: Machine): boolean {
  const tag = m.flags[TAG]!;
  m.x.lo = flagBits(m.flags) | 0x202;
  m.x.hi = 0;
  tagValue(m.x, tag >= ZERO_TEST ? MIXED : tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, 8);
  return push(m, m.x);
}

function popFlags(m: Machine): boolean {
  if (!pop(m, m.x)) return false;
  setBits(m.flags, m.x.lo & ALL_FLAGS);
  m.flags[TAG] = firstVariable(m.x.tagLo);
  return true;
}

/** The target of an indirect branch into `m.x`; one that depends on a variable byte stops a strict run. */
function branchTarget(m: Machine, ops: Int32Array, k: number): boolean {
  if (!load(m, ops, k, 8, m.x)) return false;
  return targetIsKnown(m);
}

function targetIsKnown(m: Machine): boolean {
  const tag = firstVariable(m.x.tagLo, m.x.tagHi);
  if (tag === UNDEFINED) return raise(m, 'undefined branch', 'execute', { hi: m.x.hi, lo: m.x.lo }, 1);
  if (tag === CONSTANT || !m.strict) return true;
  m.stop = { kind: 'depends', what: 'branch', tag, at: { ...m.rip } };
  return false;
}

function transfer(m: Machine, v: Value): number {
  m.rip.lo = v.lo;
  m.rip.hi = v.hi;
  return TRANSFER;
}

function executeCall(m: Machine, ops: Int32Array, k: number, nextLo: number): number {
  if (!branchTarget(m, ops, k)) return STOPPED;
  const target: Value = { ...m.x };
  const ok = push(m, { lo: nextLo, hi: m.rip.hi, tagLo: CONSTANT4, tagHi: CONSTANT4 });
  return ok ? transfer(m, target) : STOPPED;
}

function executeJump(m: Machine, ops: Int32Array, k: number): number {
  return branchTarget(m, ops, k) ? transfer(m, m.x) : STOPPED;
}

function executeReturn(m: Machine, ops: Int32Array, k: number): number {
  if (!pop(m, m.x) || !targetIsKnown(m)) return STOPPED;
  moveStack(m, ops[k + FIELD.IMM_LO]!);
  return transfer(m, m.x);
}

function executeJcc(m: Machine, ops: Int32Array, k: number): number {
  if (!mayBranch(m, ops[k + FIELD.SUB]!)) return STOPPED;
  if (!holds(m.flags, ops[k + FIELD.SUB]!)) return NEXT;
  readImmediate(ops, k, 8, m.x);
  return transfer(m, m.x);
}

/**
 * Whether a conditional branch may be taken or not: always, unless its flags are undefined, or the run is
 * strict and they depend on something else than "this control value is zero".
 */
export function mayBranch(m: Machine, condition: number): boolean {
  const tag = m.flags[TAG]!;
  if (tag === CONSTANT) return true;
  if (tag === UNDEFINED) return raise(m, 'undefined branch', 'execute', { ...m.rip }, 1);
  if (!m.strict) return true;
  if (tag >= ZERO_TEST && (condition & ~1) === 4 && ((m.controlGroups >>> (tag & 31)) & 1) === 1) return true;
  m.stop = {
    kind: 'depends',
    what: 'branch',
    tag: tag >= ZERO_TEST ? (tag & 31) << 3 : tag,
    at: { ...m.rip },
  };
  return false;
}

function executeBinary(m: Machine, ops: Int32Array, k: number, size: number, sub: number): boolean {
  const family = ops[k + FIELD.FAMILY]!;
  if (!loadDestination(m, ops, k, size, m.x)) return false;
  const source: Value = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  if (!loadSource(m, ops, k, family === FAMILY.SHIFT ? 1 : size, source)) return false;
  const same = ops[k + FIELD.FORM] === FORM.RR && ops[k + FIELD.A] === ops[k + FIELD.B];
  if (same && family === FAMILY.ALU && (sub === ALU.XOR || sub === ALU.SUB)) clearTags(m.x, source);
  if (family === FAMILY.ALU) alu(m, sub, size, m.x, source);
  else if (family === FAMILY.TEST) test(m, size, m.x, source, same);
  else shift(m, sub, size, m.x, source);
  return !writesDestination(family, sub) || storeDestination(m, ops, k, size, m.x);
}

/** `xor r,r` and `sub r,r` are zero whatever the register held. */
function clearTags(a: Value, b: Value): void {
  a.tagLo = a.tagHi = b.tagLo = b.tagHi = CONSTANT4;
}

/** The second operand of a binary instruction; shifts by `%cl` have none in their fields. */
function loadSource(m: Machine, ops: Int32Array, k: number, size: number, v: Value): boolean {
  const form = ops[k + FIELD.FORM]!;
  if (form === FORM.R || form === FORM.M) {
    readReg(m, RCX_FIELD, 1, v);
    return true;
  }
  if (form !== FORM.RM) return load(m, ops, k, size, v);
  return effectiveAddress(m, ops, k) && readMemory(m, size, v);
}

function executeExtend(m: Machine, ops: Int32Array, k: number, from: number, signed: number): boolean {
  if (!load(m, ops, k, from, m.x)) return false;
  const size = ops[k + FIELD.IMM_LO]!;
  if (signed === 1 && from < size) signExtend(m.x, from);
  writeReg(m, ops[k + FIELD.A]!, size, m.x);
  return true;
}

/** Copies the sign of a value of `from` bytes upward; the new bytes are constant only if the old ones are. */
function signExtend(v: Value, from: number): void {
  const shift = 32 - from * 8;
  v.lo = (v.lo << shift) >> shift;
  v.hi = v.lo >> 31;
  const top = tagAt(v.tagLo, from - 1);
  const derived = top === CONSTANT || top === UNDEFINED ? top : MIXED;
  const mask = lowMask(from);
  v.tagLo = (v.tagLo & mask) | ((derived * 0x01010101) & ~mask);
  v.tagHi = derived * 0x01010101;
}

function executeMultiply(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  const form = ops[k + FIELD.FORM]!;
  if (!load(m, ops, k, size, m.x)) return false;
  if (form === FORM.RRI) readReg(m, ops[k + FIELD.B]!, size, m.x);
  const factor: Value = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  if (form === FORM.RRI || form === FORM.RMI) readImmediate(ops, k, size, factor);
  else readReg(m, ops[k + FIELD.A]!, size, factor);
  multiply(m, size, m.x, factor);
  writeReg(m, ops[k + FIELD.A]!, size, m.x);
  return true;
}

/** Results go to `ax` for bytes, else to `rdx:rax` at the operand's width. */
function executeMultiplyWide(m: Machine, ops: Int32Array, k: number, size: number, sub: number): boolean {
  if (!load(m, ops, k, size, m.x)) return false;
  const low: Value = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  const high: Value = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  readReg(m, RAX_FIELD, size, low);
  multiplyWide(m, sub === 5, size, low, m.x, high);
  if (size === 1) {
    low.lo |= high.lo << 8;
    low.tagLo = (low.tagLo & 0xff) | ((high.tagLo & 0xff) << 8) | (CONSTANT4 & ~0xffff);
    writeReg(m, RAX_FIELD, 2, low);
    return true;
  }
  writeReg(m, RAX_FIELD, size, low);
  writeReg(m, RDX_FIELD, size, high);
  return true;
}

function executeExchange(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  const other: Value = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  readReg(m, ops[k + FIELD.B]!, size, other);
  if (!loadDestination(m, ops, k, size, m.x)) return false;
  const mine: Value = { ...m.x };
  if (!storeDestination(m, ops, k, size, other)) return false;
  writeReg(m, ops[k + FIELD.B]!, size, mine);
  return true;
}

/** The source is read, and may fault, whether or not the condition holds. */
function executeCmov(m: Machine, ops: Int32Array, k: number, size: number, condition: number): boolean {
  if (!load(m, ops, k, size, m.x)) return false;
  const chosen: Value = { ...m.x };
  if (!holds(m.flags, condition)) readReg(m, ops[k + FIELD.A]!, size, chosen);
  const tag = m.flags[TAG]!;
  if (tag !== CONSTANT) tagValue(chosen, tag === UNDEFINED ? UNDEFINED : MIXED, size);
  writeReg(m, ops[k + FIELD.A]!, size, chosen);
  return true;
}

function executeSetcc(m: Machine, ops: Int32Array, k: number, condition: number): boolean {
  const tag = m.flags[TAG]!;
  m.x.lo = holds(m.flags, condition) ? 1 : 0;
  m.x.hi = 0;
  tagValue(m.x, tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, 1);
  return storeDestination(m, ops, k, 1, m.x);
}

function executeByteSwap(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  readReg(m, ops[k + FIELD.A]!, size, m.x);
  const { lo, hi, tagLo, tagHi } = m.x;
  const eight = size === 8;
  const swapped = {
    lo: reverse(eight ? hi : lo),
    hi: reverse(lo),
    tagLo: reverse(eight ? tagHi : tagLo),
    tagHi: reverse(tagLo),
  };
  writeReg(m, ops[k + FIELD.A]!, size, swapped);
  return true;
}

function reverse(four: number): number {
  return (four << 24) | ((four & 0xff00) << 8) | ((four >>> 8) & 0xff00) | (four >>> 24);
}

/** CBW/CWDE/CDQE widen the accumulator; CWD/CDQ/CQO spread its sign into `rdx`. */
function executeConvert(m: Machine, size: number, spread: number): boolean {
  readReg(m, RAX_FIELD, spread ? size : size / 2, m.x);
  const from = spread ? size : size / 2;
  const value: Value = { ...m.x };
  if (from < 8) signExtend(value, from);
  if (!spread) {
    writeReg(m, RAX_FIELD, size, value);
    return true;
  }
  const top = size === 8 ? m.x.hi : value.lo;
  const tag = tagAt(size === 8 ? m.x.tagHi : m.x.tagLo, size === 8 ? 3 : size - 1);
  const sign: Value = { lo: top >> 31, hi: top >> 31, tagLo: 0, tagHi: 0 };
  tagValue(sign, tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, size);
  writeReg(m, RDX_FIELD, size, sign);
  return true;
}
