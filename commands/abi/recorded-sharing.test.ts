import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ARCHES } from '../../model/abi/arch.ts';
import { recordedOn, sharingPage } from './recorded-sharing.ts';

const PAGE = join(import.meta.dirname, '../../docs/sharing.md');

test('the page of trampolines that the recorded functions need is as it is computed', () => {
  if (process.env['UPDATE'] === '1') writeFileSync(PAGE, sharingPage());
  expect(readFileSync(PAGE, 'utf8')).toBe(sharingPage());
});

test('the page has every function of the recordings that a kernel attaches to', () => {
  expect(ARCHES.map((arch) => recordedOn(arch).length)).toEqual([42, 42, 41]);
});
