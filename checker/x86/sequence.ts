import { item, last } from '../../model/core/present.ts';
import type { Encoding } from './encodings.ts';
import { CODE, EXIT_CELL, PAGE_BYTES } from './layout.ts';

/** What a field refers to: the start of a step of the sequence, or a fixed address. */
export type Reference = { readonly step: number } | { readonly address: bigint };

/** A field of an instruction that depends on addresses. */
export interface Fixup {
  /** Where it starts, counted from the first byte after the legacy prefixes. */
  readonly at: number;
  readonly bytes: 1 | 4 | 8;
  readonly to: Reference;
  /** Counts from the end of the instruction. */
  readonly relative: boolean;
}

/** One instruction that was drawn. */
export interface Drawn {
  readonly encoding: Encoding;
  /** Operand size in bytes. */
  readonly size: number;
  /** Legacy prefixes. */
  readonly prefixes: readonly number[];
  /** From the REX prefix, if any, to the last byte. */
  readonly body: readonly number[];
  readonly fixup: Fixup | undefined;
  readonly condition: number | undefined;
  /** What a shift shifts by, undefined when that is in `%cl`; meaningless elsewhere. */
  readonly count: number | undefined;
  /** The step that the instruction belongs to. Steps ascend, and branches target steps. */
  readonly step: number;
}

/** Eight bytes of memory as they are before the sequence runs. */
export interface Patch {
  readonly address: bigint;
  readonly to: Reference;
}

/** A short program, and the CPU and memory that it starts from. */
export interface InstructionSequence {
  readonly instructions: readonly Drawn[];
  readonly registers: readonly bigint[];
  /** The six status flags in their EFLAGS positions. */
  readonly flags: number;
  readonly gsBase: bigint;
  readonly patches: readonly Patch[];
}

/** A sequence as both sides get it. */
export interface DrawnProgram {
  /** Ends with the jump through the exit cell. */
  readonly code: Uint8Array;
  /** Offset of each instruction, and of the jump at the end. */
  readonly offsets: readonly number[];
  readonly end: number;
  readonly patches: readonly { readonly address: bigint; readonly value: bigint }[];
}

/** `jmp *EXIT_CELL`, by a displacement without base register. */
const EXIT = [0xff, 0x24, 0x25, ...littleEndian(EXIT_CELL, 4)];

/**
 * Lays a sequence out. A step that has lost all its instructions is where the next one is, so that a sequence
 * with instructions taken out still makes sense.
 */
export function assemble({ instructions, patches }: InstructionSequence): DrawnProgram {
  const offsets = [0];
  for (const { prefixes, body } of instructions) offsets.push(last(offsets) + prefixes.length + body.length);
  const end = last(offsets);
  const addressOf = (to: Reference): bigint => {
    if ('address' in to) return to.address;
    const first = instructions.findIndex(({ step }) => step >= to.step);
    return CODE.base + BigInt(first < 0 ? end : item(offsets, first));
  };
  const code = new Uint8Array(end + EXIT.length);
  if (code.length > PAGE_BYTES) throw new Error(`a sequence of ${end} bytes is longer than a page`);
  instructions.forEach((drawn, i) => {
    code.set([...drawn.prefixes, ...drawn.body], item(offsets, i));
    if (drawn.fixup !== undefined)
      fix(code, drawn, item(offsets, i), item(offsets, i + 1), addressOf(drawn.fixup.to));
  });
  code.set(EXIT, end);
  return {
    code,
    offsets,
    end,
    patches: patches.map(({ address, to }) => ({ address, value: addressOf(to) })),
  };
}

function fix(code: Uint8Array, drawn: Drawn, start: number, end: number, address: bigint): void {
  const { at: offset, bytes, relative } = drawn.fixup!;
  const value = relative ? address - CODE.base - BigInt(end) : address;
  if (relative && BigInt.asIntN(bytes * 8, value) !== value)
    throw new Error(`a field of ${bytes} bytes does not reach: ${drawn.encoding.line}`);
  code.set(littleEndian(value, bytes), start + drawn.prefixes.length + offset);
}

/** The low bytes of a number, lowest first. */
export function littleEndian(value: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
}
