import { expect, test } from 'vitest';
import { bootKernel } from '../kernel.ts';
import type { CodeName, ImageId, LinkId, OpsId, ProgId } from './ids.ts';

/*
 * The compiler is the test: each line under `@ts-expect-error` is one that it refuses.
 */
test('one kind of id does not stand for another', () => {
  const { bpf, ftrace } = bootKernel({ profile: '6.12', boot: 'default', functions: [] });
  const ops: OpsId = 'ops#1';
  const image: ImageId = 'tramp#1';
  const prog: ProgId = 1;
  const code: CodeName = image;
  // @ts-expect-error An ops is no link.
  const link: LinkId = ops;
  // @ts-expect-error Code that a site may call need not be an image.
  const anyCode = (name: CodeName): ImageId => name;
  // @ts-expect-error The table of images is not looked up by an ops.
  const noImage = bpf.images[ops];
  expect([noImage, bpf.images[anyCode(code)], bpf.progs[prog], bpf.links[link], ftrace.ops[ops]]).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});
