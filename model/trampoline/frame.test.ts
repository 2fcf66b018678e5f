import { describe, expect, test } from 'vitest';
import type { KernelVersion } from '../core/profile.ts';
import { PROFILES } from '../core/profile.ts';
import { ZERO } from '../x86/word.ts';
import { printFlags } from './flags.ts';
import { planParts } from './plan/plan.ts';
import type { BpfProgram, TracingKind } from './program.ts';
import { parseSignature } from './signature.ts';

function parts(
  kernel: KernelVersion,
  signature: string,
  kinds: readonly (TracingKind | 'ip' | 'cookie')[],
  patched = false,
) {
  const profile = PROFILES[kernel];
  const programs = kinds.map(
    (word, i): BpfProgram => ({
      id: i + 1,
      kind: word === 'ip' ? 'fentry' : word === 'cookie' ? 'fsession' : word,
      multi: false,
      cookie: ZERO,
      getFuncIp: word === 'ip',
      sessionCookie: word === 'cookie',
      sleepable: false,
      reads: 'helpers',
    }),
  );
  return planParts({
    profile,
    mitigations: profile.boots.default,
    ibt: profile.ibt,
    signature: parseSignature(signature),
    programs,
    sticky: { shareIpmodify: patched, tailCallCtx: false },
  });
}

describe('flags', () => {
  test.each([
    ['6.12', ['fentry'], false, 'RESTORE_REGS'],
    ['6.12', ['fexit'], false, 'CALL_ORIG | SKIP_FRAME'],
    ['6.12', ['ip', 'fmod_ret'], false, 'CALL_ORIG | SKIP_FRAME | IP_ARG'],
    ['6.12', ['fexit'], true, 'CALL_ORIG | SKIP_FRAME | ORIG_STACK | SHARE_IPMODIFY'],
    ['7.2', ['fexit'], false, 'CALL_ORIG'],
    ['7.2', ['fexit'], true, 'CALL_ORIG | SKIP_FRAME | ORIG_STACK | SHARE_IPMODIFY'],
    ['7.2', ['fsession'], false, 'CALL_ORIG'],
  ] satisfies [KernelVersion, (TracingKind | 'ip')[], boolean, string][])(
    '%s %j, live patch %s: %s',
    (kernel, kinds, patched, flags) => {
      expect(printFlags(parts(kernel, 'u64', kinds, patched).flags)).toBe(flags);
    },
  );
});

describe('the frame', () => {
  test.each([
    // Nothing but the count, rbx and the run context.
    ['6.12', '-> u64', ['fentry'], { bytes: 32, argsAt: 0, metaAt: -8, rbxAt: -16, runCtxAt: -32 }],
    ['6.1', '-> u64', ['fentry'], { bytes: 24, metaAt: -8, rbxAt: undefined, runCtxAt: -24 }],
    [
      '6.12',
      'u64 x2',
      ['fexit'],
      { bytes: 56, returnAt: -8, argsAt: -24, metaAt: -32, rbxAt: -40, runCtxAt: -56 },
    ],
    ['6.12', 'u64 x2', ['ip', 'fexit'], { bytes: 64, ipAt: -40, rbxAt: -48, runCtxAt: -64 }],
    // Stack arguments are copied to rsp, and padded to a multiple of 16 below rbp and the return addresses.
    ['6.12', 'u64 x7', ['fexit'], { bytes: 104, stackSlots: 1, stackArgsAt: -104, callerStackAt: 24 }],
    ['6.12', 'u64 x8', ['fexit'], { bytes: 120, stackSlots: 2, stackArgsAt: -120 }],
    ['7.2', 'u64 x7', ['fexit'], { bytes: 112, stackArgsAt: -112, callerStackAt: 16 }],
    ['6.12', 'u64 x7', ['fentry'], { stackSlots: 1, stackArgsAt: undefined }],
    // A session's cookie takes a word; two of them two.
    [
      '7.2',
      'u64',
      ['cookie', 'fsession', 'cookie'],
      { sessionCookies: 2, sessionCookiesAt: -40, rbxAt: -48 },
    ],
  ] satisfies [KernelVersion, string, (TracingKind | 'ip' | 'cookie')[], object][])(
    '%s %s %j: %j',
    (kernel, signature, kinds, expected) => {
      expect(parts(kernel, signature, kinds).frame).toMatchObject(expected);
    },
  );

  test('no number in it is minus zero', () => {
    for (const value of Object.values(parts('6.12', '-> u64', ['fentry']).frame))
      expect(Object.is(value, -0)).toBe(false);
  });
});
