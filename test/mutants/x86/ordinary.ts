import type { ReferenceCpu } from './cpu.ts';
import { RSP } from './cpu.ts';
import type { ProgramPage } from './program.ts';
import { PAGE } from './program.ts';
import type { ReadInstruction, ReadOperand } from './read.ts';
import type { ShortForm } from './short-forms.ts';
import type { TaggedBytes } from './tagged.ts';
import { CONSTANT, groupOf } from './tagged.ts';

/*
 * When the emulator's loop may execute an instruction in its short form, after the comments of execute.ts: constant
 * addresses that are multiples of eight, in the stack or the data. It may always leave it to the generic execution, and
 * takes longer then.
 */

const RBP = 5;

/**
 * Before an instruction is executed; one switch on purpose. `lazy`: the flags are those of a sum, a difference or a logical
 * result.
 */
export function isOrdinary(
  p: ReferenceCpu,
  { operands }: ReadInstruction,
  form: ShortForm,
  lazy: boolean,
): boolean {
  const [a, b] = operands;
  switch (form) {
    case 'MOV_RR':
    case 'MOV_RI':
    case 'ZERO':
    case 'NOP':
    case 'JUMP':
      return true;
    case 'LOAD':
      return isNear(p, b, 'read');
    case 'STORE':
    case 'STORE_NOTED':
    case 'STORE_I':
      return isNear(p, a, 'write');
    case 'LEA':
      return b?.is === 'memory' && isConstant(p.addressOf(b));
    case 'ADJUST':
      return isConstant(registerOf(p, RSP));
    case 'TEST_SELF': {
      const value = a === undefined ? undefined : p.get(a);
      return value !== undefined && (isConstant(value) || groupOf(value.tags) > 0);
    }
    case 'CALL':
    case 'PUSH':
      return onStack(p, registerOf(p, RSP), -8n, 'write');
    case 'RETURN': {
      const rsp = registerOf(p, RSP);
      return onStack(p, rsp, 0n, 'read') && isConstant(p.load(rsp.value, 8));
    }
    case 'POP':
    case 'LEAVE': {
      const from = registerOf(p, form === 'POP' ? RSP : RBP);
      // The last word of the stack is left to the generic execution.
      return onStack(p, from, 0n, 'read') && onStack(p, from, 8n, 'read');
    }
    case 'JZ':
      return lazy;
    case 'GENERIC':
    case 'BREAK':
      return false;
  }
}

function registerOf({ registers }: ReferenceCpu, number: number): TaggedBytes {
  const found = registers[number];
  if (found === undefined) throw new Error(`there is no register ${number}`);
  return found;
}

function isConstant({ tags }: TaggedBytes): boolean {
  return tags.every((tag) => tag === CONSTANT);
}

function pageNamed({ program }: ReferenceCpu, name: string): ProgramPage {
  const page = program.pages.find((candidate) => candidate.name === name);
  if (page === undefined) throw new Error(`no page is called ${name}`);
  return page;
}

/** Bytes from the start of a page that a short form may reach. */
function reach({ permission, writable }: ProgramPage, access: 'read' | 'write'): bigint {
  if (access === 'read') return (permission & 1) !== 0 ? BigInt(PAGE) : 0n;
  return (permission & 6) === 2 ? BigInt(writable) : 0n;
}

function isNear(p: ReferenceCpu, operand: ReadOperand | undefined, access: 'read' | 'write'): boolean {
  if (operand?.is !== 'memory') return false;
  const address = p.addressOf(operand);
  if (!isConstant(address) || address.value % 8n !== 0n) return false;
  const stack = pageNamed(p, 'stack');
  if (isWithin(stack, address.value, access)) {
    const top = BigInt.asIntN(32, registerOf(p, RSP).value - stack.base);
    return address.value - stack.base >= top;
  }
  return isWithin(pageNamed(p, p.program.data), address.value, access);
}

function isWithin(page: ProgramPage, address: bigint, access: 'read' | 'write'): boolean {
  return address >= page.base && address + 8n <= page.base + reach(page, access);
}

function onStack(p: ReferenceCpu, pointer: TaggedBytes, by: bigint, access: 'read' | 'write'): boolean {
  const address = pointer.value + by;
  return isConstant(pointer) && address % 8n === 0n && isWithin(pageNamed(p, 'stack'), address, access);
}
