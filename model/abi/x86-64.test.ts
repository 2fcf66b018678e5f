import { describe, expect, it } from 'vitest';
import type { Argument } from './x86-64.ts';
import { ARGUMENT_REGISTERS, argumentSlots, CALL_ALIGNMENT, placeName, stackWords, words } from './x86-64.ts';

const struct = (size: number): Argument => ({ size, alignment: 8 });
const scalar = (size: number): Argument => ({ size, alignment: size });

/** Types by the names that signatures use; `__int128` is the only one aligned to 16 bytes. */
const TYPES: Readonly<Record<string, Argument>> = {
  u8: scalar(1),
  u16: scalar(2),
  u32: scalar(4),
  u64: scalar(8),
  u128: scalar(16),
};

const typeOf = (name: string): Argument => TYPES[name] ?? struct(Number(/^s(\d+)b$/.exec(name)![1]));
const typesOf = (list: string): Argument[] => (list === '' ? [] : list.split(' ').map(typeOf));

/** `rdi rsi · rdx`: the places of the words, a dot between arguments, `[1]` the second word of the stack. */
function drawn(list: string, alignment?: 'abi' | 'ignored'): string {
  const slots = argumentSlots(typesOf(list), alignment);
  const byArgument = typesOf(list).map((_, i) =>
    slots
      .filter(({ argument }) => argument === i)
      .map(({ place }) => (place.in === 'register' ? ARGUMENT_REGISTERS[place.index]! : `[${place.index}]`))
      .join(' '),
  );
  return byArgument.join(' · ');
}

const repeat = (name: string, times: number) => Array.from({ length: times }, () => name).join(' ');

describe('where arguments go', () => {
  it.each([
    ['no argument', '', ''],
    ['one', 'u64', 'rdi'],
    ['six', repeat('u64', 6), 'rdi · rsi · rdx · rcx · r8 · r9'],
    ['nine', repeat('u64', 9), 'rdi · rsi · rdx · rcx · r8 · r9 · [0] · [1] · [2]'],
    ['twelve', repeat('u64', 12), 'rdi · rsi · rdx · rcx · r8 · r9 · [0] · [1] · [2] · [3] · [4] · [5]'],
    ['narrow ones take a whole word', 'u8 u16 u32 u64', 'rdi · rsi · rdx · rcx'],
    [
      'narrow ones on the stack too',
      `${repeat('u64', 6)} u8 u16`,
      'rdi · rsi · rdx · rcx · r8 · r9 · [0] · [1]',
    ],
    ['a struct of two words takes two registers', 's16b u64', 'rdi rsi · rdx'],
    ['a struct of nine bytes is two words', 's9b u64', 'rdi rsi · rdx'],
    ['a struct of eight bytes is one', 's8b s3b', 'rdi · rsi'],
    ['the last two registers', 'u64 u64 u64 u64 s16b u64', 'rdi · rsi · rdx · rcx · r8 r9 · [0]'],
    [
      'disorder: the last register stays free',
      'u64 u64 u64 u64 u64 s16b u64',
      'rdi · rsi · rdx · rcx · r8 · [0] [1] · r9',
    ],
    [
      'disorder twice',
      'u64 u64 u64 u64 u64 s16b s16b u8 u64',
      'rdi · rsi · rdx · rcx · r8 · [0] [1] · [2] [3] · r9 · [4]',
    ],
    [
      'a struct of one word fills the gap',
      'u64 u64 u64 u64 u64 s16b s8b s16b',
      'rdi · rsi · rdx · rcx · r8 · [0] [1] · r9 · [2] [3]',
    ],
    ['more than sixteen bytes go to the stack whole', 's24b u64', '[0] [1] [2] · rdi'],
    ['seventeen bytes are three words', 's17b', '[0] [1] [2]'],
    ['__int128 in registers', 'u64 u128', 'rdi · rsi rdx'],
    ['__int128 on the stack', `${repeat('u64', 6)} u128`, 'rdi · rsi · rdx · rcx · r8 · r9 · [0] [1]'],
    [
      '__int128 leaves a gap',
      `${repeat('u64', 7)} u128 u64`,
      'rdi · rsi · rdx · rcx · r8 · r9 · [0] · [2] [3] · [4]',
    ],
    [
      'a struct leaves none',
      `${repeat('u64', 7)} s16b u64`,
      'rdi · rsi · rdx · rcx · r8 · r9 · [0] · [1] [2] · [3]',
    ],
    [
      '__int128 in disorder',
      `${repeat('u64', 5)} u128 u64 u64 u128`,
      'rdi · rsi · rdx · rcx · r8 · [0] [1] · r9 · [2] · [4] [5]',
    ],
  ])('%s: %s', (_, list, places) => {
    expect(drawn(list)).toBe(places);
  });

  it('the generator of trampolines leaves no gap', () => {
    const list = `${repeat('u64', 7)} u128 u64`;
    expect(drawn(list, 'ignored')).toBe('rdi · rsi · rdx · rcx · r8 · r9 · [0] · [1] [2] · [3]');
    expect(drawn('u64 u64 u64 u64 u64 s16b u64', 'ignored')).toBe(drawn('u64 u64 u64 u64 u64 s16b u64'));
  });

  it('the drawing above the function', () => {
    const letters = 'abcdefg';
    const slots = argumentSlots(typesOf('u64 u64 u64 u64 u64 s16b u64'));
    const text = [...letters]
      .map((letter, i) => {
        const places = slots
          .filter(({ argument }) => argument === i)
          .map(({ place }) =>
            place.in === 'register' ? ARGUMENT_REGISTERS[place.index] : `stack ${place.index}`,
          );
        return `${letter} ${places.join(', ')}`;
      })
      .join(' · ');
    expect(text).toBe('a rdi · b rsi · c rdx · d rcx · e r8 · f stack 0, stack 1 · g r9');
  });
});

describe('the words of an argument', () => {
  it.each([
    [1, [1]],
    [7, [7]],
    [8, [8]],
    [9, [8, 1]],
    [12, [8, 4]],
    [16, [8, 8]],
    [17, [8, 8, 1]],
  ])('of %i bytes hold %j', (size, bytes) => {
    const slots = argumentSlots([struct(size)]);
    expect(slots.map((slot) => slot.bytes)).toEqual(bytes);
    expect(slots.map(({ argument, word }) => [argument, word])).toEqual(bytes.map((_, word) => [0, word]));
    expect(words(struct(size))).toBe(bytes.length);
  });
});

describe('the stack', () => {
  it.each([
    ['u64', 0],
    [repeat('u64', 6), 0],
    [repeat('u64', 9), 3],
    ['u64 u64 u64 u64 u64 s16b u64', 2],
    [`${repeat('u64', 7)} u128`, 4],
  ])('%s occupies %i words, gaps included', (list, count) => {
    expect(stackWords(argumentSlots(typesOf(list)))).toBe(count);
  });

  it('its first word lies above the return address', () => {
    expect(placeName({ in: 'stack', index: 0 })).toBe('8(%rsp)');
    expect(placeName({ in: 'stack', index: 2 })).toBe('24(%rsp)');
    expect(placeName({ in: 'register', index: 5 })).toBe('r9');
  });

  it('is aligned to sixteen bytes at a call', () => {
    expect(CALL_ALIGNMENT).toBe(16);
  });
});
