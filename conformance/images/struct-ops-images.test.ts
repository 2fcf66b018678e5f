import { join } from 'node:path';
import { expect, test } from 'vitest';
import { excuseFor } from '../../checker/images/known-breach.ts';
import { judgeBesides } from '../../checker/images/verdict.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { readText } from '../files.ts';
import { KNOWN } from '../known/known.ts';
import { foreignImage, stageForeign } from './foreign.ts';
import { compareImage } from './identity.ts';
import {
  compareMember,
  firstMisplaced,
  locateMember,
  parseStructOpsMaps,
  returnedArgument,
} from './struct-ops-images.ts';

const MAPS = parseStructOpsMaps(
  readText(join(import.meta.dirname, '../recordings/struct-ops-images.jsonl.gz')),
);

const IMAGES = MAPS.flatMap((map) =>
  map.members.map((member) => [map.kernel, map.boot, map.type, member.member, map, member] as const),
);

test('175 images of struct_ops members are recorded on three kernels, with and without call-depth tracking', () => {
  const where = new Set(MAPS.map(({ kernel, boot }) => `${kernel} ${boot}`));
  expect([MAPS.length, IMAGES.length, where.size]).toEqual([14, 175, 6]);
});

test.each(IMAGES)(
  '%s %s: the image of %s.%s is the recorded one',
  (_kernel, _boot, _type, _name, map, member) => {
    expect(compareMember(map, member).difference).toBeUndefined();
  },
);

test.each(MAPS.map((map) => [map.kernel, map.boot, map.type, map] as const))(
  '%s %s: no law is broken by the last recorded image of %s, but for what is known',
  (_kernel, _boot, _type, map) => {
    const located = locateMember(map, map.members.at(-1)!);
    const { stage, subject } = stageForeign(foreignImage(located, compareImage(located)));
    const { verdict, known } = judgeBesides(stage, subject, IMAGE_LAWS, excuseFor(KNOWN, subject));
    expect([verdict.breach, verdict.unfinished]).toEqual([undefined, undefined]);
    expect(known.map(({ name }) => name)).toEqual(
      map.type === 'lab_sops' ? ['stack-argument-of-a-struct-ops-member'] : [],
    );
  },
);

test.each(MAPS.map((map) => [map.kernel, map.boot, map.type, map] as const))(
  '%s %s: the images of %s follow one another in the pages of their map',
  (_kernel, _boot, _type, map) => {
    expect(firstMisplaced(map)).toBeUndefined();
  },
);

const CALLS = IMAGES.flatMap(([kernel, , , name, map, member]) =>
  member.call === undefined ? [] : [[kernel, name, map, member, member.call] as const],
);

test('a member was called with six, seven and eight arguments', () => {
  expect(CALLS.map(([kernel, name]) => `${kernel} ${name}`)).toHaveLength(10);
});

test.each(CALLS)(
  '%s: %s returns the argument that its image takes for another',
  (_kernel, _name, map, member, call) => {
    const returned = returnedArgument(map, member, call);
    if (returned === undefined) expect(call.args).not.toContain(call.returned);
    else expect(call.returned).toBe(returned);
  },
);

test('an image with the other helper differs', () => {
  const [map] = MAPS;
  const [member] = map!.members;
  expect(compareMember({ ...map!, sleepable: true }, member!).difference).toBe(
    'the model calls __bpf_prog_enter_sleepable, the recorded image does not',
  );
});
