import { Decoder, DecoderOptions, Instruction } from 'iced-x86';
import { item } from '../../../model/core/present.ts';
import { decode } from '../../../model/x86/decode/decode.ts';
import { icedReading, ourReading, PLACES, TAILS } from '../../../model/x86/decode/readings.ts';
import { FIELDS } from '../../../model/x86/instruction.ts';
import { fromBigInt } from '../../../model/x86/word.ts';
import { read } from './read.ts';
import { FORMS, isAtOnce, shortFormDifference, shortFormOf } from './short-forms.ts';

/*
 * Every opcode, after prefixes and before operands: what the emulator's decoder accepts are the lines of the opcode
 * map, and it reads them as iced-x86 does.
 */

/** An opcode. */
export interface Opcode {
  /** None, or 0x0f. */
  readonly first: readonly number[];
  readonly opcode: number;
  readonly base: bigint;
  /** Bytes of each sample that the opcode map says are an instruction; 0: none of its lines. */
  readonly lengths: Uint8Array;
  /** And in which short form each runs, by its number. */
  readonly forms: Uint8Array;
}

const STRIDE = 24;
/** Alone, together, and where a REX prefix is not the last. */
const PREFIXES = [
  [],
  [0x66],
  [0x40],
  [0x41],
  [0x44],
  [0x48],
  [0x4f],
  [0x66, 0x48],
  [0xf3],
  [0xf2],
  [0xf3, 0x41],
  [0x65],
  [0x65, 0x2e],
  [0x3e],
  [0x64],
  [0x67],
  [0xf0],
  [0x48, 0x66],
];

/** And the byte of a fence, and a displacement of four bytes without a SIB byte. */
const ALL_PLACES = [...PLACES, [0xe8], [0x80]];

/** Where a sum of low halves carries, and where it does not. */
const BASES = [0xffff_ffff_8100_0000n, 0x1_0000_0000n, 0x7fff_ff00n];

/** All 512 of one and of two bytes, or those whose last byte is wanted. */
export function allOpcodes(isWanted: (opcode: number) => boolean = () => true): Opcode[] {
  const bytes = Array.from({ length: 256 }, (_, opcode) => opcode).filter(isWanted);
  return [[], [0x0f]].flatMap((first) =>
    bytes.map((opcode) => opcodeOf(first, opcode, item(BASES, opcode % BASES.length))),
  );
}

function opcodeOf(first: readonly number[], opcode: number, base: bigint): Opcode {
  const samples = samplesOf(first, opcode);
  const all = Array.from({ length: samples.length / STRIDE }, (_, i) =>
    read(samples.subarray(i * STRIDE, (i + 1) * STRIDE), 0, base + BigInt(i * STRIDE)),
  );
  return {
    first,
    opcode,
    base,
    lengths: Uint8Array.from(all, (instruction) => instruction?.length ?? 0),
    forms: Uint8Array.from(all, (instruction) =>
      instruction === undefined ? 0 : FORMS.indexOf(shortFormOf(instruction)),
    ),
  };
}

/** Each at the start of its own STRIDE. */
function samplesOf(first: readonly number[], opcode: number): Uint8Array {
  const rows = PREFIXES.flatMap((prefixes) =>
    ALL_PLACES.flatMap(([modrm = 0, ...sib]) =>
      Array.from({ length: 8 }, (_, reg) => [
        ...prefixes,
        ...first,
        opcode,
        modrm ^ (reg << 3),
        ...sib,
        ...item(TAILS, reg & 1),
      ]),
    ),
  );
  const samples = new Uint8Array(rows.length * STRIDE);
  rows.forEach((row, i) => {
    samples.set(row, i * STRIDE);
  });
  return samples;
}

/** The first sample that the decoder reads otherwise than the opcode map, or than iced. */
export function opcodeDifference({ first, opcode, base, lengths, forms }: Opcode): string | undefined {
  const samples = samplesOf(first, opcode);
  const decoder = new Decoder(64, samples, DecoderOptions.None);
  const instruction = new Instruction();
  const row = new Int32Array(FIELDS);
  const freed = (text: string | undefined): string | undefined => {
    instruction.free();
    decoder.free();
    return text;
  };
  for (const [i, expected] of lengths.entries()) {
    let found: string | undefined;
    const offset = i * STRIDE;
    const start = fromBigInt(base + BigInt(offset));
    const length = decode(samples, offset, row, 0, start.hi, start.lo);
    const bytes = (): string => Buffer.from(samples.subarray(offset, offset + 15)).toString('hex');
    if (length !== expected) found = `${length} bytes, not ${expected}`;
    else if (length > 0) {
      decoder.position = offset;
      decoder.ip = base + BigInt(offset);
      decoder.decodeOut(instruction);
      const [mine, theirs] = [ourReading(row), icedReading(instruction)];
      if (mine !== theirs) found = `${mine}, iced ${theirs}`;
    }
    found ??= shortFormDifference({
      bytes: samples,
      offset,
      ...start,
      length: expected,
      form: item(FORMS, forms[i] ?? 0),
      atOnce: isAtOnce(samples, offset),
    });
    if (found !== undefined) return freed(`${bytes()}: ${found}`);
  }
  return freed(undefined);
}
