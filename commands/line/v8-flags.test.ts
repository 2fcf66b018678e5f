import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { v8Flags } from './v8-flags.ts';

test('this version of Node knows every flag that it is given', () => {
  const flags = v8Flags(process.versions.node);
  const { status, stderr } = spawnSync(process.execPath, [...flags, '-e', '0'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('flags that were measured on Node 20 are given to no other', () => {
  expect(v8Flags('20.20.2')).toHaveLength(2);
  expect(['22.23.5', '24.22.3', '26.0.0'].flatMap(v8Flags)).toEqual([]);
});
