import { describe, expect, test } from 'vitest';
import { PROFILES } from '../core/profile.ts';
import { chooseFlags, enteredByJmp, printFlags } from './flags.ts';
import type { TracingKind } from './program.ts';
import { plainProgram } from './program.ts';

const flagsOf = (kernel: '6.12' | '7.2', kinds: readonly TracingKind[], shareIpmodify = false) => {
  const programs = kinds.map((kind, i) => ({ ...plainProgram(i + 1), kind }));
  return chooseFlags(PROFILES[kernel], programs, { shareIpmodify, tailCallCtx: false });
};

describe('the flags of an image', () => {
  test.each<['6.12' | '7.2', TracingKind[], boolean, string]>([
    ['6.12', ['fentry'], false, 'RESTORE_REGS'],
    ['7.2', ['fentry'], false, 'RESTORE_REGS'],
    ['6.12', ['fentry', 'fexit'], false, 'CALL_ORIG | SKIP_FRAME'],
    ['7.2', ['fentry', 'fexit'], false, 'CALL_ORIG'],
    ['7.2', ['fmod_ret'], true, 'CALL_ORIG | SKIP_FRAME | ORIG_STACK | SHARE_IPMODIFY'],
  ])('%s with %j, beside a live patch: %s', (kernel, kinds, shared, text) => {
    expect(printFlags(flagsOf(kernel, kinds, shared))).toBe(text);
  });

  test('7.2 jumps to an image that calls the original, unless a live patch is there', () => {
    expect(enteredByJmp(flagsOf('7.2', ['fexit']))).toBe(true);
    expect(enteredByJmp(flagsOf('7.2', ['fexit'], true))).toBe(false);
    expect(enteredByJmp(flagsOf('6.12', ['fexit']))).toBe(false);
  });
});
