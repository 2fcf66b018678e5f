import type { Errno } from '../core/errno.ts';
import type { Relocation, Resolve } from '../x86/assemble.ts';
import { Assembler, OutOfRange } from '../x86/assemble.ts';
import { NOP5 } from '../x86/nop.ts';
import { R8, R9, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import type { Item, Plan, RegName, Role } from './plan.ts';
import { EPILOGUE, IMAGE } from './plan.ts';

/** A generated image: its bytes, what they stand for, and where a live image may be patched. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly relocations: readonly Relocation[];
  /** Where each item of the plan starts, in order of offset. */
  readonly marks: readonly Mark[];
  readonly patchPoints: readonly PatchPoint[];
}

export interface Mark {
  readonly offset: number;
  readonly role: Role;
  readonly index: number;
}

/** A five-byte nop that is replaced by a jump when what follows must not run any more. */
export interface PatchPoint {
  readonly offset: number;
  readonly target: number;
  /** The program that is skipped, or 0 when all fexit programs are. */
  readonly program: number;
}

/** The image, or the errno that the attach is refused with. */
export type Generated = { readonly image: Image } | { readonly refused: Errno };

/** `PAGE_SIZE`: the buffer that an image is generated into. */
const PAGE_BYTES = 4096;

/**
 * Writes a plan as machine code for an image at `base`. Too little room left in the page is EFAULT (the size
 * pass runs into its buffer's end), a call target out of reach EINVAL.
 */
export function generate(plan: Plan, base: Word, resolve: Resolve): Generated {
  const a = new Assembler(base, (symbol) => (symbol === IMAGE ? base : resolve(symbol)), 4 * PAGE_BYTES);
  const marks: Mark[] = [];
  const nops: Mark[] = [];
  const ends: Record<number, number> = {};
  try {
    for (const item of plan.items) {
      const mark = { offset: a.offset, role: item.role, index: item.index };
      marks.push(mark);
      if (item.op === 'nop5') nops.push(mark);
      lower(a, item, plan);
      if (item.role === 'exit program') ends[nops.length] = a.offset;
    }
    const assembled = a.finish();
    if (assembled.bytes.length > PAGE_BYTES - plan.request.profile.safetyBytes) return { refused: 'EFAULT' };
    const patchPoints = nops.map(({ offset, role, index }, i) =>
      role === 'after-call nop'
        ? { offset, target: assembled.labels[EPILOGUE]!, program: 0 }
        : { offset, target: ends[i + 1]!, program: index },
    );
    return { image: { bytes: assembled.bytes, relocations: assembled.relocations, marks, patchPoints } };
  } catch (error) {
    if (error instanceof OutOfRange) return { refused: 'EINVAL' };
    throw error;
  }
}

const REG: Readonly<Record<RegName, number>> = {
  rax: RAX,
  rbx: RBX,
  rcx: RCX,
  rdx: RDX,
  rsi: RSI,
  rdi: RDI,
  r8: R8,
  r9: R9,
  rbp: RBP,
  rsp: RSP,
};

/** The instructions of one item. */
function lower(a: Assembler, item: Item, { request }: Plan): void {
  const signExtended = request.profile.imm64 === 'sign-extended';
  switch (item.op) {
    case 'endbr':
      return a.endbr64();
    case 'account':
      return accountForCall(a);
    case 'open':
      a.push(RBP);
      return a.mov(RBP, RSP);
    case 'lower':
      return a.sub(RSP, item.bytes);
    case 'raise':
      return a.add(RSP, item.bytes);
    case 'push':
      return a.push(REG[item.reg]);
    case 'pop':
      return a.pop(REG[item.reg]);
    case 'move':
      return a.mov(REG[item.reg], REG[item.from]);
    case 'load':
      return a.load(REG[item.reg], { base: RBP, disp: item.at });
    case 'store':
      return a.store({ base: RBP, disp: item.at }, REG[item.reg]);
    case 'lea':
      return a.lea(REG[item.reg], { base: RBP, disp: item.at });
    case 'clear32':
      return a.storeImmediate({ base: RBP, disp: item.at }, 0, 4);
    case 'compareZero':
      return a.compareImmediate({ base: RBP, disp: item.at }, 0);
    case 'constant':
      return a.loadConstant(REG[item.reg], item.value, signExtended);
    case 'address':
      return a.loadAddress(REG[item.reg], item.symbol, signExtended);
    case 'call':
      return a.call(item.symbol);
    case 'callRegister':
      return a.callRegister(REG[item.reg]);
    case 'test':
      return a.test(REG[item.reg]);
    case 'jumpIfZero':
      return a.jumpIfZeroShort(item.label);
    case 'jumpIfNonzero':
      return a.jumpIfNonzeroNear(item.label);
    case 'jump':
      return a.jump(item.symbol);
    case 'label':
      return a.label(item.label);
    case 'align':
      return a.align(item.bytes, request.profile.longestNop);
    case 'nop5':
      return a.bytes(NOP5);
    case 'leave':
      return a.leave();
    case 'ret':
      a.ret();
      return a.int3();
  }
}

/** `sarq $5, %gs:counter(%rip)`: the accounting of retbleed=stuff (SKL_TMPL, arch/x86/kernel/callthunks.c). */
function accountForCall(a: Assembler): void {
  a.shiftRightGs(CALL_DEPTH, 5);
}

/** The per-CPU counter of call-depth tracking. */
export const CALL_DEPTH = 'call_depth';
