import { describe, expect, test } from 'vitest';
import { WIDTH } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { KERNELS, PROFILES, RECORDED_KERNELS } from '../../model/core/profile.ts';
import { behaviours } from '../list/kernels.ts';
import { historyOf } from './history.ts';
import { listedBreaches } from './listed-breach.ts';

describe('the history', () => {
  test('of all behaviours is a table in 80 columns', () => {
    const lines = historyOf(undefined).text.split('\n');
    expect(lines.length).toBeGreaterThan(behaviours().length);
    expect(lines.filter((line) => line.length > WIDTH)).toEqual([]);
  });

  test('of a behaviour has the kernels between which it changed, and what rests on it', () => {
    const { text, json } = historyOf('fprobe');
    expect(json).toMatchObject({
      behaviour: {
        values: Object.fromEntries(KERNELS.map((kernel) => [kernel, PROFILES[kernel].fprobe])),
        changes: [
          { after: '6.1', by: '6.12' },
          { after: '6.12', by: '7.2' },
        ],
      },
    });
    expect(text).toContain('fprobe-keeps-pointers-to-freed-filters');
  });

  test('of a breach has the kernels of all its entries', () => {
    const { json } = historyOf('kprobe-memory-is-reused');
    expect(json).toMatchObject({ breach: { kernels: [...RECORDED_KERNELS], changes: [] } });
  });

  test('of an interleaved breach says which running kernel has shown it, or why none has', () => {
    const { text, json } = historyOf('only-user-of-graph-loses-a-call');
    expect(text).toContain('6.12  has it: shown on the running kernel');
    expect(json).toMatchObject({ breach: { shown: expect.arrayContaining(['6.12']), notShown: null } });
    const unseen = historyOf('refused-direct-call-is-reset-on-the-list');
    expect(unseen.text).toContain('Not shown on a running kernel: the machine code reads');
  });

  test('is of what exists', () => {
    expect(() => historyOf('fprob')).toThrow(InputError);
    expect(() => historyOf('fprob')).toThrow('did you mean fprobe?');
    expect(() => historyOf('constructor')).toThrow('there is no behaviour and no listed breach constructor');
  });

  test('is there for every behaviour and every listed breach', () => {
    const names = [...behaviours(), ...listedBreaches()].map(({ name }) => name);
    for (const name of names)
      for (const line of historyOf(name).text.split('\n'))
        expect(line.length, line).toBeLessThanOrEqual(WIDTH);
  });
});
