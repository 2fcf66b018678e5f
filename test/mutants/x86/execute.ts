import * as arithmetic from './arithmetic.ts';
import {
  bothOrigins,
  conditionOrigin,
  multiplyInto,
  multiplyWide,
  RAX,
  register,
  signExtended,
  swapBytes,
  unary,
  withTwo,
} from './compute.ts';
import type { ReferenceCpu } from './cpu.ts';
import { RSP, Stopped } from './cpu.ts';
import type { ReadInstruction, ReadOperand } from './read.ts';
import type { TaggedBytes } from './tagged.ts';
import { all, CONSTANT, computed, constant, cut, originOf, UNDEFINED, ZERO_TEST } from './tagged.ts';

const RBP = 5;

/** Executes one instruction; whatever stops it is thrown before anything is written. */
export function executeOne(p: ReferenceCpu, instruction: ReadInstruction): void {
  const [a, b, c] = instruction.operands;
  const { name } = instruction.encoding;
  switch (instruction.operands.length) {
    case 0:
      return withoutOperand(p, name);
    case 1:
      return withOne(p, instruction, name, present(a));
    case 2:
      return withTwo(p, instruction, name, present(a), present(b));
    default:
      return multiplyInto(p, present(a), present(b), present(c));
  }
}

function present(operand: ReadOperand | undefined): ReadOperand {
  if (operand === undefined) throw new Error('an operand lacks');
  return operand;
}

function withoutOperand(p: ReferenceCpu, name: string): void {
  switch (name) {
    case 'NOP':
    case 'ENDBR64':
    case 'LFENCE':
      return;
    case 'RET':
      return returnFrom(p, 0n);
    case 'LEAVE': {
      p.registers[RSP] = p.get(register(RBP, 8));
      p.registers[RBP] = popped(p);
      return;
    }
    case 'PUSHF': {
      const origin = bothOrigins(p.origin, p.carryOrigin);
      return push(p, { value: BigInt(p.flags | 0x202), tags: all(computed(origin), 8) });
    }
    case 'POPF': {
      const { value, tags } = popped(p);
      p.flags = Number(value & BigInt(arithmetic.STATUS));
      p.origin = p.carryOrigin = originOf(...tags.slice(0, 4));
      return;
    }
    case 'INT3':
      throw new Stopped(`fault breakpoint trap execute 1 0x${p.place.toString(16)}`);
    case 'UD2':
      throw new Stopped(`fault invalid opcode execute 1 0x${p.place.toString(16)}`);
    default:
      throw new Error(`no instruction is called ${name}`);
  }
}

function moveStack(p: ReferenceCpu, by: bigint): void {
  const { value, tags } = p.get(register(RSP, 8));
  p.registers[RSP] = { value: BigInt.asUintN(64, value + by), tags };
}

function push(p: ReferenceCpu, value: TaggedBytes): void {
  const { value: rsp, tags } = p.get(register(RSP, 8));
  const to = BigInt.asUintN(64, rsp - 8n);
  p.requireKnown('address', tags, to);
  moveStack(p, -8n);
  p.store(to, value);
}

function popped(p: ReferenceCpu): TaggedBytes {
  const { value: rsp, tags } = p.get(register(RSP, 8));
  p.requireKnown('address', tags, rsp);
  const found = p.load(rsp, 8);
  moveStack(p, 8n);
  return found;
}

/** The run ends at a target that must not be followed, and the stack pointer has been raised already. */
function returnFrom(p: ReferenceCpu, more: bigint): void {
  const { value, tags } = popped(p);
  try {
    p.requireKnown('branch', tags, value);
  } catch (error) {
    throw error instanceof Stopped ? new Stopped(error.stop, true) : error;
  }
  moveStack(p, more);
  p.next = value;
}

function targetOf(p: ReferenceCpu, to: ReadOperand): bigint {
  const { value, tags } = p.get(to);
  p.requireKnown('branch', tags, value);
  return value;
}

function withOne(p: ReferenceCpu, instruction: ReadInstruction, name: string, a: ReadOperand): void {
  switch (name) {
    case 'NOP':
      return;
    case 'RET':
      return returnFrom(p, p.get(a).value);
    case 'PUSH':
      return push(p, cut(a.is === 'value' ? constant(a.value, 8) : p.get(a), 8));
    case 'POP':
      return p.set(a, popped(p));
    case 'CALL': {
      const to = targetOf(p, a);
      push(p, constant(p.next, 8));
      p.next = to;
      return;
    }
    case 'JMP':
      p.next = targetOf(p, a);
      return;
    case 'Jcc':
      if (!mayBranch(p, instruction.condition)) return;
      if (arithmetic.holds(p.flags, instruction.condition)) p.next = p.get(a).value;
      return;
    case 'SETcc': {
      const is = arithmetic.holds(p.flags, instruction.condition);
      return p.set(a, { value: is ? 1n : 0n, tags: [computed(conditionOrigin(p, instruction.condition))] });
    }
    case 'CBW':
      return p.set(a, signExtended(p.get(register(RAX, instruction.size / 2)), instruction.size));
    case 'BSWAP':
      return swapBytes(p, a);
    case 'MUL':
    case 'IMUL':
      return multiplyWide(p, name === 'IMUL', a);
    default:
      return unary(p, name, a);
  }
}

/** Whether a branch on a condition is allowed: thrown if not. */
function mayBranch(p: ReferenceCpu, condition: number): true {
  const origin = conditionOrigin(p, condition);
  if (origin === UNDEFINED) throw new Stopped(`fault undefined branch execute 1 0x${p.place.toString(16)}`);
  if (origin === CONSTANT || !p.program.strict) return true;
  const group = origin >= ZERO_TEST ? origin - ZERO_TEST : undefined;
  const isControl = group !== undefined && ((p.program.controlGroups >> group) & 1) === 1;
  if (isControl && condition >> 1 === 2) return true;
  throw new Stopped(`depends branch ${group === undefined ? origin : group * 8}`);
}
