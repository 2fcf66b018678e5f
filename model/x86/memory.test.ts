import { describe, expect, it } from 'vitest';
import type { Region, RegionPlace, RegionSpec } from './memory.ts';
import {
  arenaNeed,
  clear,
  EXECUTE,
  makeRoom,
  mapRegion,
  offsetIn,
  READ,
  ROW_NUMBERS,
  readWord,
  WRITE,
  writeBytes,
  writeWord,
} from './memory.ts';
import { lowTags } from './origin.ts';
import { HEADER_NUMBERS } from './shared.ts';
import { fromHex } from './word.ts';

const SPEC: RegionSpec = {
  name: 'cells',
  base: fromHex('0xffffc90000200000'),
  size: 32,
  permission: READ | WRITE,
};

/** After a header, which every region has. */
function place(offset: number): RegionPlace {
  return { header: 0, offset: HEADER_NUMBERS + offset };
}

function mapped(spec: Partial<RegionSpec> = {}, offset = 4): Region {
  const whole = { ...SPEC, ...spec };
  return mapRegion(new Int32Array(HEADER_NUMBERS + offset + arenaNeed(whole) + 4), place(offset), whole, 0);
}

describe('a region', () => {
  it('starts as zeroes that were never written', () => {
    const region = mapped();
    expect([...region.bytes, ...region.tags]).toEqual(new Array(64).fill(0));
  });

  it.each([
    [1, 8],
    [8, 8],
    [9, 16],
    [4096, 4096],
  ])('of %i bytes has %i', (size, rounded) => {
    const region = mapped({ size });
    expect([region.size, region.bytes.length, region.tags.length]).toEqual([rounded, rounded, rounded]);
    expect(region.writableBytes).toBe(rounded);
  });

  it('its bytes and its words are the same storage', () => {
    const region = mapped();
    region.bytes.set([0x78, 0x56, 0x34, 0x12], 4);
    region.tags.set([1, 2, 3, 4], 8);
    expect(region.words[1]).toBe(0x12345678);
    expect(region.tagWords[2]).toBe(0x04030201);
  });

  it('lies in the arena where it says, its tags after its bytes', () => {
    const arena = new Int32Array(64);
    const region = mapRegion(arena, place(8), SPEC, 3);
    writeWord(region, 8, { hi: 2, lo: 1 }, 3, 4);
    expect([region.wordsAt, region.tagsAt, region.number]).toEqual([24, 32, 3]);
    const content = arena.slice(HEADER_NUMBERS);
    expect([...content].flatMap((value, i) => (value === 0 ? [] : [[i, value]]))).toEqual([
      [10, 1],
      [11, 2],
      [18, 3],
      [19, 4],
    ]);
  });

  it('needs room for rows only when it is executable', () => {
    const code = mapped({ permission: READ | EXECUTE });
    expect(arenaNeed(SPEC)).toBe(2 * (32 / 4));
    expect(arenaNeed({ ...SPEC, permission: EXECUTE })).toBe(2 * (32 / 4) + 32 * (ROW_NUMBERS + 2));
    expect([code.code.capacity, code.code.rowsAt, code.code.details.length]).toEqual([32, 20 + 16, 0]);
    expect(mapped().code.capacity).toBe(0);
    makeRoom(code.code, 0, 16);
    expect(code.code.details.length).toBe(64 * 16);
    makeRoom(code.code, 64, 16);
    expect(code.code.details.length).toBe(128 * 16);
  });

  it.each([
    ['0xffffc90000200004', 8, 'region cells is not 8-byte aligned'],
    ['0xffffc900fffffff0', 16, 'region cells crosses a 4 GiB boundary'],
    ['0xffffc900fffffff8', 1, 'region cells crosses a 4 GiB boundary'],
  ])('at %s of %i bytes is refused', (base, size, message) => {
    expect(() => mapped({ base: fromHex(base), size })).toThrow(message);
  });

  it('may start at any address where it cannot be written, as an image in a page of several', () => {
    const code = mapped({ base: fromHex('0xffffffffc00009e6'), size: 8, permission: READ | EXECUTE });
    expect(code.base).toEqual(fromHex('0xffffffffc00009e6'));
  });

  it('may end just below a boundary', () => {
    expect(mapped({ base: fromHex('0xffffc900fffffff0'), size: 8 }).size).toBe(8);
  });
});

describe('a loader', () => {
  it('writes constants', () => {
    const region = mapped();
    writeBytes(region, 30, [7, 8]);
    expect([...region.bytes.slice(29)]).toEqual([0, 7, 8]);
    expect([...region.tags.slice(29)]).toEqual([0, 1, 1]);
  });

  it('does not write past the end', () => {
    expect(() => writeBytes(mapped(), 31, [7, 8])).toThrow('cells is too small for 2 bytes');
  });

  it('clears a part, or everything', () => {
    const region = mapped();
    writeBytes(region, 0, new Uint8Array(32).fill(9));
    clear(region, 4, 6);
    expect([...region.bytes.slice(3, 7), ...region.tags.slice(3, 7)]).toEqual([9, 0, 0, 9, 1, 0, 0, 1]);
    clear(region, 30);
    expect([...region.bytes.slice(29)]).toEqual([9, 0, 0]);
    clear(region);
    expect(new Set([...region.bytes, ...region.tags])).toEqual(new Set([0]));
  });

  it('sets and reads aligned words, constant or of an origin', () => {
    const region = mapped();
    const word = fromHex('0x1122334455667788');
    writeWord(region, 8, word);
    expect(readWord(region, 8)).toEqual(word);
    expect([...region.bytes.slice(8, 16)]).toEqual([0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
    expect([...region.tags.slice(7, 17)]).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    writeWord(region, 8, word, lowTags(2), 0);
    expect([...region.tags.slice(8, 16)]).toEqual([16, 17, 18, 19, 0, 0, 0, 0]);
  });
});

describe('the offset of an address', () => {
  it.each([
    ['0xffffc90000200000', 0],
    ['0xffffc9000020001f', 31],
    ['0xffffc90000200020', 32],
    ['0xffffc900001fffff', 2 ** 32 - 1],
    ['0xffffc8ff00200000', 2 ** 32],
    ['0x200000', 2 ** 32],
  ])('of %s is %i', (address, offset) => {
    const { hi, lo } = fromHex(address);
    expect(offsetIn(mapped(), hi, lo)).toBe(offset);
  });
});
