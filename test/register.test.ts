import { describe, expect, test } from 'vitest';
import { runSequence } from '../checker/sequences/run-sequence.ts';
import { parseSequence } from '../counterexamples/sequences/attach-trace.ts';
import { item } from '../model/core/present.ts';
import { PROFILES, profileNamed, registerProfile } from '../model/core/profile.ts';
import { bootKernel } from '../model/kernel.ts';
import { KERNEL_PROGRAM, registerDesign } from '../model/step.ts';
import { oneByOne } from '../model/trampoline/designs/one-by-one.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import { rendered } from '../properties/finding/render.ts';
import type { AttachLaw } from '../properties/law/sequence-law.ts';
import { registerLaw } from '../properties/register-law.ts';
import { ALL_TASK_LAWS, TASK_LAWS } from '../properties/task-laws.ts';

const NOBODY_FIRES: AttachLaw = {
  name: 'mine/kprobes-stay-out',
  sentence: 'No kprobe is registered.',
  source: 'none',
  witness: 'a kprobe was registered',
  settled: true,
  judge: ({ action }) =>
    action.do === 'register_kprobe'
      ? { is: 'in-own-words', expected: 'no kprobe', observed: action.do }
      : 'not applicable',
};

const { case: KPROBE } = parseSequence(
  'kernel    6.12\n\nf1 = function(u64 -> u64)\nregister_kprobe(kprobe#1, f1)\n',
);

describe('a design that is registered', () => {
  const own = { ...oneByOne, name: 'mine' };

  test('boots, until it is taken back', () => {
    const before = KERNEL_PROGRAM;
    const unregister = registerDesign(own);
    expect(KERNEL_PROGRAM).not.toBe(before);
    const profile = '6.12, multiLinks = mine';
    expect(bootKernel({ profile, boot: 'default', functions: [] }).profile).toBe(profile);
    unregister();
    expect(() => bootKernel({ profile, boot: 'default', functions: [] })).toThrow('of the design mine');
    expect(KERNEL_PROGRAM.entries.size).toBe(before.entries.size);
  });

  test.each([
    ['one by one', 'there is a design one by one already'],
    ['none', '"none" is not the name of a design'],
    ['a, b', '"a, b" is not the name of a design'],
  ])('is refused by the name of %s', (name, why) => {
    expect(() => registerDesign({ ...own, name })).toThrow(why);
  });

  test('is refused when a routine of it has the name of another, and leaves nothing behind', () => {
    const attach = { ...own.attach, name: 'register_kprobe' };
    expect(() => registerDesign({ ...own, attach })).toThrow(
      'the design mine cannot be linked: two routines are called register_kprobe',
    );
    registerDesign(own)();
  });
});

describe('a profile that is registered', () => {
  const skip = { ...PROFILES['6.12'], imageLifecycle: 'C', linksMax: 36 } as const;

  test('is a kernel by its own name, with behaviours to override, until it is taken back', () => {
    const unregister = registerProfile('mine', skip);
    expect(profileNamed('mine')).toEqual(skip);
    expect(profileNamed('mine, linksMax = 2').linksMax).toBe(2);
    unregister();
    for (const name of ['mine', 'mine, linksMax = 2'])
      expect(() => profileNamed(name)).toThrow('kernel mine is not known');
  });

  test.each([
    ['6.12', 'there is a kernel 6.12 already'],
    ['6.12, x', '"6.12, x" is not the name of a kernel'],
  ])('is refused by the name of %s', (name, why) => {
    expect(() => registerProfile(name, skip)).toThrow(why);
  });

  test('is refused when it is made from no version that is modelled', () => {
    expect(() => registerProfile('mine', { ...skip, kernel: '6.13' as never })).toThrow(
      'kernel mine: it is made from "6.13"; one of 6.1, 6.12, 7.2 has to be named',
    );
  });
});

describe('a second call of what takes back does nothing to a later one of that name', () => {
  test.each([
    ['a design', () => registerDesign({ ...oneByOne, name: 'mine' })],
    ['a profile', () => registerProfile('mine', PROFILES['6.12'])],
    ['a law', () => registerLaw('sequences', NOBODY_FIRES)],
  ])('%s', (_, register) => {
    const kernel = KERNEL_PROGRAM;
    const laws = [...ATTACH_LAWS, ...ALL_TASK_LAWS];
    const former = register();
    former();
    const later = register();
    former();
    expect(register).toThrow('there is a ');
    later();
    expect(KERNEL_PROGRAM).toBe(kernel);
    expect([...ATTACH_LAWS, ...ALL_TASK_LAWS]).toEqual(laws);
  });
});

describe('a law that is registered', () => {
  test('is checked, has its own words, and is checked on interleavings when it is settled', () => {
    const unregister = registerLaw('sequences', NOBODY_FIRES);
    const { breach } = runSequence(KPROBE, { laws: ATTACH_LAWS });
    expect(rendered(breach!.finding)).toEqual({ expected: 'no kprobe', observed: 'register_kprobe' });
    expect(TASK_LAWS.at(-1)?.name).toBe(NOBODY_FIRES.name);
    expect(() => registerLaw('sequences', NOBODY_FIRES)).toThrow(`there is a law ${NOBODY_FIRES.name}`);
    unregister();
    expect(runSequence(KPROBE, { laws: ATTACH_LAWS }).breach).toBeUndefined();
    expect([...ATTACH_LAWS, ...TASK_LAWS].map(({ name }) => name)).not.toContain(NOBODY_FIRES.name);
  });

  test('is on no list when a list refuses it', () => {
    const { name } = item(TASK_LAWS, 0);
    const before = [...ATTACH_LAWS];
    expect(() => registerLaw('sequences', { ...NOBODY_FIRES, name })).toThrow(`there is a law ${name}`);
    expect(ATTACH_LAWS).toEqual(before);
  });

  test('is refused by a name that cannot be asked for', () => {
    expect(() => registerLaw('sequences', { ...NOBODY_FIRES, name: 'a, b' })).toThrow(
      '"a, b" is not the name',
    );
  });
});
