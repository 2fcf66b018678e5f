import { describe, expect, test } from 'vitest';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { CallAnswer } from '../history/answer.ts';
import type { CastHistory } from '../history/cast-history.ts';
import type { Staging } from './staging.ts';
import { crashed, missVerdict, verdict } from './verdict.ts';

const WARNS: TaskFinding = { is: 'warns', warnings: [{ is: 'ops without func', ops: 'ops#1' }] };
const CRASHES: TaskFinding = { is: 'crashes', crash: { is: 'ops without func', ops: 'ops#1' } };
const DIFFERS: TaskFinding = {
  is: 'unpromised-event',
  event: { kind: 'body', who: 'f1', fn: 'f1', atReturn: false },
};

/** A staging: its finding alone is used. */
function stagingOf(finding: TaskFinding): Staging {
  return { breach: { finding } } as unknown as Staging;
}

const NOTHING_SEEN: CallAnswer = { rax: '0x0', lost: 0, events: [], misses: {}, warnings: [] };
const QUESTION: CastHistory = { case: { profile: '6.12', functions: [], actions: [] }, cast: new Map() };

/** Of a kernel with these lines on its console, where the breach of the model is on that CPU. */
function verdictOn(finding: TaskFinding, cpu: number | undefined, ...warnings: string[]) {
  return verdict({ ...NOTHING_SEEN, warnings }, QUESTION, stagingOf(finding), cpu);
}

const shownBy = (cpu: number | undefined, ...warnings: string[]) => verdictOn(WARNS, cpu, ...warnings).is;

const IN_6_12 = 'WARNING: CPU: 2 PID: 143 at kernel/trace/ftrace.c arch_ftrace_ops_list_func+0x193/0x1d0';
const IN_7_2 = 'WARNING: kernel/trace/ftrace.c at arch_ftrace_ops_list_func+0x1fd/0x250, CPU#2: init/114';
const OOPS = 'Oops: general protection fault, probably for non-canonical address 0x6b6b6b6b6b6b6bfb';

describe('the WARN of an actor', () => {
  test.each([IN_6_12, IN_7_2])('is one on its CPU: %s', (line) => {
    expect(shownBy(2, line)).toBe('shown');
    expect(shownBy(1, line)).toBe('differs');
  });

  test('is on any CPU, of background work', () => {
    expect(shownBy(undefined, IN_7_2)).toBe('shown');
  });

  test('may name no CPU', () => {
    expect(shownBy(1, 'BUG: sleeping function called from invalid context at kernel/bpf/trampoline.c')).toBe(
      'shown',
    );
  });

  test('is beside those of others', () => {
    expect(shownBy(1, IN_6_12, IN_6_12.replace('CPU: 2', 'CPU: 1'))).toBe('shown');
  });

  test('is no message', () => {
    expect(shownBy(2, 'ftrace: shutting down, CPU: 2')).toBe('differs');
  });

  test('that is missing: what was seen instead', () => {
    expect(verdictOn(WARNS, 2)).toEqual({
      is: 'differs',
      kernel: ['no warning'],
      model: ['ops without func'],
    });
  });
});

describe('a kernel that oopses and still answers', () => {
  test('has crashed, where the model crashes', () => {
    expect(verdictOn(CRASHES, 2, OOPS)).toEqual({ is: 'shown', kernel: [OOPS] });
    expect(verdictOn(CRASHES, 2)).toEqual({ is: 'runs on' });
  });

  test('differs where the model continues or warns, but for a crash that follows the WARN', () => {
    const differs = { is: 'differs', model: ['continues'], hasCrashed: true };
    expect(verdictOn(DIFFERS, 2, OOPS)).toEqual({ ...differs, kernel: [OOPS] });
    expect(verdictOn(WARNS, 3, IN_6_12, OOPS)).toEqual({ ...differs, kernel: [IN_6_12, OOPS] });
    expect(verdictOn(WARNS, 2, IN_6_12, OOPS).is).toBe('shown');
  });
});

describe('a kernel that does not answer', () => {
  test('says nothing, unless it oopsed', () => {
    const lost = (end: 'hangs' | 'ended', ...console: string[]) =>
      crashed(stagingOf(CRASHES), { end, console });
    expect(lost('hangs')).toEqual({ is: 'not run', why: 'the machine does not answer in time' });
    expect(lost('hangs', 'watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [init:94]').is).toBe('not run');
    expect(lost('hangs', OOPS)).toEqual({ is: 'shown', kernel: [OOPS] });
    expect(lost('ended')).toEqual({ is: 'shown', kernel: [] });
  });
});

const SEES = 'kretprobe kretprobe#1 of f1 returns 0x1';

describe('a miss that is counted wrongly', () => {
  const shown = (who: string, misses: Readonly<Record<string, number>>, ...kernel: string[]) => {
    const finding = { is: 'counted-misses-differ', who, expected: 0, observed: 1 } as const;
    return missVerdict({ ...NOTHING_SEEN, misses }, finding, { kernel, model: ['body f1', SEES] });
  };

  test('is shown by the counter of its probe, which sees the call', () => {
    const kernel = ['program prog#2', SEES, 'kretprobe#1 misses 1'];
    expect(shown('kretprobe#1', { 'kretprobe#1': 1 }, 'program prog#2', SEES)).toEqual({
      is: 'shown',
      kernel,
    });
    expect(shown('kretprobe#1', { 'kretprobe#1': 1 })).toMatchObject({ is: 'differs' });
    expect(shown('kretprobe#1', {}, SEES)).toEqual({
      is: 'differs',
      kernel: [SEES, 'kretprobe#1 misses 0'],
      model: ['body f1', SEES, 'kretprobe#1 misses 1'],
    });
  });

  test('of a program is not read', () => {
    expect(shown('prog#1', {}, 'body f1')).toMatchObject({ is: 'not run' });
  });
});
