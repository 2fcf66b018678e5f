import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PATCHES = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.patch'));
const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'your-kernel.md'), 'utf8');

test('each fault is a row of the table, and each row has its patch', () => {
  const rows = [...PAGE.matchAll(/^\| \[([a-z0-9-]+)\]\(\.\.\/kernels\/faults\/\1\.patch\)/gm)];
  expect(rows.map(([, name]) => `${name}.patch`).sort()).toEqual([...PATCHES].sort());
});

test.each(PATCHES)('%s changes a line of a file of the kernel', (file) => {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n');
  const changed = lines.filter((line) => /^[+-](?![+-])/.test(line));
  expect(lines[0]).toMatch(/^--- a\/(kernel|arch\/x86)\/.*\.c$/);
  expect(changed.length).toBeGreaterThan(0);
  expect(changed.length).toBeLessThan(4);
});
