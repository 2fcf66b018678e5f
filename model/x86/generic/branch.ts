import { cell } from '../cell.ts';
import { holds, TAG, ZERO_TEST } from '../flags.ts';
import { FIELD } from '../instruction.ts';
import type { Machine, OperandValue } from '../machine.ts';
import { raise } from '../machine.ts';
import { readImmediate } from '../operand.ts';
import { CONSTANT, CONSTANT4, firstVariable, UNDEFINED } from '../origin.ts';
import { load } from './place.ts';
import { moveStack, pop, push } from './stack.ts';

/** What becomes of a run after one generic instruction. */
export const NEXT = 0;
export const TRANSFER = 1;
export const STOPPED = 2;

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

function transfer(m: Machine, v: OperandValue): number {
  m.rip.lo = v.lo;
  m.rip.hi = v.hi;
  return TRANSFER;
}

export function executeCall(m: Machine, ops: Int32Array, k: number, nextLo: number): number {
  if (!branchTarget(m, ops, k)) return STOPPED;
  const target: OperandValue = { ...m.x };
  const ok = push(m, { lo: nextLo, hi: m.rip.hi, tagLo: CONSTANT4, tagHi: CONSTANT4 });
  return ok ? transfer(m, target) : STOPPED;
}

export function executeJump(m: Machine, ops: Int32Array, k: number): number {
  return branchTarget(m, ops, k) ? transfer(m, m.x) : STOPPED;
}

export function executeReturn(m: Machine, ops: Int32Array, k: number): number {
  if (!pop(m, m.x) || !targetIsKnown(m)) return STOPPED;
  moveStack(m, cell(ops, k + FIELD.IMM_LO));
  return transfer(m, m.x);
}

export function executeJcc(m: Machine, ops: Int32Array, k: number): number {
  if (!mayBranch(m, cell(ops, k + FIELD.SUB))) return STOPPED;
  if (!holds(m.flags, cell(ops, k + FIELD.SUB))) return NEXT;
  readImmediate(ops, k, 8, m.x);
  return transfer(m, m.x);
}

/**
 * Whether a conditional branch may be taken or not: always, unless its flags are undefined, or the run is
 * strict and they depend on something else than "this control value is zero".
 */
export function mayBranch(m: Machine, condition: number): boolean {
  const tag = cell(m.flags, TAG);
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
