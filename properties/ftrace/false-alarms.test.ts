import { describe, expect, test } from 'vitest';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { parseAction } from '../../model/action-text.ts';
import { NotModelled } from '../../model/core/not-modelled.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { targetProgram, tracedFunction } from '../../model/trampoline/traced-function.ts';
import { ATTACH_LAWS } from '../attach-laws.ts';

const FUNCTIONS = [
  tracedFunction('f1', 1, 'u64 -> u64'),
  tracedFunction('f2', 2, 'u64 -> u64'),
  targetProgram('p1', 3, 'u64 -> u64'),
];

/** The answers to some calls, which break no law in a way that is not listed. */
function answers(profile: string, ...calls: readonly string[]): (string | number)[] {
  const spelling = { profile, functions: FUNCTIONS };
  const c: AttachCase = { ...spelling, actions: calls.map((text) => parseAction(text, spelling)) };
  const { newBreach, outcomes } = runSequence(c, { laws: ATTACH_LAWS, known: KNOWN_ATTACH });
  expect([newBreach?.law.name, newBreach?.finding]).toEqual([undefined, undefined]);
  return outcomes.map(({ errno }) => errno);
}

describe('an ops with direct calls through both interfaces, as on 7.2.13', () => {
  test('is unregistered whole by the older one', () => {
    expect(
      answers(
        '7.2',
        'update_ftrace_direct_add(direct#1, { f1: my_tramp1 })',
        'unregister_ftrace_direct(direct#1, my_tramp1)',
        'task#1 calls f1(0x1)',
      ),
    ).toEqual([0, 0, 0]);
  });

  test('has one trampoline for each site after a change of one, and one for all after a change of all', () => {
    const calls = [
      'ftrace_set_filter_ip(direct#1, f1)',
      'ftrace_set_filter_ip(direct#1, f2)',
      'register_ftrace_direct(direct#1, my_tramp1)',
      'update_ftrace_direct_mod(direct#1, { f1: my_tramp2 })',
      'task#1 calls f1(0x1)',
      'task#1 calls f2(0x1)',
      'modify_ftrace_direct(direct#1, my_tramp3)',
      'task#1 calls f1(0x1)',
      'update_ftrace_direct_del(direct#1, { f1: my_tramp3 })',
      'task#1 calls f1(0x1)',
      'task#1 calls f2(0x1)',
      'unregister_ftrace_direct(direct#1, my_tramp3)',
      'task#1 calls f2(0x1)',
    ];
    expect(answers('7.2', ...calls)).toEqual(calls.map(() => 0));
  });
});

describe('a link that names a target', () => {
  test.each(KERNELS)('of a program that was loaded for one is refused by %s', (kernel) => {
    expect(
      answers(
        kernel,
        'prog#1 = BPF_PROG_LOAD(fentry, f1)',
        'link#1 = BPF_LINK_CREATE(prog#1, { f2 })',
        'link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
        'link#1 = BPF_LINK_CREATE(prog#1)',
        'task#1 calls f1(0x1)',
        'task#1 calls f2(0x1)',
      ),
    ).toEqual([0, 'EINVAL', 'EINVAL', 0, 0, 0]);
  });

  test('of an extension is not modelled', () => {
    expect(() =>
      answers('6.12', 'prog#1 = BPF_PROG_LOAD(freplace, p1)', 'link#1 = BPF_LINK_CREATE(prog#1, { p1 })'),
    ).toThrow(NotModelled);
  });
});

test('a refused call may change what the entry code calls while no ops is on the list', () => {
  expect(
    answers(
      '6.12, multiLinks = global int in rax',
      'prog#1 = BPF_PROG_LOAD(fentry multi)',
      'register_kprobe(kprobe#1, f1)',
      'sysctl kernel.ftrace_enabled=0',
      'the 3rd allocation in bpf_gtrampoline_update fails',
      'unregister_kprobe(kprobe#1)',
      'sysctl kernel.ftrace_enabled=1',
      'link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
    ).at(-1),
  ).toBe('ENOMEM');
});
