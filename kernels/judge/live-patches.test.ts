import { describe, expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import { bootKernel } from '../../model/kernel.ts';
import { promised } from '../../model/promised.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';
import { expectedCall } from '../../properties/observed/expectation.ts';
import { withPatches } from './live-patches.ts';

const REPLACED = { kind: 'replacement', who: 'replacement', fn: '?' };
const RAN = { kind: 'ftrace', who: 'ops#1', fn: 'f1' };

/** The events of a call of f1, which an ops with these flags replaces: clients are older than it, and newer. */
function judged(flags: string, events: readonly (typeof RAN)[], older = '', newer = '') {
  const { case: c } = parseSequence(`kernel   6.12

f1 = function(u64 -> u64)
${older}ops#1 = ftrace_ops(${flags})
ftrace_set_filter_ip(ops#1, f1)
register_ftrace_function(ops#1)
${newer}`);
  const declared = bootKernel({ ...c, boot: 'default' });
  const promises = c.actions.reduce(
    (p, action) => promised(p, action, { errno: 0, warnings: [] }),
    nothingPromised(c.profile, c.functions),
  );
  const registers = [fromNumber(1), ZERO, ZERO, ZERO, ZERO, ZERO] as const;
  const expected = expectedCall(declared, promises, { do: 'call', fn: 'f1', registers, stack: [] });
  return withPatches(expected, promises, events);
}

test('a replacement that runs shows that the handler of its live patch has run', () => {
  expect(judged('IPMODIFY | PERMANENT', [REPLACED])).toEqual([RAN, REPLACED]);
});

describe('where it ran is not observed: it is put', () => {
  const FLAGS = 'IPMODIFY | PERMANENT';
  const KPROBE = 'register_kprobe(kprobe#1, f1)\n';
  const PROGRAM = 'prog#1 = BPF_PROG_LOAD(fentry, f1)\nlink#1 = BPF_LINK_CREATE(prog#1)\n';
  const kprobe = { kind: 'kprobe', who: 'kprobe#1', fn: 'f1' };
  const program = { kind: 'program', who: 'prog#1', fn: '' };

  test('before what older clients have seen', () => {
    expect(judged(FLAGS, [kprobe, REPLACED], KPROBE)).toEqual([RAN, kprobe, REPLACED]);
  });

  test('after what newer ones have seen', () => {
    expect(judged(FLAGS, [kprobe, REPLACED], '', KPROBE)).toEqual([kprobe, RAN, REPLACED]);
  });

  test('before every program of an image', () => {
    for (const [older, newer] of [
      [PROGRAM, ''],
      ['', PROGRAM],
    ])
      expect(judged(FLAGS, [program, REPLACED], older, newer)).toEqual([RAN, program, REPLACED]);
  });

  test('after the body that makes the call', () => {
    const body = { kind: 'body', who: '', fn: 'f2' };
    expect(judged(FLAGS, [body, kprobe, REPLACED], KPROBE)).toEqual([body, RAN, kprobe, REPLACED]);
  });
});

test('a handler that was seen is not seen twice', () => {
  expect(judged('IPMODIFY | PERMANENT', [RAN, REPLACED])).toEqual([RAN, REPLACED]);
});

test('one of a client is seen by itself, and missed where it is not', () => {
  expect(judged('SAVE_REGS | IPMODIFY', [REPLACED])).toEqual([REPLACED]);
});

test('without a replacement no handler has run', () => {
  expect(judged('IPMODIFY | PERMANENT', [])).toEqual([]);
});
