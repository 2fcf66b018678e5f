import type { Argument } from '../abi/x86-64.ts';
import { item } from '../core/present.ts';
import { unreachable } from '../core/unreachable.ts';
import { ARGUMENT_REGS } from '../x86/argument-registers.ts';
import type { Assembler } from '../x86/assemble.ts';
import type { Reg } from '../x86/register.ts';
import { R8, R9, RAX, RCX, RDX, RSI, RSP } from '../x86/register.ts';

/**
 * The stub of an event class, `__bpf_trace_X(void *__data, proto)`: what __BPF_DECLARE_TRACE() of
 * include/trace/bpf_probe.h becomes. CAST_TO_U64() makes each argument a u64, through the unsigned type of its size,
 * and bpf_trace_runN() gets data and arguments where they came. So each argument that is narrower is zero-extended in
 * its place, be it signed or a struct, and the rest is a jump.
 *
 * ```text
 *   data  1    2    3    4    5    6          7
 *   rdi   rsi  rdx  rcx  r8   r9   8(%rsp)    0x10(%rsp)  …
 * ```
 *
 * The order is that of the compilers that built the recorded kernels: the last argument on the stack is read first, and
 * written after the registers; what is left of the stack follows, from its end.
 */
export type StubItem =
  | { readonly do: 'extend'; readonly reg: Reg; readonly bytes: Narrow; readonly signed: boolean }
  | { readonly do: 'load'; readonly disp: number; readonly bytes: Narrow; readonly signed: boolean }
  | { readonly do: 'store'; readonly disp: number }
  | { readonly do: 'jump'; readonly to: string };

/** Sizes of arguments that leave the upper end of their word undefined, in bytes. */
type Narrow = 1 | 2 | 4;

/** The most arguments of a tracepoint: bpf_trace_run12() is the last of its family. */
export const TRACE_ARGS_MAX = 12;

/** Registers in the order in which compilers extend them. */
const ORDER: readonly Reg[] = [RCX, RDX, RSI, R9, R8];

/** The function for a number of arguments: `bpf_trace_run3`. */
export function runName(count: number): string {
  return `bpf_trace_run${count}`;
}

/** The steps of a stub for arguments of 1, 2, 4 or 8 bytes each. Throws for others, and for more than twelve. */
export function planStub(args: readonly Argument[]): StubItem[] {
  requireArguments(args);
  const narrow = args.flatMap(({ size }, i) => (isNarrow(size) ? [{ at: i + 1, bytes: size }] : []));
  const inRegisters = ORDER.flatMap((reg): StubItem[] => {
    const item = narrow.find(({ at: index }) => ARGUMENT_REGS[index] === reg);
    return item === undefined ? [] : [{ do: 'extend', reg, bytes: item.bytes, signed: false }];
  });
  const onStack = narrow
    .filter(({ at: index }) => index >= ARGUMENT_REGS.length)
    .toReversed()
    .map(({ at: index, bytes }): StubItem[] => {
      const disp = stackArgumentAt(index);
      return [
        { do: 'load', disp, bytes, signed: false },
        { do: 'store', disp },
      ];
    });
  const [first = []] = onStack;
  return [
    ...first.slice(0, 1),
    ...inRegisters,
    ...first.slice(1),
    ...onStack.slice(1).flat(),
    { do: 'jump', to: runName(args.length) },
  ];
}

/** Offset of an argument word from the stack pointer at a function's entry, by its number from 0. */
export function stackArgumentAt(word: number): number {
  return 8 * (word - ARGUMENT_REGS.length) + 8;
}

/** The stub is reached through a pointer (`tp_func->func`), so IBT needs `endbr64`. */
export function emitStub(a: Assembler, items: readonly StubItem[], ibt: boolean): void {
  if (ibt) a.endbr64();
  for (const item of items) emitItem(a, item);
}

/** No stack frame: the stub is a tail call, and `rax` is free. */
function emitItem(a: Assembler, item: StubItem): void {
  switch (item.do) {
    case 'extend':
      if (!item.signed) return zeroExtend(a, item.reg, item.reg, item.bytes);
      return a.extend(item.reg, item.reg, item.bytes, true);
    case 'load':
      if (!item.signed) return loadNarrow(a, RAX, item.disp, item.bytes);
      a.load(RAX, RSP, item.disp);
      return a.extend(RAX, RAX, item.bytes, true);
    case 'store':
      return a.store(RSP, item.disp, RAX);
    case 'jump':
      return a.jump(item.to);
    default:
      return unreachable(item);
  }
}

/** Zero-extends an argument from one register into another. */
export function zeroExtend(a: Assembler, to: Reg, from: Reg, bytes: Narrow): void {
  if (bytes === 4) a.movLow(to, from);
  else a.extend(to, from, bytes, false);
}

/** The same for one on the stack, `disp` bytes above the stack pointer. */
export function loadNarrow(a: Assembler, to: Reg, disp: number, bytes: Narrow): void {
  if (bytes === 1) a.loadByte(to, RSP, disp);
  else if (bytes === 2) a.loadShort(to, RSP, disp);
  else a.loadHalf(to, RSP, disp);
}

/** Types of 8 bytes need no cast. */
export function isNarrow(size: number): size is Narrow {
  return size === 1 || size === 2 || size === 4;
}

/** The kernel's build fails for the others: UINTTYPE() has no type, and there is no bpf_trace_run13(). */
function requireArguments(args: readonly Argument[]): void {
  const wrong = args.findIndex(({ size }) => size !== 8 && !isNarrow(size));
  if (wrong >= 0)
    throw new Error(
      `argument ${wrong + 1} has ${item(args, wrong).size} bytes: a raw tracepoint passes 1, 2, 4 or 8`,
    );
  if (args.length === 0 || args.length > TRACE_ARGS_MAX)
    throw new Error(`${args.length} arguments: a raw tracepoint passes 1 to ${TRACE_ARGS_MAX}`);
}
