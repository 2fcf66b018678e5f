import { expect, test } from 'vitest';
import { bytesOfHex, hexText } from './hex-text.ts';

test('every byte is two digits, there and back', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(hexText(bytes)).toBe(Buffer.from(bytes).toString('hex'));
  expect(bytesOfHex(hexText(bytes))).toEqual(bytes);
  expect(bytesOfHex('')).toEqual(new Uint8Array(0));
});
