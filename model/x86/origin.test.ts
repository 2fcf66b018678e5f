import { describe, expect, it } from 'vitest';
import {
  CONSTANT,
  CONSTANT4,
  firstVariable,
  GROUP_MAX,
  highTags,
  lowTags,
  MIXED,
  MIXED4,
  tagAt,
  tagOf,
  UNDEFINED,
  wholeGroup,
} from './origin.ts';

describe('the tags of a whole value', () => {
  it.each([1, 2, 13, 16, GROUP_MAX])('of group %i number its bytes', (group) => {
    const bytes = [lowTags(group), highTags(group)].flatMap((four) =>
      [0, 1, 2, 3].map((k) => tagAt(four, k)),
    );
    expect(bytes).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((byte) => tagOf(group, byte)));
    expect(bytes.map((tag) => [tag >> 3, tag & 7])).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((k) => [group, k]));
  });

  it('are the same int32 that a load from memory gives', () => {
    expect(lowTags(GROUP_MAX)).toBe(0xfbfaf9f8 | 0);
    expect(highTags(GROUP_MAX)).toBe(0xfffefdfc | 0);
  });

  it('fit a byte, and differ from the three tags without a group', () => {
    expect(tagOf(GROUP_MAX, 7)).toBe(255);
    expect(tagOf(1, 0)).toBeGreaterThan(Math.max(UNDEFINED, CONSTANT, MIXED));
  });
});

describe('wholeGroup()', () => {
  it.each(Array.from({ length: GROUP_MAX }, (_, k) => k + 1))('knows group %i', (group) => {
    expect(wholeGroup(lowTags(group), highTags(group))).toBe(group);
  });

  it.each([
    ['constants', CONSTANT4, CONSTANT4],
    ['undefined bytes', 0, 0],
    ['computed bytes', MIXED4, MIXED4],
    ['halves of two groups', lowTags(3), highTags(4)],
    ['the halves the wrong way round', highTags(3), lowTags(3)],
    ['a lower half', lowTags(3), CONSTANT4],
    ['one byte of another origin', lowTags(3) ^ 0x0100, highTags(3)],
    ['a lowest byte of no group', (lowTags(3) & ~0xff) | CONSTANT, highTags(3)],
  ])('finds none in %s', (_, lo, hi) => {
    expect(wholeGroup(lo, hi)).toBe(0);
  });
});

describe('firstVariable()', () => {
  it.each([
    ['all constant', [CONSTANT4, CONSTANT4, CONSTANT4], CONSTANT],
    ['nothing at all', [], CONSTANT],
    ['a whole argument', [lowTags(5), highTags(5)], tagOf(5, 0)],
    ['an upper half', [CONSTANT4, highTags(5)], tagOf(5, 4)],
    ['the first of two', [CONSTANT4, 0x01092101], tagOf(4, 1)],
    ['computed', [MIXED4], MIXED],
    ['undefined in the last byte', [lowTags(5), 0x00010101], UNDEFINED],
    ['undefined before anything else', [0, lowTags(5)], UNDEFINED],
  ])('%s', (_, tags, first) => {
    expect(firstVariable(...tags)).toBe(first);
  });
});
