import { describe, expect, test } from 'vitest';
import { compareReadings } from '../../model/x86/decode/compare-readings.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { benchFor } from './bench.ts';
import { runCase } from './case.ts';
import { drawCases } from './check.ts';

const bench = benchFor(undefined);
const CASES = THOROUGH ? 2000 : 500;

describe('our decoder reads as iced does', () => {
  test('every byte of every image that a search of attach combinations generates', () => {
    const differences: string[] = [];
    let instructions = 0;
    let images = 0;
    drawCases({ seed: 1, numRuns: CASES }, (c) => {
      const { subject } = runCase(bench, c, { laws: [], known: [] });
      if (subject === undefined) return;
      const compared = compareReadings(subject.bytes, subject.base);
      if (typeof compared === 'string') differences.push(compared);
      else instructions += compared;
      images++;
    });
    expect(differences).toEqual([]);
    expect(images).toBeGreaterThan(0.75 * CASES);
    expect(instructions).toBeGreaterThan(50 * CASES);
  });

  test('every byte of the stubs around an image', () => {
    const { text } = bench.stage;
    // The region is rounded up to whole words; what is left behind the last stub are zeroes.
    const end = text.bytes.findLastIndex((byte) => byte !== 0) + 1;
    expect(compareReadings(text.bytes.slice(0, end), text.base)).toBeGreaterThan(1000);
  });
});
