import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../checker/sequences/faults.ts';
import { declareTracepoint } from '../../model/raw-tracepoint/tracepoints.ts';
import { failLine } from './failing-calls.ts';
import { CannotSay } from './numbers.ts';

/** The line of the next failure of each, or why there is none. */
function lineOf(fault: Parameters<typeof failLine>[0], profile = '7.2'): string {
  const tracepoints = fault.where === 'allocate_probes' ? [declareTracepoint('tp1', 'u64')] : [];
  try {
    return failLine(fault, { profile, tracepoints });
  } catch (error) {
    if (error instanceof CannotSay) return error.message;
    throw error;
  }
}

/** Events of tracepoints have the allocation of those of kprobes. */
const OF_BOTH = ['perf_event_open'];

describe('a failure that is ordered', () => {
  test('has calls in machine code for every function that can be drawn but one', () => {
    const without = FAULTS.filter((fault) => {
      const profile = fault.where.includes('one user') ? '6.1' : '7.2';
      return !lineOf(fault, profile).startsWith('i 1 ');
    });
    expect(without.map(({ where }) => where)).toEqual(OF_BOTH);
  });

  test('has five words for each call: where, what, by whom, which, and the answer', () => {
    for (const fault of FAULTS) {
      const words = lineOf(fault).split(' ');
      if (words[0] === 'i') expect([fault.where, (words.length - 2) % 5]).toEqual([fault.where, 0]);
    }
  });

  test('is not that of another kernel with a function of the same name', () => {
    const fault = { what: 'allocation', where: 'register_ftrace_graph (one user)' } as const;
    expect(lineOf(fault, '6.1')).toMatch(/^i 1 register_ftrace_graph kmalloc_trace - 0 0 /);
    expect(lineOf(fault, '7.2')).toBe('a failing allocation of another kernel');
  });

  test('can be the second, but where the model has several allocations as one', () => {
    const nth = 2;
    expect(lineOf({ what: 'allocation', where: 'ftrace_set_hash', nth })).toMatch(/^i 2 /);
    expect(lineOf({ what: 'allocation', where: 'rebuild_hashes', nth })).toBe(
      'the second of allocations that the model has as one',
    );
  });

  test('is not ordered where tracepoints and others have one allocation', () => {
    const [probes, event] = ['allocate_probes', 'perf_event_open (kprobe)'].map(
      (where) => ({ what: 'allocation', where }) as const,
    );
    const beside = [declareTracepoint('tp1', 'u64')];
    for (const [fault, tracepoints] of [
      [probes!, []],
      [event!, beside],
    ] as const)
      expect(() => failLine(fault, { profile: '7.2', tracepoints })).toThrow('of tracepoints, or of others');
    expect(failLine(probes!, { profile: '7.2', tracepoints: beside })).toMatch(/^i 1 tracepoint_add_func /);
    expect(failLine(event!, { profile: '7.2' })).toMatch(/^i 1 perf_event_alloc /);
  });
});
