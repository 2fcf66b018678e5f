import { expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { parseAction } from '../../model/action-text.ts';
import type { Action } from '../../model/client/all.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { targetProgram, tracedFunction } from '../../model/trampoline/traced-function.ts';
import { ZERO } from '../../model/x86/word.ts';
import { deadFtraceStaysDead } from './dead-ftrace-stays-dead.ts';

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), targetProgram('p2', 2, 'u64 -> u64')];

const DIES: readonly Action[] = [
  { do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code' } },
  { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
];

const ATTACH: readonly Action[] = [
  { do: 'BPF_PROG_LOAD', program: plainProgram(1), target: 'p2', probe: '', returns: ZERO },
  { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: [] },
];

test.each(['6.1', '6.12', '7.2'])(
  'a program is attached to a BPF program while ftrace is dead, %s',
  (profile) => {
    const sequence = { profile, functions: FUNCTIONS, actions: [...DIES, ...ATTACH] };
    const { breach, outcomes, witnesses } = runSequence(sequence, { laws: [deadFtraceStaysDead] });
    expect(outcomes.map(({ errno }) => errno).slice(2)).toEqual([0, 0]);
    expect([...witnesses]).toEqual([deadFtraceStaysDead]);
    expect(breach).toBeUndefined();
  },
);

test('an ops that a link registers before ftrace dies over the next is not the one it dies over', () => {
  const lines = [
    'prog#1 = BPF_PROG_LOAD(fentry multi)',
    'link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
    'prog#2 = BPF_PROG_LOAD(fentry multi)',
    'the 3rd poke in ftrace_replace_code fails',
    'link#2 = BPF_LINK_CREATE(prog#2, { f1, f2, f3, f4 })',
  ];
  const profile = '6.12, multiLinks = global';
  const functions = ['u64 x2', 'u64', 'u64', 'u64 x2'].map((args, i) =>
    tracedFunction(`f${i + 1}`, i + 1, `${args} -> u64`),
  );
  const actions = lines.map((line) => parseAction(line, { profile, functions }));
  const { breach, outcomes, witnesses } = runSequence(
    { profile, functions, actions },
    { laws: [deadFtraceStaysDead] },
  );
  expect(outcomes.at(-1)).toMatchObject({ errno: 0, warnings: [{ is: 'ftrace bug', ip: 'f4' }] });
  expect([...witnesses]).toEqual([deadFtraceStaysDead]);
  expect(breach).toBeUndefined();
});
