import { Decoder, DecoderOptions, Instruction } from 'iced-x86';
import { expect, it } from 'vitest';
import { hexBytes } from '../listing.ts';
import { bytesOf } from '../rig.ts';
import { invalidBytes } from './invalid.ts';

const PREFIXES = [[], [0x66], [0xf2], [0xf3], [0x40], [0x4f], [0x66, 0x48], [0x65, 0x2e]];
const TAIL = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x08, 0x99, 0, 0, 0];

/** Every opcode of one byte and of two, with every ModRM byte. */
function* opcodes(): Generator<number[]> {
  for (const first of [[], [0x0f]])
    for (let opcode = 0; opcode < 256; opcode++)
      for (let modrm = 0; modrm < 256; modrm++) yield [...first, opcode, modrm];
}

it('what is surely invalid is invalid to iced, and has the same length', () => {
  const instruction = new Instruction();
  const differences: string[] = [];
  let sure = 0;
  for (const prefixes of PREFIXES)
    for (const opcode of opcodes()) {
      const bytes = Uint8Array.from([...prefixes, ...opcode, ...TAIL]);
      const length = invalidBytes(bytes, 0);
      if (length === 0) continue;
      sure++;
      const decoder = new Decoder(64, bytes, DecoderOptions.None);
      decoder.decodeOut(instruction);
      const theirs = instruction.isInvalid ? instruction.length : 0;
      if (theirs !== length) differences.push(`${hexBytes(bytes)}: ${length}, iced ${theirs}`);
      decoder.free();
    }
  instruction.free();
  expect(differences).toEqual([]);
  expect(sure).toBeGreaterThan(50_000);
});

it.each([
  ['06', 1],
  ['0690', 2],
  ['0f04', 2],
  ['ddff90', 2],
  ['8dc0', 2],
  ['e8112233', 4],
  ['666666', 3],
  ['0faef0', 0],
  ['0ff7ff', 0],
  ['0f0b', 0],
  ['cc', 0],
])('%s: %i', (hex, length) => {
  expect(invalidBytes(bytesOf(hex), 0)).toBe(length);
});
