import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText } from '../files.ts';
import { compareLsmImage, parseLsmImages } from './lsm-images.ts';

const RECORDS = parseLsmImages(readText(join(import.meta.dirname, '../recordings/lsm-images.jsonl.gz')));

test('62 images of BPF LSM programs are recorded, 26 of them with shims, on three kernels, with and without call-depth tracking', () => {
  const where = new Set(RECORDS.map(({ kernel, boot }) => `${kernel} ${boot}`));
  const shims = RECORDS.filter(({ progs }) => progs.some((text) => text.endsWith(' shim')));
  expect([RECORDS.length, shims.length, where.size]).toEqual([62, 26, 6]);
});

test.each(
  RECORDS.map(
    (record) => [record.kernel, record.boot, record.func, record.progs.join(', '), record] as const,
  ),
)('%s %s: the image of %s with %s is the recorded one', (_kernel, _boot, _func, _progs, record) => {
  expect(compareLsmImage(record).difference).toBeUndefined();
});

test('an image with the other helper differs', () => {
  const [record] = RECORDS;
  const tracing = { ...record!, listing: 'traced' as const, progs: ['fmod_ret'] };
  expect(compareLsmImage(tracing).difference).toBe(
    'the model calls __bpf_prog_enter_recur, the recorded image does not',
  );
});
