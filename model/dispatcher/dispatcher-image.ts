import { item } from '../core/present.ts';
import { nopBytes } from '../x86/nop.ts';
import type { Word } from '../x86/word.ts';
import { compare, displacement, plus } from '../x86/word.ts';

/*
 * The image of a dispatcher, arch_prepare_bpf_dispatcher() and emit_bpf_dispatcher() in arch/x86/net/bpf_jit_comp.c: a
 * binary search for the address in `rdx` among those of the programs, which are sorted by it as signed numbers.
 *
 * ```text
 *   inner   cmp $middle, %rdx            leaf   cmp $program, %rdx
 *           jg  upper                           je  program
 *           lower half                          jmp *%rdx, as retpolines have it
 *           nops, up to a multiple of 16
 *   upper:  upper half
 * ```
 */

/** How code jumps to the address in `rdx`: through a thunk of this address, or by itself. */
export type IndirectJump = { readonly thunk: Word } | 'jmp';

interface Emitting {
  readonly bytes: number[];
  readonly base: Word;
  readonly programs: readonly Word[];
  readonly indirect: IndirectJump;
  readonly longestNop: number;
}

/** The form of an image, beside its programs. */
export interface DispatcherForm {
  /** Address of the first byte. */
  readonly base: Word;
  readonly indirect: IndirectJump;
  readonly longestNop: number;
}

/** The code for programs at these addresses; there is at least one. */
export function dispatcherImage(addresses: readonly Word[], form: DispatcherForm): Uint8Array {
  return searchImage([...addresses].sort(compareSigned), form);
}

/** The same for addresses in the order of the search. */
export function searchImage(programs: readonly Word[], form: DispatcherForm): Uint8Array {
  const emitting = { ...form, bytes: [], programs };
  emitSearch(emitting, 0, programs.length - 1);
  return Uint8Array.from(emitting.bytes);
}

/** cmp_ips(): addresses of kernel code are negative. */
function compareSigned(a: Word, b: Word): number {
  return (a.hi | 0) - (b.hi | 0) || compare({ hi: 0, lo: a.lo }, { hi: 0, lo: b.lo });
}

/** The programs from `a` to `b`. */
function emitSearch(e: Emitting, a: number, b: number): void {
  const half = Math.floor((b - a) / 2);
  const program = item(e.programs, a + half);
  // cmp $imm32, %rdx: the address as four bytes, sign-extended.
  e.bytes.push(0x48, 0x81, 0xfa, ...fourBytes(program.lo));
  if (a === b) {
    e.bytes.push(0x0f, 0x84, ...relative(e, program, 6));
    return emitIndirectJump(e);
  }
  const isNear = half > 2;
  e.bytes.push(...(isNear ? [0x0f, 0x8f, 0, 0, 0, 0] : [0x7f, 0]));
  const behind = e.bytes.length;
  emitSearch(e, a, a + half);
  const boundary = (16 - (e.bytes.length % 16)) % 16;
  for (let left = boundary; left > 0; left -= e.longestNop)
    e.bytes.push(...nopBytes(Math.min(left, e.longestNop)));
  const by = e.bytes.length - behind;
  if (isNear) e.bytes.splice(behind - 4, 4, ...fourBytes(by));
  else e.bytes[behind - 1] = by;
  emitSearch(e, a + half + 1, b);
}

/** emit_indirect_jump(): an int3 follows a jump that retpolines do not replace. */
function emitIndirectJump(e: Emitting): void {
  if (e.indirect === 'jmp') e.bytes.push(0xff, 0xe2, 0xcc);
  else e.bytes.push(0xe9, ...relative(e, e.indirect.thunk, 5));
}

/** The displacement of a branch with this length in bytes that begins where the buffer ends. */
function relative({ bytes, base }: Emitting, to: Word, length: number): number[] {
  const by = displacement(to, plus(base, bytes.length + length));
  if (by === undefined) throw new Error('a branch of a dispatcher does not reach its program');
  return fourBytes(by);
}

function fourBytes(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
}
