import { expect, test } from 'vitest';
import { printOrder } from '../counterexamples/compare/growth-text.ts';
import type { Client } from '../properties/compare/client.ts';
import { clientNames, clientOn } from '../properties/compare/client.ts';
import type { Compared } from '../properties/compare/compared.ts';
import { compareClient } from '../properties/compare/compared.ts';
import { sources } from './sources.ts';

test('the README says of every design how it grows', () => {
  const { text } = sources('README.md').find(({ path }) => path === 'README.md')!;
  const shown = text
    .split('\n')
    .filter((line) => /^\| `[^`]+` \| (constant|linear|quadratic|irregular)/.test(line));
  const expected = clientNames().map((name) => `| \`${name}\` | ${printOrder(compared(name))} |`);
  expect(shown).toEqual(expected);
});

function compared(name: string): Compared {
  const steps = compareClient(clientOn(name, undefined) as Client, []);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
