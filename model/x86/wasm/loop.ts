import {
  CONSTANTS,
  executeAdjust,
  executeLea,
  executeLoad,
  executeNotedStore,
  executePop,
  executePush,
  executeStore,
  executeStoreConstant,
  executeTest,
  executeZero,
  onStack,
  pushAddress,
  register,
  setConstant,
} from './access.ts';
import { followBranch, followNext, followReturn, rowFor } from './link.ts';
import { FlagByte, FlagKind, Form, Parameter, Register, Rest, RowByte, Tag } from './places.ts';

export { decode, forget } from './link.ts';

/** Executes from an address; ENTRY: there is no row, and the caller has to find one. */
export function run(hi: u32, lo: u32, left: i32): i32 {
  const row = rowFor(((<u64>hi) << 32) | <u64>lo);
  if (row === 0) return leave(Rest.ENTRY, 0, left);
  // The instruction that a run starts at is executed although it has a breakpoint.
  if (left > 0 && load<u32>(row << 2) === Form.BREAK) return leave(Rest.GENERIC, row, left - 1);
  return resume(row, left);
}

function leave(reason: i32, k: u32, left: i32): i32 {
  store<u32>(Parameter.ROW, k);
  store<i32>(Parameter.LEFT, left);
  return reason;
}

/**
 * Executes from a row: the loop of `execute.ts`. One function and one switch on purpose. An instruction is counted before it
 * is executed, like a retired one that may still fault; one that meets anything out of the ordinary is left to the caller as
 * it is, counted.
 */
export function resume(k: u32, left: i32): i32 {
  while (left > 0) {
    left--;
    const row = k << 2;
    let next = load<u32>(row, RowByte.NEXT);
    let done: bool = true;
    switch (load<u32>(row)) {
      case Form.LOAD:
        done = inline.always(executeLoad(row));
        break;
      case Form.STORE:
        done = inline.always(executeStore(row));
        break;
      case Form.STORE_NOTED:
        done = executeNotedStore(row);
        break;
      case Form.STORE_I:
        done = executeStoreConstant(row);
        break;
      case Form.MOV_RR: {
        const into = register(row, RowByte.A);
        const from = register(row, RowByte.B);
        store<i64>(into, load<i64>(from));
        store<i64>(into, load<i64>(from, Register.TAGS), Register.TAGS);
        break;
      }
      case Form.MOV_RI:
        setConstant(register(row, RowByte.A), load<i64>(row, RowByte.X));
        break;
      case Form.LEA:
        done = executeLea(row);
        break;
      case Form.ADJUST:
        done = executeAdjust(row);
        break;
      case Form.ZERO:
        executeZero(row);
        break;
      case Form.TEST_SELF:
        done = executeTest(row);
        break;
      case Form.CALL: {
        const position = onStack(Register.RSP, -8, Parameter.STACK_WRITE);
        next = load<u32>(row, RowByte.TARGET);
        if (position !== 0 && next === 0) next = followBranch(row);
        done = position !== 0 && next !== 0;
        if (done) pushAddress(position, load<i64>(row, RowByte.X));
        break;
      }
      case Form.RETURN: {
        const position = onStack(Register.RSP, 0, Parameter.STACK_READ);
        done = position !== 0 && load<i64>(position + load<u32>(Parameter.STACK_TAGS)) === CONSTANTS;
        if (!done) break;
        next = followReturn(load<u64>(position));
        done = next !== 0;
        if (done) store<i64>(Register.RSP, load<i64>(Register.RSP) + 8);
        break;
      }
      case Form.JZ: {
        const condition = load<u32>(row, RowByte.A);
        done = load<u32>(FlagByte.KIND) !== FlagKind.FROM_BITS && mayBranch();
        if (!done || (load<i64>(FlagByte.R) === 0) !== (condition === 4)) break;
        next = load<u32>(row, RowByte.TARGET);
        if (next === 0) next = followBranch(row);
        done = next !== 0;
        break;
      }
      case Form.JUMP:
        next = load<u32>(row, RowByte.TARGET);
        if (next === 0) next = followBranch(row);
        done = next !== 0;
        break;
      case Form.PUSH:
        done = executePush(row);
        break;
      case Form.POP:
        done = executePop(Register.RSP, register(row, RowByte.A));
        break;
      case Form.LEAVE:
        done = executePop(Register.RBP, Register.RBP);
        break;
      case Form.NOP:
        break;
      // The instruction is not executed and does not count.
      case Form.BREAK:
        return leave(Rest.BREAKPOINT, k, left + 1);
      default:
        done = false;
    }
    if (!done) return leave(Rest.GENERIC, k, left);
    if (next === 0) {
      next = followNext(row);
      if (next === 0) return leave(Rest.NEXT, k, left);
    }
    k = next;
  }
  return leave(Rest.BUDGET, k, left);
}

/**
 * Whether `je` or `jne` may be taken or not: its flags are constant, the run is not strict, or they compare a control value
 * with zero. Anything else is `mayBranch()` of the generic execution.
 */
function mayBranch(): bool {
  const tag = load<u32>(FlagByte.TAG);
  if (tag === Tag.ONE) return true;
  if (tag === 0 || tag > <u32>(Tag.ZERO_TEST | 31)) return false;
  if (load<u32>(Parameter.STRICT) === 0) return true;
  return tag >= <u32>Tag.ZERO_TEST && ((load<u32>(Parameter.CONTROL_GROUPS) >> (tag & 31)) & 1) === 1;
}
