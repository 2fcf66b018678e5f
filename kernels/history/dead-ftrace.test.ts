import { describe, expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { hasFreedProbe, isSameDeadEntry } from './dead-ftrace.ts';

describe('an entry in a kernel whose ftrace is dead', () => {
  test('may be a page that was freed, and has lost its name', () => {
    expect(isSameDeadEntry('call an ops trampoline', 'call a BPF trampoline')).toBe(true);
    expect(isSameDeadEntry('call an ops trampoline', 'call unmapped memory')).toBe(true);
  });

  test('is what it says otherwise', () => {
    expect(isSameDeadEntry('call a BPF trampoline', 'call a BPF trampoline')).toBe(true);
    expect(isSameDeadEntry('nop', 'call unmapped memory')).toBe(false);
    expect(isSameDeadEntry('call an ops trampoline', 'call ftrace_caller')).toBe(false);
  });
});

test.each([
  ['the next poke in ftrace_replace_code fails\nclose(perf#1)\n', true],
  ['close(perf#1)\n', false],
  ['', false],
])('the kprobe of a perf event is freed where the kernel has it: %j', (rest, isFreed) => {
  const { case: c } = parseSequence(
    `kernel   6.1\n\nf1 = function(u64 -> u64)\nperf#1 = perf_event_open(kprobe, f1)\n${rest}`,
  );
  const k = bootKernel({ profile: c.profile, boot: 'default', functions: c.functions });
  for (const action of c.actions) apply(k, action);
  expect(hasFreedProbe(k)).toBe(isFreed);
});
