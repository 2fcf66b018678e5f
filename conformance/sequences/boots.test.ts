import { describe, expect, test } from 'vitest';
import type { Raw } from './rig.ts';
import { LINES, raw, replay } from './rig.ts';

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
    expect(hows(raw('7.2', 'common', 54), raw('7.2', 'common', 82))).toEqual(['first', 'reboot']);
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
