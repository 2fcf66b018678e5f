import { expect, test } from 'vitest';
import { KERNELS } from '../../model/core/profile.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { attached, F1, kprobe, link, load } from '../planted/sequences/actions.ts';
import { leftovers } from './leftovers.ts';

const MULTI = { ...load(1), target: '', program: { ...load(1).program, multi: true } };
const booted = (profile: string) => bootKernel({ profile, boot: 'default', functions: [F1] });

test.each(KERNELS)(
  'nothing is left of a boot, and of an attached program all that it takes (%s)',
  (profile) => {
    const k = booted(profile);
    expect(leftovers(k)).toEqual([]);
    for (const action of attached('fentry')) apply(k, action);
    const kinds = leftovers(k).map(({ is }) => is);
    expect(kinds.slice(0, 2)).toEqual(['call site', 'record']);
    expect(kinds).toEqual(
      expect.arrayContaining(['page', 'direct entry', 'trampoline', 'image', 'link', 'program']),
    );
  },
);

test('the filter of an ops of the kernel is empty when its last kprobe has gone', () => {
  const k = booted('6.12');
  apply(k, kprobe(1));
  expect(leftovers(k)).toContainEqual({ is: 'filter', of: 'kprobe_ftrace_ops' });
  apply(k, { do: 'unregister_kprobe', kprobe: 'kprobe#1' });
  apply(k, { do: 'settle' });
  expect(leftovers(k)).toEqual([]);
});

test('what a design of multi links has allocated is gone with its links', () => {
  const k = booted('6.12, multiLinks = global');
  apply(k, MULTI);
  apply(k, link(1, 1, ['f1']));
  expect(leftovers(k)).toEqual(
    expect.arrayContaining([
      { is: 'object of the design', of: 'metadata of f1' },
      { is: 'object of the design', of: 'prog#1 in a list of f1' },
    ]),
  );
  apply(k, { do: 'close(link)', link: 'link#1' });
  apply(k, { do: 'close(prog)', prog: 1 });
  apply(k, { do: 'settle' });
  expect(leftovers(k)).toEqual([]);
});

test('what tables of a design have more than after boot is left', () => {
  const k = booted('6.12, multiLinks = generic');
  apply(k, MULTI);
  apply(k, link(1, 1, ['f1']));
  expect(leftovers(k).filter(({ is }) => is === 'object of the design')).toHaveLength(1);
});
