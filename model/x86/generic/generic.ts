import { cell } from '../cell.ts';
import { FAMILY, FIELD, TRAP } from '../instruction.ts';
import type { Machine } from '../machine.ts';
import { raise } from '../machine.ts';
import { executeCall, executeJcc, executeJump, executeReturn, NEXT, STOPPED } from './branch.ts';
import { executeArithmetic } from './compute.ts';
import { executeLea } from './move.ts';
import { load, store } from './place.ts';
import { executeLeave, executePop, popFlags, push, pushFlags } from './stack.ts';

/**
 * Executes any instruction of the subset, whatever its width and operands: the reference for the short forms
 * in `execute.ts`. `m.rip` is the instruction's address and `nextLo` the following one's (low half, same
 * upper half). On TRANSFER `m.rip` is the new address; on STOPPED `m.stop` says why.
 *
 * An instruction that stops has changed nothing, as a fault on x86 restarts its instruction. One exception: a
 * return to a target that must not be followed has raised `rsp` already, and the run ends there.
 *
 * NOP includes `endbr64`, `pause` and `lfence`: IBT, power and speculation are not modelled. TRAP reports
 * INT3 at its own address, not at the one after it that a CPU saves. An INT3 of a text poke never gets here:
 * calls decide before execution what a CPU fetches.
 */
export function executeGeneric(m: Machine, ops: Int32Array, k: number, nextLo: number): number {
  const size = cell(ops, k + FIELD.SIZE);
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

/** For instructions that do not branch. */
function finish(ok: boolean): number {
  return ok ? NEXT : STOPPED;
}
