import { describe, expect, test } from 'vitest';
import { WIDTH } from '../../counterexamples/text.ts';
import { BEHAVIOUR_WORDS } from './behaviour-words.ts';
import { behaviours } from './kernels.ts';
import { listNames } from './list.ts';

describe('the behaviours of a kernel', () => {
  test('are in the table of their words, and no other is', () => {
    const names = behaviours().map(({ name }) => name);
    expect(Object.keys(BEHAVIOUR_WORDS)).toEqual(names);
  });

  test('have a sentence for each value that is a word', () => {
    const words = behaviours().flatMap(({ name, meanings }) =>
      meanings
        .filter(({ value }) => !/^(true|false|\d+)$/.test(value) && value !== 'tracing multi')
        .map(({ value, sentence }) => ({ what: `${name} = ${value}`, sentence })),
    );
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter(({ sentence }) => sentence === null)).toEqual([]);
  });

  test('have no sentence for a value that there is not', () => {
    for (const { name, meanings } of behaviours())
      expect(meanings.map(({ value }) => value)).toEqual(
        expect.arrayContaining(Object.keys(BEHAVIOUR_WORDS[name]?.values ?? {})),
      );
  });

  test('are printed with the kernels that have each value', () => {
    const { text } = listNames();
    expect(text).toContain(
      [
        '  imageLifecycle',
        '      How a replaced image is kept for the tasks that are still in it.',
        '        A: all images of a trampoline share a page, without a reference',
        '            count (5.6 to 5.11)',
        '        B (6.1, 6.12): each',
      ].join('\n'),
    );
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(WIDTH);
  });
});
