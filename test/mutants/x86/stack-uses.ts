import { item } from '../../../model/core/present.ts';
import type { Random } from './draw.ts';
import type { Program } from './program.ts';
import { PAGE } from './program.ts';

/*
 * Short programs about memory at its edges: the first and last word of a page, the end of what may be written, and what
 * is around the stack pointer, which drawn sequences seldom meet.
 */

const RSP = 4;
const RBP = 5;
/** Pointers into memory, and registers that are loaded and stored. */
const POINTERS = [3, 4, 5, 7];
const VALUES = [0, 1, 2, 6];

type Emit = (random: Random, value: number, pointer: number) => readonly number[];

const NEAR = [0, 0, 0, 8, -8, 16, -16, 1, 4, -4];
const byte = (value: number): number => value & 0xff;

/** ModRM, the SIB byte of `rsp`, and a displacement of one byte. */
function place(random: Random, reg: number, pointer: number): number[] {
  const disp = byte(item(NEAR, random(NEAR.length)));
  return [0x40 | (reg << 3) | pointer, ...(pointer === RSP ? [0x24] : []), disp];
}

const INSTRUCTIONS: readonly Emit[] = [
  (random, x, p) => [0x48, 0x8b, ...place(random, x, p)],
  (random, x, p) => [0x48, 0x8b, ...place(random, x, p)],
  (random, x, p) => [0x48, 0x89, ...place(random, x, p)],
  (random, x, p) => [0x48, 0x89, ...place(random, x, p)],
  (random, _, p) => [0x48, 0xc7, ...place(random, 0, p), random(256), 0, 0, random(256)],
  (random, x, p) => [0x8b, ...place(random, x, p)],
  (random, x, p) => [0x48, 0x01, ...place(random, x, p)],
  (random, x, p) => [0x48, 0x8d, ...place(random, x, p)],
  (_, x) => [0x50 | x],
  (_, x) => [0x58 | x],
  () => [0x50 | RSP],
  () => [0x58 | RSP],
  () => [0xc9],
  () => [0x9c],
  () => [0x6a, 0x80],
  (random) => [0x48, 0x83, 0xc4, byte(item(NEAR, random(NEAR.length)))],
  (random) => [0x48, 0x83, 0xec, byte(item(NEAR, random(NEAR.length)))],
  (random) => [0x48, 0x81, 0xec, byte(8 * random(4)), 0, 0, 0],
  (_, x) => [0x48, 0x85, 0xc0 | (x << 3) | x],
  () => [0xe8, 1, 0, 0, 0, 0x90],
  () => [0xe8, 0, 0, 0, 0],
  (_, x) => [0xe8, 2, 0, 0, 0, 0xeb, 0x02, 0x50 | x, 0xc3],
  () => [0xe8, 2, 0, 0, 0, 0xeb, 0x01, 0xc3],
  () => [0xff, 0x34, 0x24],
  () => [0x8f, 0x04, 0x24],
  (_, x) => [0x48, 0x89, 0xc0 | (RSP << 3) | x],
  () => [0x48, 0x89, 0xe5],
  () => [0x48, 0x31, 0xc0],
  () => [0x48, 0x85, 0xc0, 0x74, 0x01, 0x90],
];

/** The code, and registers that point to edges. */
export function drawStackUse(
  random: Random,
  { pages, registers }: Program,
): { readonly body: Uint8Array; readonly registers: readonly bigint[] } {
  const bytes: number[] = [];
  for (let count = 2 + random(7); count > 0; count--) {
    const [value, pointer] = [item(VALUES, random(VALUES.length)), item(POINTERS, random(POINTERS.length))];
    bytes.push(...item(INSTRUCTIONS, random(INSTRUCTIONS.length))(random, value, pointer));
  }
  const stack = item(pages, 2).base;
  const rsp =
    stack +
    BigInt(
      item([PAGE / 2, PAGE / 2, PAGE / 2, 0, 8, 16, PAGE - 8, PAGE - 16, 0xf00, 0xf08, 0xef8], random(11)),
    );
  const edge = (): bigint => {
    const { base, writable } = item(pages, 1 + random(3));
    const near = [
      rsp,
      rsp,
      rsp - 8n,
      base,
      base + BigInt(PAGE) - 8n,
      base + BigInt(writable) - 8n,
      base + 0x100n,
      base + 0x104n,
    ];
    return BigInt.asUintN(64, item(near, random(near.length)));
  };
  const own = registers.map((value, i) => (i === RSP ? rsp : POINTERS.includes(i) ? edge() : value));
  return { body: Uint8Array.from(bytes), registers: random(3) === 0 ? own.with(RBP, rsp) : own };
}
