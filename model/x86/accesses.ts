import { FAMILY, FORM, writesDestination } from './instruction.ts';

/** How often an instruction reads memory and writes to it. */
export interface Accesses {
  readonly reads: number;
  readonly writes: number;
}

const NOTHING: Accesses = { reads: 0, writes: 0 };

/** Forms whose destination, or only operand, is in memory, and those whose source is. */
const INTO_MEMORY: readonly number[] = [FORM.MR, FORM.MI, FORM.M];
const FROM_MEMORY: readonly number[] = [FORM.RM, FORM.RMI];

/**
 * Accesses of an instruction of a family, a form and a member (`instruction.ts`) to memory, the stack
 * included. Counted are operands, not bytes, and not the fetch of the instruction. For the comparison of
 * designs: a call through memory reads its target and writes the return address.
 */
export function accessesOf(family: number, form: number, sub: number): Accesses {
  const operand = form === FORM.M ? 1 : 0;
  switch (family) {
    // NOP may have a memory operand, and LEA does: neither touches it.
    case FAMILY.LEA:
    case FAMILY.NOP:
    case FAMILY.JCC:
    case FAMILY.TRAP:
      return NOTHING;
    case FAMILY.PUSH:
    case FAMILY.CALL:
    case FAMILY.PUSH_FLAGS:
      return { reads: operand, writes: 1 };
    case FAMILY.POP:
      return { reads: 1, writes: operand };
    case FAMILY.RETURN:
    case FAMILY.LEAVE:
    case FAMILY.POP_FLAGS:
      return { reads: 1, writes: 0 };
    case FAMILY.JUMP:
      return { reads: operand, writes: 0 };
    case FAMILY.MOV:
    case FAMILY.SETCC:
      return { reads: FROM_MEMORY.includes(form) ? 1 : 0, writes: INTO_MEMORY.includes(form) ? 1 : 0 };
    case FAMILY.MULTIPLY_WIDE:
      return { reads: operand, writes: 0 };
    default:
      return arithmetic(form, writesDestination(family, sub));
  }
}

/** A destination in memory is read before it is written; CMP and TEST only read it. */
function arithmetic(form: number, writes: boolean): Accesses {
  if (FROM_MEMORY.includes(form)) return { reads: 1, writes: 0 };
  return INTO_MEMORY.includes(form) ? { reads: 1, writes: writes ? 1 : 0 } : NOTHING;
}
