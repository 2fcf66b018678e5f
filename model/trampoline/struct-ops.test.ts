import { describe, expect, test } from 'vitest';
import type { KernelVersion } from '../core/profile.ts';
import { PROFILES } from '../core/profile.ts';
import { attachPrograms, requestFor } from './attach.ts';
import { imageFlags, printFlags } from './flags.ts';
import { generate, patchPoints } from './generate.ts';
import { planImage } from './plan/plan.ts';
import type { BpfProgram } from './program.ts';
import { plainProgram } from './program.ts';
import { parseSignature } from './signature.ts';
import { placeMembers } from './struct-ops.ts';

const MEMBER: BpfProgram = { ...plainProgram(1), structOps: true };

/** A struct_ops member of a signature, with one program. */
function member(kernel: KernelVersion, signature: string, program = MEMBER) {
  const profile = PROFILES[kernel];
  const target = {
    profile,
    mitigations: profile.boots.default,
    ibt: profile.ibt,
    signature: parseSignature(signature),
    listing: 'traced' as const,
    ipmodify: false,
    bpf: false,
    noreturn: false,
    tailCallCtx: false,
  };
  const where = { base: { hi: -1, lo: 0xc0000000 | 0 }, resolve: () => undefined };
  const attempt = attachPrograms(target, [program], where);
  return { refusal: attempt.refusal, request: requestFor(target, attempt) };
}

describe('the image of a struct_ops member', () => {
  test.each([
    ['6.1', 'ptr -> u32', 'RET_FENTRY_RET'],
    ['6.1', 'ptr -> void', ''],
    ['6.12', 'ptr -> u32', 'RET_FENTRY_RET | INDIRECT'],
    ['7.2', 'ptr -> void', 'INDIRECT'],
  ] as const)('of %s, %s, has the flags %s', (kernel, signature, flags) => {
    expect(printFlags(imageFlags(member(kernel, signature).request))).toBe(flags);
  });

  test('is not accounted for a call site under call-depth tracking', () => {
    const { request } = member('6.12', 'ptr -> u32');
    const { items } = planImage({ ...request, mitigations: PROFILES['6.12'].boots.stuff });
    expect(items.slice(0, 2).map(({ role }) => role)).toEqual(['endbr', 'open frame']);
  });

  test('has the nops of 7.2 before its program, which nothing patches', () => {
    const plan = planImage(member('7.2', 'ptr -> void').request);
    const generated = generate(plan, { hi: -1, lo: 0xc0000000 | 0 }, () => ({ hi: -1, lo: 0xc0001000 | 0 }));
    if ('refused' in generated) throw new Error(generated.refused);
    expect(plan.items.map(({ role }) => role)).toContain('skip nop');
    expect(patchPoints(plan, generated.image)).toEqual([]);
  });

  test('reads stack arguments above a return address that no call site has left', () => {
    const { request } = member('7.2', 'u64 x7 -> u64');
    expect(planImage(request).frame.callerStackAt).toBe(24);
  });
});

test.each([
  ['6.1', 'ptr -> u32', { ...MEMBER, sleepable: true }, { stage: 'load', errno: 'EINVAL' }],
  ['6.12', 'ptr -> u32', { ...MEMBER, sleepable: true }, undefined],
  ['6.1', 'ptr -> u128', MEMBER, undefined],
  ['6.12', 'ptr -> u128', MEMBER, { stage: 'load', errno: 'ENOTSUPP' }],
  ['6.12', 'u64 x13 -> u64', MEMBER, { stage: 'load', errno: 'ENOTSUPP' }],
  ['6.12', 's16b x7 -> u64', MEMBER, { stage: 'attach', errno: 'ENOTSUPP' }],
  ['6.1', 'u64 x7 -> u64', MEMBER, { stage: 'attach', errno: 'ENOTSUPP' }],
] as const)('a program of a member of %s, %s', (kernel, signature, program, refusal) => {
  expect(member(kernel, signature, program).refusal).toEqual(refusal && { program: 1, ...refusal });
});

describe('the images of a map', () => {
  test('lie in one page in 6.1, whose last 64 bytes stay free', () => {
    expect(placeMembers(PROFILES['6.1'], [100, 200])).toEqual([
      { page: 0, offset: 0 },
      { page: 0, offset: 100 },
    ]);
    expect(placeMembers(PROFILES['6.1'], [4032])).toHaveLength(1);
    expect(placeMembers(PROFILES['6.1'], [2000, 2033])).toBe('EFAULT');
  });

  test('get another page in 6.12 and 7.2, of which a map has eight', () => {
    expect(placeMembers(PROFILES['7.2'], [2000, 1968, 2000])).toEqual([
      { page: 0, offset: 0 },
      { page: 0, offset: 2064 },
      { page: 1, offset: 0 },
    ]);
    expect(
      placeMembers(
        PROFILES['6.12'],
        Array.from({ length: 8 }, () => 4000),
      ),
    ).toHaveLength(8);
    expect(
      placeMembers(
        PROFILES['6.12'],
        Array.from({ length: 9 }, () => 4000),
      ),
    ).toBe('E2BIG');
  });
});
