import { describe, expect, test } from 'vitest';
import { parseScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { noWarnAndNoOops } from '../../properties/task/no-warn-and-no-oops.ts';
import { isOfEmulator, runSchedule } from './run-schedule.ts';

/** It is refused before anything is booted. */
const NO_KERNEL = { image: '', recorder: '', second: '', livepatch: '', driver: '' };

const lost = (...console: string[]) => isOfEmulator({ console });

describe('an int3 that is not there any more', () => {
  test('is the emulator’s, in a function of the kernel', () => {
    expect(lost('Oops: int3: 0000 [#1] SMP NOPTI', 'RIP: 0010:ktime_get+0x5/0xd0')).toBe(true);
    expect(lost('int3: 0000 [#1] PREEMPT SMP', 'RIP: 0010:hash_sub.isra.0+0x5/0xd0')).toBe(true);
  });

  test('is the kernel’s, in an image or in freed memory', () => {
    expect(lost('Oops: int3: 0000 [#1] SMP NOPTI', 'RIP: 0010:0xffffffffc0000878')).toBe(false);
    expect(lost('Oops: int3: 0000 [#1] SMP', 'RIP: 0010:bpf_trampoline_6442475537+0x12/0x100')).toBe(false);
    expect(lost('Oops: int3: 0000 [#1] SMP', 'RIP: 0010:bpf_prog_1f_one+0x12/0x100')).toBe(false);
  });

  test('is no other crash', () => {
    expect(lost('Oops: general protection fault [#1] SMP', 'RIP: 0010:hash_contains_ip+0x77/0xd0')).toBe(
      false,
    );
  });
});

describe('what the recorder cannot stage', () => {
  const whyOf = (...lines: string[]) => {
    const { scenario } = parseScenario(['kernel   7.2', 'cpus     1', '', ...lines].join('\n'));
    const { shown } = runSchedule(NO_KERNEL, { scenario, runs: [] }, noWarnAndNoOops);
    return 'why' in shown ? shown.why : shown.is;
  };
  const F1 = 'f1 = function(u64 -> u64)';
  const CLIENT = 'client#1: register_kprobe(kprobe#1, f1)';

  test.each([
    ['functions of this kind', 'f1 = function(u64, u64, u64, u64, u64, u64, u64, u64, u64 -> u64)', CLIENT],
    [
      'kprobes in a body, whose instructions the compiler chooses',
      F1,
      'client#1: register_kprobe(kprobe#1, f1+0xa)',
    ],
    ['an interrupt that makes a call', F1, CLIENT, 'task#1 (interrupted by f1(0x1)): f1(0x1)'],
  ])('%s', (why, ...lines) => {
    expect(whyOf(...lines)).toBe(why);
  });
});
