import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText } from '../files.ts';
import { compareMember, firstMisplaced, parseStructOpsMaps } from './struct-ops-images.ts';

const MAPS = parseStructOpsMaps(
  readText(join(import.meta.dirname, '../recordings/struct-ops-images.jsonl.gz')),
);

const IMAGES = MAPS.flatMap((map) =>
  map.members.map((member) => [map.kernel, map.boot, map.type, member.member, map, member] as const),
);

test('165 images of struct_ops members are recorded on three kernels, with and without call-depth tracking', () => {
  const where = new Set(MAPS.map(({ kernel, boot }) => `${kernel} ${boot}`));
  expect([MAPS.length, IMAGES.length, where.size]).toEqual([12, 165, 6]);
});

test.each(IMAGES)(
  '%s %s: the image of %s.%s is the recorded one',
  (_kernel, _boot, _type, _name, map, member) => {
    expect(compareMember(map, member).difference).toBeUndefined();
  },
);

test.each(MAPS.map((map) => [map.kernel, map.boot, map.type, map] as const))(
  '%s %s: the images of %s follow one another in the pages of their map',
  (_kernel, _boot, _type, map) => {
    expect(firstMisplaced(map)).toBeUndefined();
  },
);

test('an image with the other helper differs', () => {
  const [map] = MAPS;
  const [member] = map!.members;
  expect(compareMember({ ...map!, sleepable: true }, member!).difference).toBe(
    'the model calls __bpf_prog_enter_sleepable, the recorded image does not',
  );
});
