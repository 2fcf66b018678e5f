import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { spreadsFor, withAssign } from './object-spread.ts';

/** Objects are copied with others, after others, with less, and where there is none. */
const CODE = `const first = { b: 1, a: 2, get c() { return 3; } };
const none = undefined;
export const copies = [{ ...first }, { a: 4, ...first, d: 5 }, { ...first, ...(none ?? { e: 6 }), b: 7 }, { ...none }];
export const { b, ...rest } = first;
`;

async function made(version: string): Promise<string> {
  const stdin = { contents: CODE, loader: 'ts' } as const;
  const { outputFiles } = await build({ stdin, write: false, format: 'esm', ...spreadsFor(version) });
  return outputFiles[0]!.text;
}

test.each(['20.20.2', '22.23.5'])('copies are the same in what is made for Node %s', async (version) => {
  const text = withAssign(await made(version));
  const { copies, rest } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const fields = copies.map((copy: object) => Object.entries(copy).flat().join(' '));
  expect(fields).toEqual(['b 1 a 2 c 3', 'a 2 b 1 c 3 d 5', 'b 7 a 2 c 3 e 6', '']);
  expect(rest).toEqual({ a: 2, c: 3 });
});

test('only what is made for Node 20 copies with Object.assign(), and no line moves', async () => {
  const [own, later] = await Promise.all(['20.20.2', '24.22.3'].map(made));
  expect(withAssign(later!)).toBe(later);
  const assigned = withAssign(own!);
  expect(assigned).toMatch(/^var __spreadValues = Object\.assign;$/m);
  expect(assigned).toMatch(/^var __spreadProps = Object\.assign;$/m);
  expect(assigned.split('\n')).toHaveLength(own!.split('\n').length);
});
