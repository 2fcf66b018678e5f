import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BPF_DISPATCHER_MAX } from '../../model/dispatcher/dispatcher.ts';
import { readText } from '../files.ts';
import { calledBy, comparedImage, parseDispatcherPages } from './dispatcher-images.ts';

const PAGES = parseDispatcherPages(
  readText(join(import.meta.dirname, '../recordings/dispatcher-images.jsonl.gz')),
);
const ATTACHED = PAGES.filter(({ step }) => step === 'attach');

test('images of dispatchers are recorded on three kernels in four boots', () => {
  const where = new Set(PAGES.map(({ kernel, boot }) => `${kernel} ${boot}`));
  expect([PAGES.length, ATTACHED.length, where.size]).toEqual([127, 122, 12]);
});

describe.each(ATTACHED.map((page) => [page.kernel, page.boot, page.n, page] as const))(
  '%s %s, %i devices',
  (_kernel, _boot, n, page) => {
    test('the image is the recorded one, and the 49th program is not in it', () => {
      const { generated, recorded } = comparedImage(page, page.programs.slice(0, BPF_DISPATCHER_MAX));
      expect(recorded).toBe(generated);
    });

    test('the halves take turns, the lower one first', () => {
      const changes = Math.min(n, BPF_DISPATCHER_MAX);
      expect(calledBy(page)).toBe(changes % 2 === 1 ? 'lower' : 'upper');
    });
  },
);

test('without a program the static call leaves the page for a function of the kernel', () => {
  // bpf_dispatcher_nop_func() is static and inline: kernel/bpf/dispatcher.c has a copy that no symbol tells from the others.
  const empty = PAGES.filter(({ step }) => step === 'empty');
  expect(empty.map(({ kernel }) => kernel)).toEqual(['6.1.192', '6.12.117']);
  for (const page of empty) expect(calledBy(page)).toMatch(/^0xffffffff8/);
});
