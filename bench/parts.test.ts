import { expect, test } from 'vitest';
import { declared } from '../commands/line/run.ts';
import { LINES } from './commands.ts';
import { chosenParts } from './parts.ts';

const names = (only: readonly string[], all = false) => chosenParts(only, all).map(({ name }) => name);

test('a part that takes minutes is run if it is named, or if all are', () => {
  expect(names([])).not.toContain('check');
  expect(names([], true)).toContain('check');
  expect(names(['start', 'check'])).toEqual(['check', 'start']);
});

test('an unknown part is refused', () => {
  expect(() => names(['explore'])).toThrow('--only explore: there is no such part; did you mean explorer?');
});

test.each(Object.entries(LINES))('the command line of %s is one that attachcheck takes', async (_, line) => {
  const cli = declared(line, { out: () => {}, coloured: false, name: 'attachcheck' }, async () => {});
  cli.hook('preAction', (_, command) => {
    const files = command === cli ? cli.args : [];
    throw new Error(files.length === 0 ? 'taken' : `read as files: ${files.join(' ')}`);
  });
  await expect(cli.parseAsync(line, { from: 'user' })).rejects.toThrow('taken');
});
