import type { Random } from './draw.ts';

/**
 * A loop that changes its own first instruction, `mov $imm,%eax`, from the second turn on: a decoded row is forgotten with
 * the bytes that it was made of.
 */
export function drawSelfModifying(random: Random): Uint8Array {
  const start = 5;
  const head = [
    0xb9,
    2 + random(3),
    0,
    0,
    0,
    0xb8,
    random(256),
    random(256),
    random(256),
    random(256),
    0x48,
    0x01,
    0xc2,
  ];
  const before = random(2) === 0 ? [] : [0x90];
  const value = random(256);
  const stores: readonly (readonly number[])[] = [
    [0xc6, 0x05, 0, 0, 0, 0, value],
    [0xc7, 0x05, 0, 0, 0, 0, value, random(256), random(256), random(256)],
    [0x66, 0xc7, 0x05, 0, 0, 0, 0, value, random(256)],
    [0x88, 0x05, 0, 0, 0, 0],
    [0x89, 0x05, 0, 0, 0, 0],
    [0x80, 0x05, 0, 0, 0, 0, value],
    [0xfe, 0x05, 0, 0, 0, 0],
    [0xf6, 0x1d, 0, 0, 0, 0],
    [0x86, 0x05, 0, 0, 0, 0],
    [0x0f, 0x94, 0x05, 0, 0, 0, 0],
  ];
  const store = [...(stores[random(stores.length)] ?? [])];
  const end = head.length + before.length + store.length;
  const field = store.indexOf(0, store[0] === 0x66 ? 3 : store[0] === 0x0f ? 3 : 2);
  const target = start + 1;
  const distance = target - end;
  for (let i = 0; i < 4; i++) store[field + i] = (distance >> (8 * i)) & 0xff;
  const back = start - (end + 4);
  return Uint8Array.from([...head, ...before, ...store, 0xff, 0xc9, 0x75, back & 0xff]);
}
