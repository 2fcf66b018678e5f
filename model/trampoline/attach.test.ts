import { describe, expect, test } from 'vitest';
import type { KernelVersion } from '../core/profile.ts';
import { PROFILES } from '../core/profile.ts';
import type { Attempt, Target } from './attach.ts';
import { attachPrograms, requestFor } from './attach.ts';
import { LISTINGS } from './listing.ts';
import type { BpfProgram } from './program.ts';
import { plainProgram } from './program.ts';
import { parseSignature } from './signature.ts';
import { LAYOUT } from './stage/layout.ts';

function target(kernel: KernelVersion, signature: string, around: Partial<Target> = {}): Target {
  const profile = PROFILES[kernel];
  return {
    profile,
    mitigations: profile.boots.default,
    ibt: profile.ibt,
    signature: parseSignature(signature),
    listing: 'traced',
    ipmodify: false,
    bpf: false,
    noreturn: false,
    tailCallCtx: false,
    ...around,
  };
}

type Asked = Pick<BpfProgram, 'kind'> & Partial<BpfProgram>;

const fentry: Asked = { kind: 'fentry' };
const fexit: Asked = { kind: 'fexit' };
const fmodRet: Asked = { kind: 'fmod_ret' };
const fsession: Asked = { kind: 'fsession' };
const multi = (program: Asked): Asked => ({ ...program, multi: true });
const times = (count: number, program: Asked) => Array.from({ length: count }, () => program);

function attempt(to: Target, asked: readonly Asked[]): Attempt {
  const programs = asked.map((program, i): BpfProgram => ({ ...plainProgram(i + 1), ...program }));
  return attachPrograms(to, programs, { base: LAYOUT.image, resolve: () => undefined });
}

/** What attaching comes to: `2 attached`, or `prog#2 attach E2BIG`. */
function outcome(to: Target, asked: readonly Asked[]): string {
  const { attached, refusal } = attempt(to, asked);
  if (refusal === undefined) return `${attached.length} attached`;
  expect(attached).toHaveLength(refusal.program - 1);
  return `prog#${refusal.program} ${refusal.stage} ${refusal.errno}`;
}

describe('what a kernel accepts and refuses', () => {
  test.each([
    // Arguments: twelve of them, sixteen bytes each; the most words that the image can carry.
    ['6.1', 'u64 x6', [fentry], '1 attached'],
    ['6.1', 'u64 x7', [fentry], 'prog#1 attach ENOTSUPP'],
    ['6.1', 's16b x3', [fexit], '1 attached'],
    ['6.1', 's16b x3, u8', [fexit], 'prog#1 attach ENOTSUPP'],
    ['6.12', 'u64 x12', [fexit], '1 attached'],
    ['6.12', 'u64 x13', [fexit], 'prog#1 load EINVAL'],
    ['6.12', 's16b x6', [fexit], '1 attached'],
    ['6.12', 's16b x6, u8', [fexit], 'prog#1 attach ENOTSUPP'],
    ['6.12', 's17b', [fentry], 'prog#1 load EINVAL'],
    // Return values.
    ['6.12', '-> s8b', [fentry], 'prog#1 load EINVAL'],
    ['6.1', '-> u128', [fexit], '1 attached'],
    ['6.12', '-> u128', [fentry], '1 attached'],
    ['6.12', '-> u128', [fexit], 'prog#1 load EOPNOTSUPP'],
    ['7.2', '-> u128', [fentry, fmodRet], 'prog#2 load EOPNOTSUPP'],
    ['7.2', '-> u128', [multi(fexit)], 'prog#1 attach EOPNOTSUPP'],
    // Sessions and multi links came with 7.x.
    ['6.12', 'u64', [fsession], 'prog#1 load EINVAL'],
    ['6.12', 'u64', [multi(fentry)], 'prog#1 load EINVAL'],
    ['7.2', 'u64', [fsession, multi(fentry)], '2 attached'],
    ['7.2', 'u64', [multi(fmodRet)], 'prog#1 load EINVAL'],
    // 38 links, on 7.2 two less; a session takes two.
    ['6.12', 'u64', times(38, fentry), '38 attached'],
    ['6.12', 'u64', times(39, fentry), 'prog#39 attach E2BIG'],
    ['7.2', 'u64', times(18, fsession), '18 attached'],
    ['7.2', 'u64', times(19, fsession), 'prog#19 attach E2BIG'],
    ['7.2', 'u64', [...times(17, fsession), fentry, fsession], 'prog#19 attach E2BIG'],
    // An image has to fit its page.
    ['6.12', 'u64 x12', times(38, { ...fexit, cookie: { hi: 1, lo: 1 } }), '38 attached'],
    // The first refusal ends the attempt.
    ['6.12', 'u64 x12', [fentry, fsession, fexit], 'prog#2 load EINVAL'],
  ] satisfies [KernelVersion, string, readonly Asked[], string][])(
    '%s: %s, %j: %s',
    (kernel, signature, programs, expected) => {
      expect(outcome(target(kernel, signature), programs)).toBe(expected);
    },
  );

  test.each([
    // __int128 is no scalar.
    ['6.12', 'u128', fentry],
    // Nothing beyond twelve words is part of ctx, be it an argument or the return value.
    ['7.2', 's16b x6, u8', fentry],
    ['6.12', 'u64 x12', fexit],
    ['6.1', 'u64 -> u128', fexit],
    // A pointer cannot be modified.
    ['6.12', 'u64 -> ptr', fmodRet],
  ] satisfies [KernelVersion, string, Asked][])(
    '%s: %s: %j is refused at load if it reads ctx itself',
    (kernel, signature, program) => {
      expect(outcome(target(kernel, signature), [{ ...program, reads: 'direct' }])).toBe(
        'prog#1 load EACCES',
      );
      expect(outcome(target(kernel, signature), [program])).not.toContain('load');
    },
  );

  test('a program that reads ctx itself is loaded within these limits', () => {
    const direct = (program: Asked): Asked => ({ ...program, reads: 'direct' });
    expect(outcome(target('6.12', 'u64 x12'), [direct(fentry)])).toBe('1 attached');
    expect(outcome(target('6.12', 'u64 -> ptr'), [direct(fexit)])).toBe('1 attached');
    expect(outcome(target('6.1', 'u64 -> u128'), [direct(fentry)])).toBe('1 attached');
  });

  test('a sleepable program needs a function that may sleep', () => {
    const program: Asked = { ...fentry, sleepable: true };
    expect(outcome(target('7.2', 'u64'), [program])).toBe('1 attached');
    expect(outcome(target('7.2', 'u64', { listing: 'unlisted' }), [program])).toBe('prog#1 load EINVAL');
  });

  // Read in check_attach_modify_return() and bpf_check_attach_target() of each; 7.2 also in check_attach_sleepable().
  const LISTED: readonly (readonly [KernelVersion, string, string])[] = [
    ['6.1', 'traced security', ''],
    ['6.12', 'traced security kfunc', 'traced'],
    ['7.2', 'traced security kfunc syscall', 'traced syscall'],
  ];
  test.each(LISTED)('%s: fmod_ret programs take %s, sleepable ones %s', (kernel, modifiable, sleepable) => {
    const taken = (program: Asked) =>
      LISTINGS.filter(
        (listing) => outcome(target(kernel, 'u64', { listing }), [program]) === '1 attached',
      ).join(' ');
    expect(taken(fmodRet)).toBe(modifiable);
    expect(taken({ ...fentry, sleepable: true })).toBe(sleepable);
    expect(taken({ ...fmodRet, sleepable: true })).toBe(sleepable);
    expect(taken(fexit)).toBe(LISTINGS.join(' '));
  });

  test('a BPF program cannot be filtered', () => {
    expect(outcome(target('6.12', 'u64', { bpf: true, tailCallCtx: true }), [fexit, fmodRet])).toBe(
      'prog#2 load EINVAL',
    );
  });
});

describe('a live-patched function', () => {
  const patched = target('7.2', 'u64', { ipmodify: true });

  test('is shared by a direct call that calls the original', () => {
    expect(requestFor(patched, attempt(patched, [fexit])).sticky.shareIpmodify).toBe(true);
    expect(requestFor(patched, attempt(patched, [fentry])).sticky.shareIpmodify).toBe(false);
  });

  test('makes a multi link that calls the original wait, unless another link shares it already', () => {
    expect(outcome(patched, [multi(fentry)])).toBe('1 attached');
    expect(outcome(patched, [multi(fexit)])).toBe('prog#1 attach EAGAIN');
    expect(outcome(patched, [fexit, multi(fexit)])).toBe('2 attached');
  });
});
