import { Decoder, DecoderOptions, Instruction } from 'iced-x86';
import { FIELDS } from '../instruction.ts';
import type { Word } from '../word.ts';
import { plus, toBigInt, toHex } from '../word.ts';
import { decode } from './decode.ts';
import { icedReading, ourReading } from './readings.ts';

/**
 * Reads code from its first byte to its last with our decoder and with iced: the number of instructions that
 * both read alike, or a sentence that names the first difference. A difference stops the sweep: after it the
 * two may no longer be at the same instruction.
 */
export function compareReadings(bytes: Uint8Array, base: Word): number | string {
  const row = new Int32Array(FIELDS);
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  decoder.ip = toBigInt(base);
  const instruction = new Instruction();
  let count = 0;
  let difference: string | undefined;
  for (let offset = 0; offset < bytes.length && difference === undefined; count++) {
    decoder.decodeOut(instruction);
    const start = plus(base, offset);
    const length = decode(bytes, offset, row, 0, start.hi, start.lo);
    const [mine, theirs] = [length === 0 ? 'refused' : ourReading(row), icedReading(instruction)];
    if (mine !== theirs) difference = `${toHex(start)}: ${mine}, iced ${theirs}`;
    offset += length;
  }
  instruction.free();
  decoder.free();
  return difference ?? count;
}
