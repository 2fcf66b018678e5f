import { Decoder, DecoderOptions, Instruction } from 'iced-x86';
import { expect, it } from 'vitest';
import { FAMILY, FIELD, FIELDS } from '../instruction.ts';
import { hexBytes } from '../listing.ts';
import { fromHex, plus, toBigInt } from '../word.ts';
import { decode } from './decode.ts';
import { icedReading, ourReading, PLACES, TAILS } from './readings.ts';

/** All the prefixes that we accept, alone and in the orders and pairs that compilers use. */
const PREFIXES = [
  [],
  [0x66],
  [0x40],
  [0x41],
  [0x48],
  [0x4f],
  [0x66, 0x48],
  [0xf3],
  [0xf2],
  [0xf3, 0x41],
  [0x65],
  [0x65, 0x2e],
];

/** Values of the reg field: all eight for a register and for a plain address, which reaches every group's members. */
function regsFor(modrm: number): readonly number[] {
  return modrm === 0xc0 || modrm === 0x01 ? [0, 1, 2, 3, 4, 5, 6, 7] : [1, 6];
}

const BASE = fromHex('0xffffffff81000000');
const STRIDE = 24;

/** Samples of one opcode, each at the start of its own `STRIDE` bytes, and where in each the opcode stands. */
interface Samples {
  readonly bytes: Uint8Array;
  readonly opcodeAt: readonly number[];
}

function samplesBehind(first: readonly number[]): Samples {
  const rows: number[][] = [];
  const opcodeAt: number[] = [];
  for (const prefix of PREFIXES)
    for (const [modrm = 0, ...sib] of PLACES)
      for (const reg of regsFor(modrm)) {
        opcodeAt.push(rows.length * STRIDE + prefix.length + first.length);
        rows.push([...prefix, ...first, 0, modrm | (reg << 3), ...sib, ...TAILS[reg & 1]!]);
      }
  const bytes = new Uint8Array(rows.length * STRIDE);
  rows.forEach((row, i) => {
    bytes.set(row, i * STRIDE);
  });
  return { bytes, opcodeAt };
}

interface Compared {
  readonly differences: Map<string, string>;
  readonly families: Set<number>;
  accepted: number;
}

/** Adds the samples of one opcode that we accept: one difference of each kind. */
function compareOpcode({ bytes, opcodeAt }: Samples, opcode: number, into: Compared): void {
  for (const offset of opcodeAt) bytes[offset] = opcode;
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  const instruction = new Instruction();
  const row = new Int32Array(FIELDS);
  for (let offset = 0; offset < bytes.length; offset += STRIDE) {
    const start = plus(BASE, offset);
    if (decode(bytes, offset, row, 0, start.hi, start.lo) === 0) continue;
    decoder.position = offset;
    decoder.ip = toBigInt(start);
    decoder.decodeOut(instruction);
    const [mine, theirs] = [ourReading(row), icedReading(instruction)];
    into.accepted++;
    into.families.add(row[FIELD.FAMILY]!);
    if (mine !== theirs) {
      const kind = `${opcode} ${mine.split(' ')[1]} ${theirs.split(' ')[1]}`;
      into.differences.set(kind, `${hexBytes(bytes.subarray(offset, offset + 15))}: ${mine}, iced ${theirs}`);
    }
  }
  instruction.free();
  decoder.free();
}

it('what we decode, iced decodes to the same length, mnemonic and operands', () => {
  const into: Compared = { differences: new Map(), families: new Set(), accepted: 0 };
  for (const first of [[], [0x0f]]) {
    const samples = samplesBehind(first);
    for (let opcode = 0; opcode < 256; opcode++) compareOpcode(samples, opcode, into);
  }
  expect([...into.differences.values()]).toEqual([]);
  expect([...into.families].sort((a, b) => a - b)).toEqual(Object.values(FAMILY).sort((a, b) => a - b));
  expect(into.accepted).toBeGreaterThan(70_000);
});
