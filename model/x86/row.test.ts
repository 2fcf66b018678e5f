import { describe, expect, it } from 'vitest';
import { ROW_NUMBERS } from './memory.ts';
import { lengthOfPlace, OP, offsetOfPlace, placeOfRow, ROW, regionOfPlace } from './row.ts';

describe('the place of a row', () => {
  it.each([
    [0, 0, 1],
    [0, 0xfffff, 15],
    [1, 0, 15],
    [127, 0x12345, 8],
    [128, 0x80000, 1],
    [255, 0xfffff, 15],
  ])('region %i, offset %i, length %i is kept', (region, offset, length) => {
    const place = placeOfRow(region, offset, length);
    expect([regionOfPlace(place), offsetOfPlace(place), lengthOfPlace(place)]).toEqual([
      region,
      offset,
      length,
    ]);
    expect(place | 0).toBe(place);
  });
});

it('a row has a number for each field', () => {
  expect(Object.values(ROW)).toEqual(Array.from({ length: ROW_NUMBERS }, (_, i) => i));
});

it('the short forms are numbered without gaps', () => {
  expect(Object.values(OP)).toEqual(Object.values(OP).map((_, i) => i));
});
