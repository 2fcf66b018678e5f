import type { ArgumentSlot } from '../../abi/x86-64.ts';
import type { FunctionName, ImageId } from '../../core/ids.ts';
import { entry, item } from '../../core/present.ts';
import { profileNamed } from '../../core/profile.ts';
import { PT_REGS } from '../../ftrace/entry/frame.ts';
import { hexText } from '../../ftrace/entry/hex-text.ts';
import { addressOf, pageAddress } from '../../text/space.ts';
import { allocatePage } from '../../text/text.ts';
import { Assembler } from '../../x86/assemble.ts';
import { R12, R13, RAX, RBX, RCX, RDI, RDX, RSI } from '../../x86/register.ts';
import type { BpfProgram } from '../program.ts';
import { enterHelper, exitHelper, programCode } from '../program.ts';
import { abiSlots } from '../signature.ts';
import { knownFunction } from '../traced-function.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import { programStructAt } from '../world.ts';

/*
 * Code between the registers of function graph and a BPF program: for one program, and for all functions with the
 * same layout of arguments.
 */

/** How a function is given its arguments: `r0 r1 s0`. Functions of one layout share an image. */
export function layoutOf(k: BpfView, fn: FunctionName): string {
  return slotsOf(k, fn)
    .map(({ place }) => `${place.in[0]}${place.index}`)
    .join(' ');
}

/** The places of a function's argument words by the ABI. */
export function slotsOf({ functions }: BpfView, fn: FunctionName): ArgumentSlot[] {
  return abiSlots(knownFunction(functions, fn).signature);
}

/**
 * Where the code of an image starts that runs at the return, in bytes; 0 if there is none.
 * That for the entry starts at 0.
 */
export interface GraphImage {
  readonly exit: number;
}

/**
 * Writes the image of a program for the layout of a function. Its two functions are called as `entry(fregs, ctx,
 * run_ctx)` and `exit(–, ctx, run_ctx)`; words of the context are where a program of a trampoline has them, and
 * the entry translates the registers to them.
 *
 * ```text
 *   ctx + 8 n    return value
 *   ctx + 0      argument words
 *   ctx - 8      their number; in the highest bit, which half of a session runs
 *   ctx - 16     address of the function
 * ```
 */
export function writeGraphImage(
  k: BpfWorld,
  image: ImageId,
  program: BpfProgram,
  slots: readonly ArgumentSlot[],
): GraphImage {
  allocatePage(k, image, '');
  const page = entry(k.text.pages, image);
  const a = new Assembler(pageAddress(page.at), (symbol) => addressOf(k, symbol));
  const { ibt } = profileNamed(k.profile);
  emitHalf(a, ibt, () => {
    emitTranslation(a, slots);
    a.storeImmediate(RBX, NR_ARGS, slots.length);
    if (program.kind !== 'fexit') emitProgram(a, program, 'entry is done');
  });
  if (program.kind !== 'fentry') emitExit(a, ibt, program, slots.length);
  const { bytes, labels } = a.finish();
  page.bytes = hexText(bytes);
  return { exit: labels.get(EXIT) ?? 0 };
}

const EXIT = 'exit';
const NR_ARGS = -8;
/** The highest bit of eight bytes, in their upper half. */
const AT_RETURN = 1 << 31;

/** The half for the return: the arguments are in the context already, only their number is stored again. */
function emitExit(a: Assembler, ibt: boolean, program: BpfProgram, nrArgs: number): void {
  a.align(16, 8);
  a.label(EXIT);
  emitHalf(a, ibt, () => {
    const half = program.kind === 'fsession' ? AT_RETURN : 0;
    a.loadConstant(RAX, { hi: half, lo: nrArgs }, true);
    a.store(RBX, NR_ARGS, RAX);
    emitProgram(a, program, 'exit is done');
  });
}

/** A function in C that keeps the context in `rbx` and the run context in `r12`. */
function emitHalf(a: Assembler, ibt: boolean, emitBody: () => void): void {
  if (ibt) a.endbr64();
  for (const reg of KEPT) a.push(reg);
  a.mov(RBX, RSI);
  a.mov(R12, RDX);
  emitBody();
  for (const reg of KEPT.toReversed()) a.pop(reg);
  a.ret();
  a.int3();
}

/** With the return address they leave the stack aligned. */
const KEPT = [RBX, R12, R13];

/** Where ftrace has saved the argument registers. */
const ARGUMENTS = [PT_REGS.RDI, PT_REGS.RSI, PT_REGS.RDX, PT_REGS.RCX, PT_REGS.R8, PT_REGS.R9];

/**
 * Arguments in registers are in the frame that ftrace has saved, others on the caller's
 * stack, above its return address.
 */
function emitTranslation(a: Assembler, slots: readonly ArgumentSlot[]): void {
  if (slots.some(({ place }) => place.in === 'stack')) a.load(RCX, RDI, PT_REGS.RSP);
  slots.forEach(({ place }, i) => {
    if (place.in === 'register') a.load(RAX, RDI, item(ARGUMENTS, place.index));
    else a.load(RAX, RCX, 8 + 8 * place.index);
    a.store(RBX, 8 * i, RAX);
  });
}

/** invoke_bpf_prog(): the program between what stands around it; if it runs here already, without it. */
function emitProgram(a: Assembler, program: BpfProgram, done: string): void {
  const struct = programStructAt(program.id);
  a.loadConstant(RDI, struct, true);
  a.mov(RSI, R12);
  a.call(enterHelper(program));
  a.mov(R13, RAX);
  a.test(RAX);
  a.jumpIfZeroShort(done);
  a.mov(RDI, RBX);
  a.call(programCode(program));
  a.label(done);
  a.loadConstant(RDI, struct, true);
  a.mov(RSI, R13);
  a.mov(RDX, R12);
  a.call(exitHelper(program));
}
