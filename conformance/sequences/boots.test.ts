import { describe, expect, test } from 'vitest';
import type { Raw } from './rig.ts';
import { ASKED, LINES, raw, replay } from './rig.ts';

const [EAGAIN, EBUSY] = [11, 16];

describe('the state that a sequence is replayed on', () => {
  const hows = (...records: Raw[]) =>
    replay(...records).map(({ how, divergence }) => (divergence ? 'none' : how));

  test('is the one that the previous sequence left', () => {
    expect(hows(raw('7.2', 'common', 21), raw('7.2', 'common', 22))).toEqual(['first', 'carried']);
  });

  test('matters: an image entered by a call after that sequence is entered by a jump after a reboot', () => {
    expect(replay(raw('7.2', 'common', 22))[0]!.divergence).toMatchObject({
      step: 2,
      aspect: 'enabled_functions',
      kernel: '2 ops, R D, direct a BPF trampoline',
      model: '2 ops, R D, direct jmp a BPF trampoline',
    });
  });

  test('is that of an unrecorded reboot', () => {
    const of = ASKED.filter((line) => line.startsWith('{"release":"7.2'));
    expect(hows(JSON.parse(of[102]!), JSON.parse(of[103]!))).toEqual(['first', 'reboot']);
  });

  test('is one in which the function graph tracer was used before', () => {
    expect(hows(raw('6.12', 'common', 38))).toEqual(['earlier use']);
  });

  test('is one in which a direct call by address was used before', () => {
    expect(hows(raw('6.1', 'old', 1018))).toEqual(['earlier use']);
  });

  test('may leave the order of handlers open if no earlier use explains it', () => {
    expect(hows(raw('7.2', 'new', 2091))).toEqual(['order as set']);
  });

  test('is a fresh one after a sequence that poisoned the machine', () => {
    const [poisoned] = LINES.filter(
      (line) => line.startsWith('{"release":"6.12') && line.includes('"poisoned":{'),
    );
    expect(hows(JSON.parse(poisoned!), raw('6.12', 'common', 242))).toEqual(['first', 'first']);
  });

  test('an open order hides no event', () => {
    const record = raw('7.2', 'new', 2091);
    const ev = record.steps
      .flatMap(({ obs }) => obs)
      .map(({ call }) => call.ev)
      .find(({ length }) => length > 3)!;
    ev.pop();
    expect(replay(record)[0]!.divergence!.aspect).toBe('events');
  });
});

describe('how long grace periods take is open', () => {
  const EDGE = 'b+ f2 0 fentry; freg f2 2; b- - 0; funreg f2 2; freg f2 2; bm+ f2 1 fexitm';
  const recorded = (errno: number) => {
    const record: Raw = JSON.parse(ASKED.find((line) => opsOf(JSON.parse(line)) === EDGE)!);
    const last = record.steps.at(-1)!;
    last.errno = errno;
    if (errno === 0) delete last.stage;
    return replay(record)[0]!.divergence;
  };

  test('a trampoline of 7.2 without programs has been freed when the next one comes', () => {
    expect(recorded(EAGAIN)).toBeUndefined();
  });

  test('or is still there, and the program attaches', () => {
    expect(recorded(0)).toMatchObject({ aspect: 'entry', model: 'call ftrace_regs_caller' });
  });

  test('and nothing else is accepted', () => {
    expect(recorded(EBUSY)).toMatchObject({ aspect: 'errno', kernel: 'EBUSY', model: '0' });
  });
});

function opsOf({ steps }: { steps: { op: string }[] }): string {
  return steps.map(({ op }) => op).join('; ');
}
