import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Decoder, DecoderOptions, Instruction } from 'iced-x86';
import { expect, it } from 'vitest';
import { FIELDS } from '../instruction.ts';
import { bytesOf } from '../rig.ts';
import { fromHex, plus, toBigInt } from '../word.ts';
import { decode } from './decode.ts';
import { icedReading, ourReading } from './readings.ts';

const RECORDINGS = new URL('../../../conformance/recordings/trampolines.jsonl.gz', import.meta.url);

interface Image {
  readonly image_addr: string;
  readonly image_hex: string;
}

/** Every image once: many recordings differ in the program's name only. */
function recordedImages(): Image[] {
  const lines = gunzipSync(readFileSync(RECORDINGS)).toString('utf8').trimEnd().split('\n');
  const images = new Map<string, Image>();
  for (const line of lines) {
    const { image_addr, image_hex } = JSON.parse(line) as Partial<Image>;
    if (image_addr !== undefined && image_hex !== undefined)
      images.set(`${image_addr} ${image_hex}`, { image_addr, image_hex });
  }
  return [...images.values()];
}

/** Where the two readings of an image first differ, or the number of instructions. */
function compareImage({ image_addr, image_hex }: Image): number | string {
  const bytes = bytesOf(image_hex);
  const base = fromHex(image_addr);
  const row = new Int32Array(FIELDS);
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  decoder.ip = toBigInt(base);
  const instruction = new Instruction();
  let count = 0;
  let difference: string | undefined;
  for (let at = 0; at < bytes.length && difference === undefined; count++) {
    decoder.decodeOut(instruction);
    const start = plus(base, at);
    const length = decode(bytes, at, row, 0, start.hi, start.lo);
    const [mine, theirs] = [length === 0 ? 'refused' : ourReading(row), icedReading(instruction)];
    if (mine !== theirs) difference = `+0x${at.toString(16)} of ${image_hex}: ${mine}, iced ${theirs}`;
    at += length;
  }
  instruction.free();
  decoder.free();
  return difference ?? count;
}

it('every instruction of every recorded image is read as iced reads it', () => {
  const images = recordedImages();
  const compared = images.map(compareImage);
  expect(compared.filter((result) => typeof result === 'string')).toEqual([]);
  expect(images.length).toBeGreaterThan(500);
  expect(compared.reduce<number>((sum, count) => sum + Number(count), 0)).toBeGreaterThan(20_000);
});
