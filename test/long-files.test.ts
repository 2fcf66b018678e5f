import { expect, test } from 'vitest';
import { LONG } from './long-files.ts';
import { sources } from './sources.ts';

test('the files that begin are there', () => {
  const paths = sources('.test.ts', '.spec.ts').map(({ path }) => path);
  expect(LONG.filter((path) => !paths.includes(path))).toEqual([]);
});
