import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { Rig } from '../testing/attach-rig.ts';
import { ZERO } from '../x86/word.ts';
import { probeProgram } from './program.ts';
import { moduleFunction, targetProgram, tracedFunction } from './traced-function.ts';

const FUNCTIONS = [
  tracedFunction('f1', 1, 'u64 -> u64'),
  moduleFunction('m1', 2, 'u64 -> u64', 'm'),
  targetProgram('p1', 3, 'u64 -> u64'),
];

const LOAD: Action = {
  do: 'BPF_PROG_LOAD',
  program: probeProgram(1),
  target: '',
  probe: 'entry',
  returns: ZERO,
};

describe.each(['6.12', '7.2'])('symbols of a kprobe.multi link in %s', (kernel) => {
  const answer = (targets: readonly string[], symbols: boolean) => {
    const rig = new Rig(kernel, FUNCTIONS);
    rig.answer(LOAD);
    const errno = rig.answer({
      do: 'BPF_LINK_CREATE',
      link: 'link#1',
      prog: 1,
      targets,
      ...(symbols ? { symbols } : {}),
    });
    expect(rig.k.bpf.progs[1]?.refs).toBe(errno === 0 ? 2 : 1);
    return errno;
  };

  test('are looked up in the kernel and in its modules', () => {
    expect([answer(['f1', 'm1'], true), answer(['f1', 'm1'], false)]).toEqual([0, 0]);
  });

  test('are each found once: one that is named twice is ESRCH, where its address twice is not', () => {
    expect([answer(['f1', 'f1'], true), answer(['f1', 'f1'], false)]).toEqual(['ESRCH', 0]);
  });

  test('have a call site that ftrace knows: that of a BPF program is none', () => {
    expect([answer(['f1', 'p1'], true), answer(['f1', 'no_such_function'], true)]).toEqual([
      'ESRCH',
      'ESRCH',
    ]);
  });
});

test('6.1 has no such links', () => {
  const rig = new Rig('6.1', FUNCTIONS);
  rig.answer(LOAD);
  expect(rig.answer({ do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1'], symbols: true })).toBe(
    'EOPNOTSUPP',
  );
});
