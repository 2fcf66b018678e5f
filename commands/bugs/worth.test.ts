import { describe, expect, it } from 'vitest';
import { boardRows } from './board.ts';
import { worthOf, worthText } from './worth.ts';

const KERNELS = ['6.1', '6.12', '7.2'];

function worth(sequences: number, combinations: number, profiles: readonly string[] = KERNELS) {
  return worthOf({ sequences, combinations, profiles });
}

describe('what a pass is worth', () => {
  it('is nothing without draws, and more with more of them', () => {
    const found = [0, 10, 100, 1000].map((draws) => worth(draws, draws).found);
    expect(found[0]).toBe(0);
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
  });

  it('follows the measured figures: a bug counts from its median on', () => {
    const row = boardRows().find(({ bug }) => bug.name === 'direct-mode-is-never-restored')!;
    const { median } = row.figures!.random;
    const found = (sequences: number, profiles: readonly string[]) =>
      worthOf({ sequences, combinations: 0, profiles }, [row]).found;
    expect(found(median!, ['6.12'])).toBe(1);
    expect(found(median! - 1, ['6.12'])).toBe(0);
    expect(found(median!, ['6.1'])).toBe(0);
  });

  it('does not count bugs that the scenarios of a run need not have', () => {
    const { of, others } = worth(1, 1);
    const planted = boardRows().filter(({ figures }) => figures !== undefined);
    expect(of + others).toBe(planted.length);
    expect(worthText({ found: 2, of, others })).toContain(`2 of the ${of} historical bugs`);
  });
});
