import type { Reg } from '../x86/register.ts';
import { RAX } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { ZERO } from '../x86/word.ts';

/** The purpose of an instruction of an image. With an index it names the place in reports and in planted bugs. */
export type PointRole =
  | 'endbr'
  | 'account for call'
  | 'open frame'
  | 'save tail-call counter'
  | 'save rbx'
  | 'store argument count'
  | 'store function ip'
  | 'save argument'
  | 'clear garbage'
  | 'enter image'
  | 'clear session'
  | 'skip nop'
  | 'store cookie'
  | 'enter program'
  | 'keep start'
  | 'skip program'
  | 'run program'
  | 'store program return'
  | 'exit program'
  | 'clear return'
  | 'stop at modified return'
  | 'restore argument'
  | 'copy stack argument'
  | 'load tail-call counter'
  | 'call original'
  | 'store original return'
  | 'after-call nop'
  | 'begin exit part'
  | 'store session state'
  | 'leave image'
  | 'load return'
  | 'restore rbx'
  | 'close frame'
  | 'skip frame'
  | 'return';

/**
 * The operation of an item. Memory is always `at(%rbp)`.
 *
 * ```text
 *   open          push %rbp; mov %rsp,%rbp          account       sarq $5,%gs:call_depth(%rip)
 *   move          reg ← from                        constant      reg ← value
 *   load, store   reg ← memory, memory ← reg        address       reg ← address of symbol
 *   lea           reg ← address of memory           lower, raise  rsp −= at, rsp += at
 *   clear32       memory ← 0, four bytes            ifZero        je to the label in symbol, one byte
 *   compareZero   cmpq $0, memory                   ifNonzero     jne, four bytes
 *   subtract      reg −= at
 *   call, jump    to symbol                         align         nops up to a multiple of at
 * ```
 */
export type ItemOp =
  | 'load'
  | 'store'
  | 'lea'
  | 'call'
  | 'address'
  | 'constant'
  | 'move'
  | 'test'
  | 'ifZero'
  | 'label'
  | 'nop5'
  | 'compareZero'
  | 'ifNonzero'
  | 'open'
  | 'lower'
  | 'raise'
  | 'subtract'
  | 'push'
  | 'pop'
  | 'leave'
  | 'ret'
  | 'jump'
  | 'align'
  | 'clear32'
  | 'callRegister'
  | 'account'
  | 'endbr';

/**
 * One symbolic instruction of an image. All items have all fields: an image has a hundred items, and objects of
 * one shape are several times faster to read.
 */
export interface Item {
  readonly role: PointRole;
  /** The argument word (from 0) or the program (from 1) that it serves. */
  readonly index: number;
  readonly op: ItemOp;
  readonly reg: Reg;
  readonly from: Reg;
  /** Offset from `rbp`, or a number of bytes. */
  readonly at: number;
  /** Symbol or label. */
  readonly symbol: string;
  readonly value: Word;
}

/** The fields that most items share; constructors name only what they need. */
function item(
  role: PointRole,
  index: number,
  op: ItemOp,
  reg: Reg,
  from: Reg,
  position: number,
  symbol: string,
  value: Word,
): Item {
  return { role, index, op, reg, from, at: position, symbol, value };
}

/** An item without operands. */
export function plain(role: PointRole, index: number, op: ItemOp): Item {
  return item(role, index, op, RAX, RAX, 0, '', ZERO);
}

/** An item with one register: push, pop, test, callRegister. */
export function withReg(role: PointRole, index: number, op: ItemOp, reg: Reg): Item {
  return item(role, index, op, reg, RAX, 0, '', ZERO);
}

/** A register and a place in the frame: load, store, lea; or a number of bytes: subtract. */
export function withMemory(role: PointRole, index: number, op: ItemOp, reg: Reg, position: number): Item {
  return item(role, index, op, reg, RAX, position, '', ZERO);
}

/** A number of bytes or a place without a register: lower, raise, align, clear32, compareZero. */
export function withBytes(role: PointRole, index: number, op: ItemOp, position: number): Item {
  return item(role, index, op, RAX, RAX, position, '', ZERO);
}

export function move(role: PointRole, index: number, to: Reg, from: Reg): Item {
  return item(role, index, 'move', to, from, 0, '', ZERO);
}

export function constant(role: PointRole, index: number, reg: Reg, value: Word): Item {
  return item(role, index, 'constant', reg, RAX, 0, '', value);
}

/** A symbol or label: address (into `reg`), call, jump, ifZero, ifNonzero, label. */
export function withSymbol(role: PointRole, index: number, op: ItemOp, symbol: string, reg: Reg = RAX): Item {
  return item(role, index, op, reg, RAX, 0, symbol, ZERO);
}
