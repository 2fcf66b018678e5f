import type { Errno } from '../core/errno.ts';
import { item } from '../core/present.ts';
import type { Profile } from '../core/profile.ts';
import { unreachable } from '../core/unreachable.ts';
import { HALF_BYTES, PAGE_BYTES } from '../text/space.ts';
import { SITE_BYTES } from '../text/text.ts';
import { Assembler } from '../x86/assemble.ts';
import type { Relocation, Resolve } from '../x86/assembled.ts';
import { OutOfRange } from '../x86/assembled.ts';
import { NOP5 } from '../x86/nop.ts';
import { RBP, RSP } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { fromHex } from '../x86/word.ts';
import type { Item } from './item.ts';
import type { ImagePlan } from './plan/planner.ts';
import { EPILOGUE, IMAGE, IMAGE_STRUCT } from './plan/symbols.ts';
import { isOfMember } from './program.ts';

/*
 * From the symbolic instructions of a plan to bytes at an address, as arch_prepare_bpf_trampoline() emits them.
 * Lengths depend on addresses and constants, which is why the kernel generates an image once for its size before
 * it allocates memory.
 */

/** A generated image: its bytes and their symbols. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly relocations: readonly Relocation[];
  /** Where each item of the plan starts. */
  readonly offsets: readonly number[];
}

/** The image, or the errno with which the attach is refused. */
export type Generated = { readonly image: Image } | { readonly refused: Errno };

/**
 * Writes a plan as machine code for an image at `base`. More argument words than an image can carry are ENOTSUPP,
 * an image that does not fit its page is EFAULT (the size pass hits its buffer's end), a call target out of reach
 * is EINVAL.
 */
export function generate(plan: ImagePlan, base: Word, resolve: Resolve): Generated {
  const { items, request } = plan;
  if (plan.slots.length > request.profile.trampolineSlotsMax) return { refused: 'ENOTSUPP' };
  const signExtended = request.profile.imm64 === 'sign-extended';
  const a = new Assembler(base, resolve);
  const offsets: number[] = [];
  try {
    for (const item of items) {
      offsets.push(a.offset);
      lower(a, item, signExtended, request.profile.longestNop);
    }
    const { bytes, relocations } = a.finish();
    if (bytes.length > room(request.profile) - request.profile.safetyBytes) return { refused: 'EFAULT' };
    return { image: { bytes, relocations, offsets } };
  } catch (error) {
    if (error instanceof OutOfRange) return { refused: 'EINVAL' };
    throw error;
  }
}

/** The buffer of an image: a page, or half of one. */
function room({ imageLifecycle }: Profile): number {
  return imageLifecycle === 'A' ? HALF_BYTES : PAGE_BYTES;
}

/** Addresses of the size pass: its buffer, and its `struct bpf_tramp_image` on the stack. */
const SIZE_PASS_IMAGE = fromHex('0xffffffffc7654000');
const SIZE_PASS_STRUCT = fromHex('0xffffc90000423d10');

/**
 * Bytes that the size pass counts (arch_bpf_trampoline_size()): the image is generated once for its length, at
 * another address and with another struct. Addresses of different lengths could make the real one longer; the
 * safety margin covers that. Undefined where every image gets a page.
 */
export function sizePass(plan: ImagePlan, resolve: Resolve): number | undefined {
  if (!plan.request.profile.sizePass) return undefined;
  const generated = generate(plan, SIZE_PASS_IMAGE, (symbol) => {
    if (symbol === IMAGE_STRUCT) return SIZE_PASS_STRUCT;
    return symbol === IMAGE ? SIZE_PASS_IMAGE : resolve(symbol);
  });
  return 'refused' in generated ? undefined : generated.image.bytes.length;
}

/** A five-byte nop that becomes a jump when the code after it must not run any more. */
export interface PatchPoint {
  readonly offset: number;
  readonly target: number;
  /** The program that is skipped, or 0 when all fexit programs are. */
  readonly program: number;
}

/**
 * Where a live image may be patched: `ip_after_call` → `ip_epilogue` (generation B), or the nop before each
 * program → the end of its block (`bpf_tramp_image_add_skip()`, generation C). In a plan that a planted bug has
 * changed the end may be missing: the jump then goes to the next instruction. The image of a struct_ops member, which
 * has no `struct bpf_tramp_image`, is never patched.
 */
export function patchPoints({ items, request }: ImagePlan, { offsets }: Image): PatchPoint[] {
  const points: PatchPoint[] = [];
  if (isOfMember(request.programs)) return points;
  items.forEach(({ op, role, index }, i) => {
    if (op !== 'nop5') return;
    const isEnd =
      role === 'after-call nop'
        ? isEpilogue
        : (item: Item) => item.role === 'exit program' && item.op === 'call';
    const end = items.findIndex((item, j) => j > i && isEnd(item));
    const offset = item(offsets, i);
    const target = offsets[role === 'after-call nop' ? end : end + 1] ?? offset + SITE_BYTES;
    points.push({ offset, target, program: index });
  });
  return points;
}

/** The label `ip_epilogue`: restore, leave, return. */
function isEpilogue({ op, symbol }: Item): boolean {
  return op === 'label' && symbol === EPILOGUE;
}

/** The instructions of one item. One switch on purpose: a line for each operation of a plan. */
function lower(a: Assembler, item: Item, signExtended: boolean, longestNop: number): void {
  switch (item.op) {
    case 'load':
      return a.load(item.reg, RBP, item.at);
    case 'store':
      return a.store(RBP, item.at, item.reg);
    case 'lea':
      return a.lea(item.reg, RBP, item.at);
    case 'call':
      return a.call(item.symbol);
    case 'address':
      return a.loadAddress(item.reg, item.symbol, signExtended);
    case 'constant':
      return a.loadConstant(item.reg, item.value, signExtended);
    case 'move':
      return a.mov(item.reg, item.from);
    case 'test':
      return a.test(item.reg);
    case 'ifZero':
      return a.jumpIfZeroShort(item.symbol);
    case 'label':
      return a.label(item.symbol);
    case 'nop5':
      return a.bytes(NOP5);
    case 'compareZero':
      return a.compareImmediate(RBP, item.at, 0);
    case 'ifNonzero':
      return a.jumpIfNonzeroNear(item.symbol);
    case 'open':
      a.push(RBP);
      return a.mov(RBP, RSP);
    case 'lower':
      return a.sub(RSP, item.at);
    case 'raise':
      return a.add(RSP, item.at);
    case 'subtract':
      return a.sub(item.reg, item.at);
    case 'push':
      return a.push(item.reg);
    case 'pop':
      return a.pop(item.reg);
    case 'leave':
      return a.leave();
    case 'ret':
      a.ret();
      return a.int3();
    case 'jump':
      return a.jump(item.symbol);
    case 'align':
      return a.align(item.at, longestNop);
    case 'clear32':
      return a.storeImmediate32(RBP, item.at, 0);
    case 'callRegister':
      return a.callRegister(item.reg);
    case 'account':
      return a.shiftRightGs(CALL_DEPTH, 5);
    case 'endbr':
      return a.endbr64();
    default:
      return unreachable(item.op);
  }
}

/** The per-CPU counter of call-depth tracking (SKL_TMPL, arch/x86/kernel/callthunks.c). */
export const CALL_DEPTH = 'call_depth';
