import { expect, test } from 'vitest';
import { decode } from '../../model/x86/decode/decode.ts';
import { FIELDS } from '../../model/x86/instruction.ts';
import type { Encoding } from './encodings.ts';
import { ENCODINGS } from './encodings.ts';

const PADDED = new Uint8Array(24);
const DECODED = new Int32Array(FIELDS);

/** Length of the instruction that some bytes begin with, zeroes after them; 0 when the decoder refuses it. */
function lengthOf(bytes: readonly number[]): number {
  PADDED.fill(0);
  PADDED.set(bytes);
  return decode(PADDED, 0, DECODED, 0, 0, 0);
}

/** Whether a line of the table covers an opcode that is followed by `modrm`. */
function covers(encoding: Encoding, bytes: readonly number[], prefix: number | undefined): boolean {
  const { opcode, low, digit, operands, mandatory } = encoding;
  if (mandatory !== undefined && mandatory !== prefix) return false;
  const free = low === undefined ? 0 : low === 'register' ? 7 : 15;
  const same = opcode.every((byte, i) =>
    i === opcode.length - 1 ? (bytes[i]! & ~free) === byte : bytes[i] === byte,
  );
  const modrm = bytes[opcode.length] ?? 0;
  if (!same || (digit !== undefined && ((modrm >> 3) & 7) !== digit)) return false;
  return !operands.includes('M') || modrm < 0xc0;
}

const NOT_OPCODES = [0x0f, 0x2e, 0x3e, 0x65, 0x66, 0xf2, 0xf3];

/** Every opcode with every ModRM byte. */
function* opcodes(): Generator<number[]> {
  for (let opcode = 0; opcode < 0x200; opcode++) {
    const byte = opcode & 0xff;
    const isPrefix = opcode < 0x100 && (NOT_OPCODES.includes(byte) || (byte & 0xf0) === 0x40);
    if (isPrefix) continue;
    for (let modrm = 0; modrm < 0x100; modrm++) yield opcode < 0x100 ? [byte, modrm] : [0x0f, byte, modrm];
  }
}

test.each([
  ['no prefix', []],
  ['REX.W', [0x48]],
  ['every bit of REX', [0x4f]],
  ['66', [0x66]],
  ['f2', [0xf2]],
  ['f3', [0xf3]],
])('with %s, the table has a line for every opcode that the decoder accepts', (_, prefixes) => {
  const unknown = [...opcodes()].filter(
    (bytes) =>
      lengthOf([...prefixes, ...bytes]) > 0 &&
      !ENCODINGS.some((encoding) => covers(encoding, bytes, prefixes[0])),
  );
  expect(unknown.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual([]);
});

test('the decoder accepts every line of the table at every operand size', () => {
  const refused = ENCODINGS.flatMap(({ line, opcode, mandatory, digit, sizes, operands }) =>
    sizes.flatMap((size) => {
      const modrm = (operands.includes('M') ? 0 : 0xc0) | ((digit ?? 0) << 3);
      const prefixes = [...(size === 2 ? [0x66] : []), ...(mandatory === undefined ? [] : [mandatory])];
      const rex = size === 8 && sizes.length > 1 ? [0x48] : [];
      return lengthOf([...prefixes, ...rex, ...opcode, modrm]) > 0 ? [] : [`${line}, ${size} bytes`];
    }),
  );
  expect(refused).toEqual([]);
});
