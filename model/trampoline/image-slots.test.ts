import { expect, test } from 'vitest';
import { PROFILES } from '../core/profile.ts';
import { imageSlots } from './image-slots.ts';
import { parseSignature } from './signature.ts';

test('an image expects all words of the arguments, or attaching is refused', () => {
  const words = (arch: 'x86-64' | 'x86-32', types: string, kernel: '6.1' | '7.2') => {
    const slots = imageSlots(arch, parseSignature(types), PROFILES[kernel]);
    return typeof slots === 'string' ? slots : slots.length;
  };
  expect(words('x86-64', 'u64 x3, s16b -> u64', '7.2')).toBe(5);
  expect(words('x86-64', 'u64 x7 -> u64', '7.2')).toBe(7);
  expect(words('x86-64', 'u64 x7 -> u64', '6.1')).toBe('ENOTSUPP');
  expect(words('x86-64', 'u64 x13 -> u64', '7.2')).toBe('EINVAL');
  expect(words('x86-32', 'u32 -> u32', '7.2')).toBe('ENOTSUPP');
});
