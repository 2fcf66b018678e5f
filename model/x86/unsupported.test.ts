import { describe, expect, it } from 'vitest';
import { bytesOf, CODE, createRig, describeStop, START, setState } from './rig.ts';
import { run } from './run.ts';
import { sweep } from './sweep.ts';
import { fromBigInt } from './word.ts';

describe('an instruction that is not modelled is an exception that names it and the place', () => {
  it.each([
    ['0faef0', '0f ae f0 (mfence)'],
    ['f00107', 'f0 01 07 (add)'],
    ['f3480fb8c1', 'f3 48 0f b8 c1 (popcnt)'],
    ['0f05', '0f 05 (syscall)'],
    ['64488b042528000000', '64 48 8b 04 25 28 00 00 00 (mov)'],
    ['66c3', '66 c3 (ret)'],
    ['06', '06 (not an instruction)'],
    ['0fff', '0f ff c0 (ud0)'],
  ])('%s', (hex, named) => {
    const m = createRig(bytesOf(hex.padEnd(24, 'c0')));
    expect(() => run(m, 1)).toThrow(
      expect.objectContaining({
        name: 'UnsupportedInstruction',
        message: `unsupported instruction ${named} at code+0x100`,
        at: fromBigInt(START),
      }),
    );
  });

  it('is raised when a run gets there, not before', () => {
    const m = createRig(bytesOf('90eb0106ffc0'));
    expect(describeStop(m, run(m, 3))).toBe('none');
    setState(m, { rip: START + 3n });
    expect(() => run(m, 1)).toThrow('unsupported instruction 06 (not an instruction) at code+0x103');
  });

  it('is raised after an instruction that falls through to it, each time', () => {
    const m = createRig(bytesOf('900f31'));
    for (const turn of [1, 2]) {
      setState(m, { rip: START });
      expect(() => run(m, turn)).toThrow('unsupported instruction 0f 31 (rdtsc) at code+0x101');
    }
  });

  it('is raised at the target of a jump into the middle of another instruction', () => {
    // mov $0xf4f4f4f4,%eax; jmp back into the immediate
    const m = createRig(bytesOf('b8f4f4f4f4ebfa'));
    expect(() => run(m, 9)).toThrow('unsupported instruction f4 (hlt) at code+0x101');
  });

  it('is raised by a sweep as well', () => {
    expect(() => sweep(bytesOf('90900f0b0fa2'), fromBigInt(CODE))).toThrow(
      'unsupported instruction 0f a2 (cpuid) at tramp#1+0x4',
    );
  });
});
