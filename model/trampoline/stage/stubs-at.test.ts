import { expect, test } from 'vitest';
import { plus } from '../../x86/word.ts';
import { LAYOUT } from './layout.ts';
import { EMITTERS } from './stubs.ts';
import { stubsAt } from './stubs-at.ts';

/** Bytes of the caller: a call, and the int3 after it. */
const CALLER_BYTES = 6;

test('stubs for another function differ in the call of their caller alone', () => {
  const { bytes, addresses } = stubsAt(LAYOUT.text, LAYOUT.traced);
  const other = stubsAt(LAYOUT.text, plus(LAYOUT.traced, 0x40));
  expect(other.addresses).toBe(addresses);
  expect(other.bytes.slice(CALLER_BYTES)).toEqual(bytes.slice(CALLER_BYTES));
  const calls = (stubs: Uint8Array) => new DataView(stubs.buffer).getInt32(1, true);
  expect(calls(other.bytes) - calls(bytes)).toBe(0x40);
});

test('they are the same bytes each time, wherever they were assembled before', () => {
  const first = stubsAt(LAYOUT.text, LAYOUT.traced);
  stubsAt(plus(LAYOUT.text, 0x100000), LAYOUT.traced);
  expect(stubsAt(LAYOUT.text, LAYOUT.traced)).toEqual(first);
  const fresh = stubsAt(LAYOUT.text, LAYOUT.traced, { ...EMITTERS });
  expect(fresh).toEqual(first);
  expect(fresh.addresses).not.toBe(first.addresses);
});
