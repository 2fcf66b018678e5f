import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bytesOf } from '../rig.ts';
import { fromHex } from '../word.ts';
import { compareReadings } from './compare-readings.ts';

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

it('every instruction of every recorded image is read as iced reads it', () => {
  const images = recordedImages();
  const compared = images.map(({ image_addr, image_hex }) =>
    compareReadings(bytesOf(image_hex), fromHex(image_addr)),
  );
  expect(compared.filter((result) => typeof result === 'string')).toEqual([]);
  expect(images.length).toBeGreaterThan(500);
  expect(compared.reduce<number>((sum, count) => sum + Number(count), 0)).toBeGreaterThan(20_000);
});
