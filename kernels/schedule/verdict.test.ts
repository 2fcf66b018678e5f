import { describe, expect, test } from 'vitest';
import { warningVerdict } from './verdict.ts';

/** What a kernel shows that has these lines on its console, of a WARN of the actor on that CPU. */
function shownBy(cpu: number | undefined, ...warnings: string[]) {
  return warningVerdict({ warnings, events: [] }, ['ops without func'], cpu).is;
}

const IN_6_12 = 'WARNING: CPU: 2 PID: 143 at kernel/trace/ftrace.c arch_ftrace_ops_list_func+0x193/0x1d0';
const IN_7_2 = 'WARNING: kernel/trace/ftrace.c at arch_ftrace_ops_list_func+0x1fd/0x250, CPU#2: init/114';

describe('the WARN of an actor', () => {
  test.each([IN_6_12, IN_7_2])('is one on its CPU: %s', (line) => {
    expect(shownBy(2, line)).toBe('shown');
    expect(shownBy(1, line)).toBe('differs');
  });

  test('is on any CPU, of background work', () => {
    expect(shownBy(undefined, IN_7_2)).toBe('shown');
  });

  test('may name no CPU', () => {
    const line = 'BUG: sleeping function called from invalid context at kernel/bpf/trampoline.c';
    expect(shownBy(1, line)).toBe('shown');
  });

  test('is beside those of others', () => {
    expect(shownBy(1, IN_6_12, IN_6_12.replace('CPU: 2', 'CPU: 1'))).toBe('shown');
  });

  test('is no message', () => {
    expect(shownBy(2, 'ftrace: shutting down, CPU: 2')).toBe('differs');
    expect(shownBy(undefined)).toBe('differs');
  });

  test('is no oops: the kernel crashes where the model warns, and one that follows the WARN says nothing', () => {
    const oops = 'Oops: general protection fault, probably for non-canonical address 0x6b6b6b6b6b6b6bfb';
    const warnings = [IN_6_12, 'BUG: TASK stack guard page was hit at ffa0000000373ff8', oops];
    expect(warningVerdict({ warnings, events: [] }, [], 3)).toMatchObject({
      is: 'differs',
      hasCrashed: true,
    });
    expect(shownBy(2, ...warnings)).toBe('shown');
  });

  test('that is missing: what was seen instead', () => {
    const events = [{ kind: 'entry', who: 'fprobe#1', fn: 'f1' }];
    expect(warningVerdict({ warnings: [], events }, ['ops without func'], 2)).toEqual({
      is: 'differs',
      kernel: ['no warning', 'entry fprobe#1'],
      model: ['ops without func'],
    });
  });
});
