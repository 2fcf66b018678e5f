import { item } from './cell.ts';

/**
 * The recommended multi-byte nops (Intel SDM vol. 2, NOP), by length in bytes. From nine bytes on the
 * eight-byte form carries segment and operand-size prefixes.
 */
const NOPS: readonly (readonly number[])[] = [
  [],
  [0x90],
  [0x66, 0x90],
  [0x0f, 0x1f, 0x00],
  [0x0f, 0x1f, 0x40, 0x00],
  [0x0f, 0x1f, 0x44, 0x00, 0x00],
  [0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
  [0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
  [0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];

/** One nop of 1–11 bytes. */
export function nopBytes(length: number): readonly number[] {
  if (length <= 8) return item(NOPS, length);
  const prefixes = [[0x2e], [0x66, 0x2e], [0x66, 0x66, 0x2e]][length - 9];
  if (prefixes === undefined) throw new Error(`there is no nop of ${length} bytes`);
  return [...prefixes, ...item(NOPS, 8)];
}

/** The five-byte nop that call sites and patch points are made of. */
export const NOP5 = item(NOPS, 5);
