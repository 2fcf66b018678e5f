import { expect, test } from 'vitest';
import { bootKernel } from '../kernel.ts';
import { allocatedOn, pageOn } from './allocated-on.ts';
import { HALF_BYTES } from './space.ts';
import { allocatePage, freePage } from './text.ts';

function kernelWithAPage() {
  const k = bootKernel({ profile: '6.12', boot: 'default', functions: [] });
  allocatePage(k, 'tramp#1', 'c3');
  return { k, page: k.text.pages['tramp#1']!.at };
}

test('a page is found by its number as long as it is allocated', () => {
  const { k, page } = kernelWithAPage();
  expect(pageOn(k.text, page)).toBe('tramp#1');
  expect(allocatedOn(k, page, 5)).toEqual({ name: 'tramp#1', start: 0 });
  freePage(k, 'tramp#1');
  expect(pageOn(k.text, page)).toBeNull();
  expect(allocatedOn(k, page, 5)).toBeUndefined();
});

test('an image in half of a page starts there', () => {
  const { k, page } = kernelWithAPage();
  k.text.halves['half'] = { page: 'tramp#1', offset: HALF_BYTES };
  expect(allocatedOn(k, page, HALF_BYTES + 3)).toEqual({ name: 'half', start: HALF_BYTES });
  expect(allocatedOn(k, page, 3)).toEqual({ name: 'tramp#1', start: 0 });
});
