import { expect, test } from 'vitest';
import type { CostClient } from '../../checker/cost/client.ts';
import { clientNames, clientOn } from '../../checker/cost/client.ts';
import type { ComparedCost } from '../../checker/cost/compared.ts';
import { compareClient } from '../../checker/cost/compared.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { printOrder } from './growth-text.ts';

test('the page of compare says of every design how it grows', () => {
  const { text } = sources('docs/commands/compare.md')[0]!;
  const shown = text
    .split('\n')
    .filter((line) => /^\| `[^`]+` \| (constant|linear|quadratic|irregular)/.test(line));
  const names = clientNames();
  expect(shown.map((row) => row.split('`')[1])).toEqual(names);
  for (const name of someOf(names, 60))
    expect(shown).toContain(`| \`${name}\` | ${printOrder(compared(name))} |`);
});

function compared(name: string): ComparedCost {
  return toEnd(compareClient(clientOn(name, undefined) as CostClient, []));
}
