import type { Word } from '../../x86/word.ts';
import { fromHex, plus } from '../../x86/word.ts';

/**
 * The addresses of the stage on which an image runs: kernel-like, so that immediates and displacements get the
 * lengths that they have in a kernel. Recorded images bring their own addresses for text and keep the rest.
 */
export interface StageLayout {
  /** Our stubs: helpers, programs, bodies, the caller. */
  readonly text: Word;
  /** The traced function: its call site, and a jump to its body. */
  readonly traced: Word;
  readonly image: Word;
}

export const LAYOUT: StageLayout = {
  text: fromHex('0xffffffff81000000'),
  traced: fromHex('0xffffffff82000000'),
  image: fromHex('0xffffffffc0000000'),
};

/** Bytes that are mapped for an image: a page. */
export const IMAGE_BYTES = 4096;

/** Bottom of the kernel stack of the calling task, and its size in bytes: enough for the largest image. */
export const STACK = fromHex('0xffffc90000100000');
export const STACK_BYTES = 2048;

/** The caller's frame is directly above: its stack arguments first. Read-only for all other code. */
export const CALLER_FRAME = plus(STACK, STACK_BYTES);
export const CALLER_FRAME_BYTES = 256;

/** Cells that the stubs share, program structures, and the log. */
export const DATA = fromHex('0xffffc90000200000');
export const DATA_BYTES = 32768;

/** Base of the `%gs` segment; the call-depth counter is the only per-CPU variable. */
export const GS_BASE = fromHex('0xffff88807dc00000');
export const PER_CPU_OFFSET = 0x1f400;
export const CALL_DEPTH_ADDRESS = plus(GS_BASE, PER_CPU_OFFSET);

/** `struct bpf_tramp_image`; its content is never read. */
export const IMAGE_STRUCT_ADDRESS = fromHex('0xffff888012340000');

/** Offsets in the data region, in bytes. */
export const CELL = {
  /** Where the next event is written. */
  LOG_NEXT: 0x00,
  /** `current->bpf_ctx`. */
  TASK_CONTEXT: 0x08,
  /** What the original returns in rax and rdx. */
  RETURN: 0x10,
  RETURN_HIGH: 0x18,
  /** What a callee leaves in the caller-saved registers, by hardware number. */
  CLOBBER: 0x40,
  /** What the programs return, by program number. */
  PROGRAM_RETURN: 0x100,
  /** What the sessions leave in their cookies, by program number; zero for those that do not look. */
  SESSION: 0x250,
  /** `struct bpf_prog` of each program: 16 bytes, the first word is what enter answers. */
  PROGRAM_STRUCT: 0x400,
  LOG: 0x1000,
} as const;

/** Programs that the stage has stubs for. */
export const PROGRAMS_MAX = 40;

export function programStructAddress(id: number): Word {
  return plus(DATA, CELL.PROGRAM_STRUCT + 16 * id);
}
