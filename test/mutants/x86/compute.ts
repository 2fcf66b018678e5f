import { unreachable } from '../../../model/core/unreachable.ts';
import type { Computed } from './arithmetic.ts';
import * as arithmetic from './arithmetic.ts';
import type { ReferenceCpu } from './cpu.ts';
import type { ReadInstruction, ReadOperand } from './read.ts';
import type { TaggedBytes } from './tagged.ts';
import {
  all,
  CONSTANT,
  computed,
  constant,
  cut,
  extended,
  groupOf,
  MIXED,
  originOf,
  UNDEFINED,
  ZERO_TEST,
} from './tagged.ts';

/* Everything that computes or moves, and neither branches nor uses the stack. */

export const RAX = 0;
const RDX = 2;

export function register(number: number, bytes: number): ReadOperand {
  return { is: 'register', number, high: false, bytes };
}

export function bothOrigins(a: number, b: number): number {
  if (a === UNDEFINED || b === UNDEFINED) return UNDEFINED;
  if (a === CONSTANT || a === b) return b;
  return b === CONSTANT ? a : MIXED;
}

/** B reads CF alone, BE and A read it and ZF; the others do not read it. */
export function conditionOrigin(p: ReferenceCpu, condition: number): number {
  if (condition >> 1 === 1) return p.carryOrigin;
  return condition >> 1 === 3 ? bothOrigins(p.origin, p.carryOrigin) : p.origin;
}

export function swapBytes(p: ReferenceCpu, a: ReadOperand): void {
  const { value, tags } = p.get(a);
  let swapped = 0n;
  for (let i = 0; i < tags.length; i++) swapped = (swapped << 8n) | ((value >> BigInt(8 * i)) & 0xffn);
  p.set(a, { value: swapped, tags: [...tags].reverse() });
}

/** The copies of the sign are of the origin of the byte that has it. */
export function signExtended(part: TaggedBytes, bytes: number): TaggedBytes {
  const from = part.tags.length;
  const value = BigInt.asUintN(8 * bytes, BigInt.asIntN(8 * from, part.value));
  const tag = computed(part.tags[from - 1] ?? CONSTANT);
  return { value, tags: [...part.tags, ...all(tag, Math.max(0, bytes - from))].slice(0, bytes) };
}

export function unary(p: ReferenceCpu, name: string, a: ReadOperand): void {
  p.requireWritable(a);
  const { value, tags } = p.get(a);
  const bits = 8 * tags.length;
  const origin = originOf(...tags);
  const write = (result: bigint): void =>
    p.set(a, { value: result, tags: all(computed(origin), tags.length) });
  if (name === 'NOT') return write(BigInt.asUintN(bits, ~value));
  if (name === 'NEG') {
    const { value: result, flags } = arithmetic.subtract(0n, value, false, bits);
    write(result);
    return setFlags(p, flags, origin);
  }
  const { value: result, flags } =
    name === 'INC' ? arithmetic.add(value, 1n, false, bits) : arithmetic.subtract(value, 1n, false, bits);
  write(result);
  p.flags = (flags & ~arithmetic.CF) | (p.flags & arithmetic.CF);
  // The carry of a test for zero is not what was tested.
  if (p.carryOrigin >= ZERO_TEST) p.carryOrigin = MIXED;
  p.origin = origin;
}

function setFlags(p: ReferenceCpu, flags: number, origin: number): void {
  p.flags = flags;
  p.origin = p.carryOrigin = origin;
}

/** The accumulator times an operand; both halves of the product. */
export function multiplyWide(p: ReferenceCpu, isSigned: boolean, a: ReadOperand): void {
  const factor = p.get(a);
  const bytes = factor.tags.length;
  const low = p.get(register(RAX, bytes));
  const origin = originOf(...low.tags, ...factor.tags);
  const { value, flags } = arithmetic.multiply(low.value, factor.value, isSigned, 8 * bytes);
  const tags = all(computed(origin), bytes);
  if (bytes === 1) p.set(register(RAX, 2), { value, tags: [...tags, ...tags] });
  else {
    p.set(register(RAX, bytes), { value: BigInt.asUintN(8 * bytes, value), tags });
    p.set(register(RDX, bytes), { value: value >> BigInt(8 * bytes), tags });
  }
  setFlags(p, flags, origin);
}

/** `a := b * c`, cut to the operand's size. */
export function multiplyInto(p: ReferenceCpu, a: ReadOperand, b: ReadOperand, c: ReadOperand): void {
  const [left, right] = [p.get(b), p.get(c)];
  const bytes = left.tags.length;
  const factor = c.is === 'value' ? constant(c.value, bytes) : right;
  const origin = originOf(...left.tags, ...factor.tags);
  const { value, flags } = arithmetic.multiply(left.value, factor.value, true, 8 * bytes);
  p.set(a, { value: BigInt.asUintN(8 * bytes, value), tags: all(computed(origin), bytes) });
  setFlags(p, flags, origin);
}

/** One switch on purpose. */
export function withTwo(
  p: ReferenceCpu,
  instruction: ReadInstruction,
  name: string,
  a: ReadOperand,
  b: ReadOperand,
): void {
  const { size, condition } = instruction;
  switch (name) {
    case 'MOV':
      return p.set(a, b.is === 'value' ? constant(b.value, a.bytes) : p.get(b));
    case 'LEA': {
      if (b.is !== 'memory') throw new Error('LEA has an operand in memory');
      const { value, tags } = p.addressOf({ ...b, gs: false });
      return p.set(a, { value, tags: all(computed(originOf(...tags)), 8) });
    }
    case 'MOVZX':
      return p.set(a, extended(p.get(b), size));
    case 'MOVSX':
    case 'MOVSXD':
      return p.set(a, signExtended(p.get(b), size));
    case 'CMOVcc':
      return moveIf(p, condition, a, b);
    case 'XCHG':
      return exchange(p, a, b);
    case 'CWD': {
      const { value, tags } = p.get(b);
      const is = arithmetic.topBit(value, 8 * size);
      const tag = computed(tags[size - 1] ?? CONSTANT);
      return p.set(a, { value: is ? (1n << BigInt(8 * size)) - 1n : 0n, tags: all(tag, size) });
    }
    case 'IMUL':
      return multiplyInto(p, a, b, a);
    case 'SHL':
    case 'SHR':
    case 'SAR':
    case 'ROL':
    case 'ROR':
      return shiftBy(p, name, a, b);
    default:
      return binary(p, name, a, b);
  }
}

/** The source is read whether the condition holds or not. */
function moveIf(p: ReferenceCpu, condition: number, a: ReadOperand, b: ReadOperand): void {
  const source = p.get(b);
  const chosen = arithmetic.holds(p.flags, condition) ? source : p.get(a);
  const origin = conditionOrigin(p, condition);
  p.set(a, origin === CONSTANT ? chosen : { ...chosen, tags: all(computed(origin), a.bytes) });
}

/** Memory is written first: a fault changes nothing. */
function exchange(p: ReferenceCpu, a: ReadOperand, b: ReadOperand): void {
  const [first, second] = [p.get(a), p.get(b)];
  p.set(a, second);
  p.set(b, first);
}

function shiftBy(p: ReferenceCpu, name: string, a: ReadOperand, by: ReadOperand): void {
  p.requireWritable(a);
  const value = p.get(a);
  const count = cut(p.get(by), 1);
  const bytes = value.tags.length;
  const steps = Number(count.value) & (bytes === 8 ? 63 : 31);
  const origin = originOf(...value.tags, ...count.tags);
  const isCounted = originOf(...count.tags) === CONSTANT;
  const result = arithmetic.shift(name, value.value, steps, 8 * bytes, p.flags);
  p.set(a, { value: result.value, tags: all(computed(origin), bytes) });
  if (steps > 0) p.flags = result.flags;
  if (steps === 0 && isCounted) return;
  const keeps = name === 'ROL' || name === 'ROR' || !isCounted;
  const before = bothOrigins(p.origin, p.carryOrigin);
  const kept = before >= ZERO_TEST ? MIXED : before;
  p.origin = p.carryOrigin = keeps && origin === CONSTANT ? kept : origin;
}

/** The classic operations and TEST. */
function binary(p: ReferenceCpu, name: string, a: ReadOperand, b: ReadOperand): void {
  const writes = name !== 'CMP' && name !== 'TEST';
  if (writes) p.requireWritable(a);
  const bytes = a.bytes;
  const left = p.get(a);
  const right = b.is === 'value' ? constant(b.value, bytes) : p.get(b);
  const isSame = a.is === 'register' && b.is === 'register' && a.number === b.number && a.high === b.high;
  // Zero whatever the register held.
  const idiom = isSame && (name === 'XOR' || name === 'SUB');
  const inputs = idiom ? CONSTANT : originOf(...left.tags, ...right.tags);
  const takesCarry = name === 'ADC' || name === 'SBB';
  const origin = takesCarry ? withCarry(inputs, p.carryOrigin) : inputs;
  const result = resultOf(p, name, left.value, right.value, 8 * bytes);
  if (writes) p.set(a, { value: result.value, tags: all(computed(origin), bytes) });
  const isZeroTest =
    (name === 'TEST' && isSame) ||
    (name === 'CMP' && right.value === 0n && right.tags.every((tag) => tag === CONSTANT));
  const group = isZeroTest ? groupOf(left.tags) : 0;
  setFlags(p, result.flags, group > 0 ? ZERO_TEST + group : origin);
}

function withCarry(inputs: number, carry: number): number {
  if (inputs === UNDEFINED || carry === UNDEFINED) return UNDEFINED;
  return carry === CONSTANT ? inputs : MIXED;
}

type Classic = 'ADD' | 'OR' | 'ADC' | 'SBB' | 'AND' | 'SUB' | 'XOR' | 'CMP' | 'TEST';

function resultOf(p: ReferenceCpu, name: string, a: bigint, b: bigint, bits: number): Computed {
  const classic = name as Classic;
  const carry = (p.flags & arithmetic.CF) !== 0;
  switch (classic) {
    case 'ADD':
      return arithmetic.add(a, b, false, bits);
    case 'ADC':
      return arithmetic.add(a, b, carry, bits);
    case 'SUB':
    case 'CMP':
      return arithmetic.subtract(a, b, false, bits);
    case 'SBB':
      return arithmetic.subtract(a, b, carry, bits);
    case 'AND':
    case 'TEST':
      return arithmetic.logical(a & b, bits);
    case 'OR':
      return arithmetic.logical(a | b, bits);
    case 'XOR':
      return arithmetic.logical(a ^ b, bits);
    default:
      return unreachable(classic);
  }
}
