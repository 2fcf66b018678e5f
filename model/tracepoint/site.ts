import { item } from '../core/present.ts';
import { ARGUMENT_REGS } from '../x86/argument-registers.ts';
import type { Assembler } from '../x86/assemble.ts';
import { NOP5 } from '../x86/nop.ts';
import type { Reg } from '../x86/register.ts';
import { RAX, RBP, RBX, RDI, RSP } from '../x86/register.ts';
import type { ReadSection } from './section.ts';
import { SLOW_PATH } from './static-call.ts';

/*
 * The code that a compiler generates for trace_X() and for the iterator, include/linux/tracepoint.h. Both keep
 * the arguments in their frame and pass them to each probe shifted by one: the first argument is the probe's
 * data.
 *
 * ```text
 *   16(%rbp) …   arguments that the caller has pushed
 *    8(%rbp)     return address
 *    0(%rbp)     rbp
 *   -8(%rbp) …   the words that came in registers, the first highest; the iterator has rbx before them
 *                words for the probe that do not fit the registers, 16-byte aligned                     <- rsp
 * ```
 */

const WORD = 8;
const IN_REGISTERS = ARGUMENT_REGS.length;

/** Fields of `struct tracepoint_func`, and its size, in bytes. */
export const FUNC = { FUNC: 0, DATA: 8, PRIO: 16, BYTES: 24 } as const;

/** Symbol of the pointer to the array. */
export const FUNCS_POINTER = 'tp->funcs';

/** Labels of the two instructions that change. */
export const KEY_LABEL = 'static key';
export const CALL_LABEL = 'static call';

/** Differences between sites: the number of arguments, the iterator, and the read-side section. */
export interface SiteForm {
  readonly count: number;
  readonly iterator: string;
  readonly section: ReadSection;
}

/**
 * The function that hits the tracepoint: `__DO_TRACE()` after its static key. The data is read in the section.
 */
export function emitSite(a: Assembler, { count, iterator, section }: SiteForm): void {
  a.label(KEY_LABEL);
  a.bytes(NOP5);
  a.ret();
  if (a.offset !== SLOW_PATH) throw new Error('the slow path stands somewhere else');
  a.push(RBP);
  a.mov(RBP, RSP);
  const kept = keep(a, ARGUMENT_REGS.slice(0, count));
  a.call(section.enter);
  a.loadFrom(RAX, FUNCS_POINTER);
  a.test(RAX);
  a.jumpIfZeroNear('no probes');
  const words = Array.from({ length: count }, (_, i) => -WORD * (i + 1));
  giveArguments(a, { words: words.map((index, i) => (i < IN_REGISTERS ? index : callerWord(i))) });
  a.load(RDI, RAX, FUNC.DATA);
  a.label(CALL_LABEL);
  a.call(iterator);
  a.label('no probes');
  if (count >= IN_REGISTERS) a.lea(RSP, RBP, -kept);
  a.call(section.exit);
  a.leave();
  a.ret();
}

/** `__traceiter_X()`: every probe of the array, with its own data. */
export function emitIterator(a: Assembler, count: number): void {
  const registers = ARGUMENT_REGS.slice(1, count + 1);
  a.push(RBP);
  a.mov(RBP, RSP);
  const kept = keep(a, [RBX, ...registers]);
  a.loadFrom(RBX, FUNCS_POINTER);
  a.test(RBX);
  a.jumpIfZeroNear('end');
  a.label('next probe');
  const words = Array.from({ length: count }, (_, i) => -WORD * (i + 2));
  giveArguments(a, {
    words: words.map((index, i) =>
      i < registers.length ? index : callerWord(i - registers.length + IN_REGISTERS),
    ),
  });
  a.load(RAX, RBX, FUNC.FUNC);
  a.load(RDI, RBX, FUNC.DATA);
  a.callRegister(RAX);
  if (count >= IN_REGISTERS) a.lea(RSP, RBP, -kept);
  a.add(RBX, FUNC.BYTES);
  a.compareImmediate(RBX, FUNC.FUNC, 0);
  a.jumpIfNonzeroNear('next probe');
  a.label('end');
  a.zero(RAX);
  a.load(RBX, RBP, -WORD);
  a.leave();
  a.ret();
}

/** Pushes registers, and keeps the stack aligned; answers how many bytes that takes. */
function keep(a: Assembler, registers: readonly Reg[]): number {
  for (const reg of registers) a.push(reg);
  const isOdd = registers.length % 2 === 1;
  if (isOdd) a.sub(RSP, WORD);
  return WORD * (registers.length + Number(isOdd));
}

/** Where a word of the caller's arguments lies, counted from the first of them: after those in registers. */
function callerWord(i: number): number {
  return 2 * WORD + WORD * (i - IN_REGISTERS);
}

/** Puts the arguments, whose places in the frame are given, after the data; `rax` and `rbx` stay as they are. */
function giveArguments(a: Assembler, { words }: { readonly words: readonly number[] }): void {
  const onStack = words.slice(IN_REGISTERS - 1);
  if (onStack.length % 2 === 1) a.sub(RSP, WORD);
  for (const index of onStack.toReversed()) {
    a.load(RDI, RBP, index);
    a.push(RDI);
  }
  for (const [i, index] of words.slice(0, IN_REGISTERS - 1).entries())
    a.load(item(ARGUMENT_REGS, i + 1), RBP, index);
}
