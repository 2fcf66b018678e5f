import { item } from '../../../model/core/present.ts';
import type { Random } from './draw.ts';

/*
 * Short programs about flags: what sets them, some of it in part, and what reads them. Of drawn sequences few branch on
 * what is not constant.
 */

/** Not `rsp`, which the pushes below need, and not `rcx`, which counts. */
const REGISTERS = [0, 2, 3, 5, 6, 7];

type Emit = (random: Random, x: number, y: number) => readonly number[];

const rr = (x: number, y: number): number => 0xc0 | (y << 3) | x;

const SETTERS: readonly Emit[] = [
  (_, x) => [0x48, 0x85, rr(x, x)],
  (_, x) => [0x48, 0x85, rr(x, x)],
  (_, x) => [0x48, 0x83, 0xf8 | x, 0],
  (_, x) => [0x48, 0x81, 0xf8 | x, 0, 0, 0, 0],
  (_, x) => [0x48, 0x83, 0xf8 | x, 1],
  (_, x) => [0x83, 0xf8 | x, 0],
  (_, x) => [0x85, rr(x, x)],
  (_, x, y) => [0x48, 0x85, rr(x, y)],
  (_, x, y) => [0x48, 0x39, rr(x, y)],
  (_, x, y) => [0x48, 0x01, rr(x, y)],
  (_, x, y) => [0x48, 0x21, rr(x, y)],
  (_, x) => [0x48, 0x31, rr(x, x)],
  (_, x) => [0x48, 0x29, rr(x, x)],
  (_, x) => [0x48, 0x19, rr(x, x)],
  (_, x, y) => [0x48, 0x11, rr(x, y)],
  (_, x, y) => [0x48, 0x19, rr(x, y)],
  (_, x) => [0x48, 0xff, 0xc0 | x],
  (_, x) => [0x48, 0xff, 0xc8 | x],
  (_, x) => [0x48, 0xf7, 0xd8 | x],
  (_, x) => [0x48, 0xd1, 0xe0 | x],
  (_, x) => [0x48, 0xd1, 0xc0 | x],
  (_, x) => [0x48, 0xd1, 0xc8 | x],
  (random, x) => [0x48, 0xc1, 0xe8 | x, random(3)],
  (random, x) => [0x48, 0xc1, 0xc0 | x, random(3)],
  (_, x) => [0x48, 0xd3, 0xe8 | x],
  (_, x, y) => [0x48, 0x0f, 0xaf, rr(x, y)],
  (_, x) => [0x50 | x, 0x9d],
];

const READERS: readonly Emit[] = [
  (random) => [0x70 | random(16), 2, 0x90, 0x90],
  (random) => [0x70 | item([2, 3, 4, 5, 4, 5, 6, 7], random(8)), 2, 0x90, 0x90],
  (random) => [0x0f, 0x80 | item([2, 3, 4, 5, 6, 7], random(6)), 1, 0, 0, 0, 0x90],
  (random, x) => [0x0f, 0x90 | random(16), 0xc0 | (x & 3)],
  (random, x, y) => [0x48, 0x0f, 0x40 | random(16), rr(y, x)],
  (random, x, y) => [0x0f, 0x40 | random(16), rr(y, x)],
  (_, x) => [0x9c, 0x58 | x],
  (_, x, y) => [0x48, 0x11, rr(x, y)],
  (_, x) => [0xff, 0xe0 | x],
  (_, x) => [0xff, 0xd0 | x],
  (_, x) => [0x50 | x, 0xc3],
];

export function drawFlagUse(random: Random): Uint8Array {
  const bytes: number[] = [];
  const add = (from: readonly Emit[]): void => {
    const [x, y] = [item(REGISTERS, random(REGISTERS.length)), item(REGISTERS, random(REGISTERS.length))];
    bytes.push(...item(from, random(from.length))(random, x, y));
  };
  for (let rounds = 1 + random(3); rounds > 0; rounds--) {
    for (let setters = 1 + random(2); setters > 0; setters--) add(SETTERS);
    for (let readers = 1 + random(2); readers > 0; readers--) add(READERS);
  }
  return Uint8Array.from(bytes);
}
