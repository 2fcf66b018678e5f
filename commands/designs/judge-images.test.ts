import { expect, test } from 'vitest';
import { Rig } from '../../model/testing/attach-rig.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Moment } from '../../properties/law/sequence-law.ts';
import { ImagesSeen } from './judge-images.ts';
import { DesignTally } from './tally.ts';

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 -> u64')];

test('an image of multi links breaks what the image of single links does, in a kernel that has no others', () => {
  const rig = new Rig('6.12, multiLinks = splitting', FUNCTIONS);
  for (const [id, kind] of ['fexit', 'fmod_ret'].entries()) {
    expect(rig.load(id + 1, kind as 'fexit', '', { multi: true })).toBe(0);
    const link = {
      do: 'BPF_LINK_CREATE',
      link: `link#${id + 1}`,
      prog: id + 1,
      targets: ['f1', 'f2'],
    } as const;
    expect(rig.answer(link)).toBe(0);
  }
  const images = new ImagesSeen();
  images.look({ action: { do: 'BPF_LINK_CREATE' }, after: rig.k } as unknown as Moment);
  const tally = new DesignTally();
  images.judge(tally);
  expect(tally.found).toEqual([]);
  expect([...tally.known]).toEqual(['early-return-passes-the-patched-nop']);
});
