import { describe, expect, test } from 'vitest';
import { bootKernel } from '../kernel.ts';
import { assembleFunction } from '../trampoline/body.ts';
import { tracedFunction } from '../trampoline/traced-function.ts';
import { disassemble } from '../x86/listing.ts';
import { ZERO } from '../x86/word.ts';
import { codeAt } from './body-code.ts';

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('rec', 2, 'u64 -> u64')];
const k = bootKernel({ profile: '6.1', boot: 'default', functions: FUNCTIONS });

/** The instructions of a function, by iced. */
function listingOf(order: number) {
  return disassemble(assembleFunction(FUNCTIONS, order, 0), ZERO, () => undefined);
}

function bytesAt(name: string, offset: number): number {
  return codeAt(k, `${name}+0x${offset.toString(16)}`).join('').length / 2;
}

describe('the instructions that a jump of five bytes replaces', () => {
  test('are those of the prologue', () => {
    expect(codeAt(k, 'f1+0x5')).toEqual(['53', '4883ec10']);
    expect(codeAt(k, 'f1+0x6')).toEqual(['4883ec10', '4889e3']);
    expect(codeAt(k, 'f1+0xa')).toEqual(['4889e3', '4889f8']);
  });

  test('begin where an instruction begins, as iced decodes it, and not at an int3 of the compiler', () => {
    const starts = listingOf(0).filter(({ text }) => !text.startsWith('int3'));
    const offsets = new Set(starts.map(({ offset }) => offset));
    for (let offset = 5; offset < 0x80; offset++)
      expect([offset, bytesAt('f1', offset) > 0]).toEqual([offset, offsets.has(offset)]);
  });

  test('hold no call, jump or return, and end in the function', () => {
    const stops = listingOf(0).filter(({ text }) => /^(call|ret|j)/.test(text));
    expect(stops.length).toBeGreaterThan(1);
    for (const { offset } of stops) {
      expect(bytesAt('f1', offset)).toBe(1);
      for (const { offset: before } of listingOf(0).filter((line) => line.offset >= 5))
        if (before < offset) expect(before + bytesAt('f1', before)).toBeLessThanOrEqual(offset);
    }
  });

  test('are not jumped into: only the first byte is left to an int3', () => {
    const jump = listingOf(1).find(({ text }) => text.startsWith('ja'))!;
    const target = Number(/0x[0-9a-f]+/.exec(jump.text)![0]);
    const before = listingOf(1).filter(({ offset }) => offset < target && target <= offset + 5);
    expect(before.length).toBeGreaterThan(0);
    for (const { offset } of before) expect(bytesAt('rec', offset)).toBeLessThanOrEqual(1);
    expect(bytesAt('rec', target)).toBeGreaterThanOrEqual(5);
  });

  test('are none of a function that there is not', () => {
    expect(codeAt(k, 'f9+0x5')).toEqual([]);
  });
});
