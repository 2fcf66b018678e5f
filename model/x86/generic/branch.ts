import { cell } from '../cell.ts';
import { conditionTag, holds, ZERO_TEST } from '../flags.ts';
import { FIELD } from '../instruction.ts';
import type { Machine, OperandValue } from '../machine.ts';
import { raise } from '../machine.ts';
import { readImmediate } from '../operand.ts';
import { CONSTANT, CONSTANT4, firstVariable, UNDEFINED } from '../origin.ts';
import { load } from './place.ts';
import { moveStack, pop, push } from './stack.ts';

/**
 * The three ends of a generic instruction: the following one is next, `m.rip` holds a new address, or the run
 * stops for the reason in `m.stop`.
 */
export const NEXT = 0;
export const TRANSFER = 1;
export const STOPPED = 2;

/**
 * The target of a branch into `m.x`: the decoder has made a direct one absolute, an indirect one is eight
 * bytes of a register or of memory. One that depends on a variable byte stops a strict run.
 */
function branchTarget(m: Machine, ops: Int32Array, k: number): boolean {
  if (!load(m, ops, k, 8, m.x)) return false;
  return targetIsKnown(m);
}

/**
 * Whether the target in `m.x` may be followed. Canonical form is not checked: the fetch from such an address
 * is a fault of its own, with the address in `rip` where a CPU would raise #GP at the branch.
 */
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

/**
 * The target is read before the push, so that `call *8(%rsp)` uses the old stack pointer. The return address
 * is a constant: it is the same in every run. Shadow stacks (CET) are not modelled; the kernel does not use
 * them for itself.
 */
export function executeCall(m: Machine, ops: Int32Array, k: number, nextLo: number): number {
  if (!branchTarget(m, ops, k)) return STOPPED;
  const target: OperandValue = { ...m.x };
  const ok = push(m, { lo: nextLo, hi: m.rip.hi, tagLo: CONSTANT4, tagHi: CONSTANT4 });
  return ok ? transfer(m, target) : STOPPED;
}

/** A jump, direct or through a register or memory; its `notrack` prefix (3E) means nothing without CET. */
export function executeJump(m: Machine, ops: Int32Array, k: number): number {
  return branchTarget(m, ops, k) ? transfer(m, m.x) : STOPPED;
}

/**
 * `ret` and `ret $n`, which drops n more bytes after the return address. A function that overwrote its return
 * address with an argument jumps there; one that never wrote it is a fault.
 */
export function executeReturn(m: Machine, ops: Int32Array, k: number): number {
  if (!pop(m, m.x) || !targetIsKnown(m)) return STOPPED;
  moveStack(m, cell(ops, k + FIELD.IMM_LO));
  return transfer(m, m.x);
}

/** Flags and stack are unchanged whichever way it goes. */
export function executeJcc(m: Machine, ops: Int32Array, k: number): number {
  if (!mayBranch(m, cell(ops, k + FIELD.SUB))) return STOPPED;
  if (!holds(m.flags, cell(ops, k + FIELD.SUB))) return NEXT;
  readImmediate(ops, k, 8, m.x);
  return transfer(m, m.x);
}

/**
 * Whether a conditional branch may be taken or not: always, unless its flags are undefined, or the run is
 * strict and they depend on something else than "this control value is zero".
 *
 * A strict run shows what holds for all arguments, so that its path must be the same for all of them. The one
 * exception is a test of a whole value that the caller named as control (`controlGroups`): both its outcomes
 * are run. Conditions 4 and 5 are `je` and `jne`; after a comparison with zero the others would ask for more
 * than that.
 */
export function mayBranch(m: Machine, condition: number): boolean {
  const tag = conditionTag(m.flags, condition);
  if (tag === CONSTANT) return true;
  if (tag === UNDEFINED) return raise(m, 'undefined branch', 'execute', { ...m.rip }, 1);
  if (!m.strict) return true;
  if (tag >= ZERO_TEST && (condition & ~1) === 4 && ((m.controlGroups >>> (tag & 31)) & 1) === 1) return true;
  m.stop = {
    kind: 'depends',
    what: 'branch',
    // The group without the mark, as a tag of its first byte.
    tag: tag >= ZERO_TEST ? (tag & 31) << 3 : tag,
    at: { ...m.rip },
  };
  return false;
}
