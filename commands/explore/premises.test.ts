import { describe, expect, test } from 'vitest';
import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { parseScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import { requirePremises } from './premises.ts';

const HEAD =
  'kernel 6.12\n\nf1 = function(u64 -> u64)\nf2 [m1] = function(u64 -> u64)\nf3 = function(u64 -> void) noreturn\nrec = function(u64 -> u64)\n';
const PROG = 'prog#1 = BPF_PROG_LOAD(fentry, f1)\n';

function read(text: string) {
  return parseScenario(`${HEAD}${text}`).scenario;
}

function laws(text: string): readonly string[] {
  const { breaches, complete } = explore(new Space(read(text)), { laws: TASK_LAWS, nameOf: () => 'listed' });
  expect(complete).toBe(true);
  return breaches.map(({ law }) => law.name);
}

describe('a misuse is refused', () => {
  test.each([
    [
      'client#1: delete_module(m1)\ntask#1: f2(0x1)',
      'task#1 calls f2 of m1, which client#1 loads or unloads: a caller of a function holds its module',
    ],
    [
      'client#1: register_kprobe(kprobe#1, rec)\nclient#2: register_kprobe(kprobe#2, rec)\ntask#1: rec(0x7)',
      'task#1 calls rec, and 8 calls in all, each in one of 4 states that clients produce, have more than ',
    ],
    ['delete_module(m1)\ntask#1: f2(0x1)', 'task#1 calls f2, and m1 is not loaded'],
    [
      'task#1 (interrupted by f3(0x1)): f1(0x1)',
      'f3 does not return, and is called in an interrupt of task#1',
    ],
    [
      `${PROG}client#1: close(link#2)\nclient#1: link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)\nclient#2: close(link#1)\nclient#2: link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#1)`,
      'client#1 and client#2 wait for links or programs of each other for ever',
    ],
    [
      `${PROG}link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)\nclient#1: close(link#1)\nclient#1: link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)`,
      'link#1 is created twice: give the second one its own name',
    ],
    [
      'client#1: register_kprobe(kprobe#1, f1)\nclient#2: register_kprobe(kprobe#1, f1)',
      'client#1 and client#2 register kprobe#1 concurrently: the kernel does not serialise this',
    ],
    [
      'client#1: register_ftrace_graph(gops#1)\nclient#2: register_ftrace_graph(gops#1)',
      'client#1 and client#2 register gops#1 concurrently: ',
    ],
    [
      'client#1: kfree(gops#1)\nclient#2: register_ftrace_graph(gops#1)',
      'client#1 frees gops#1, which client#2 uses: its owner frees it after its last use',
    ],
    [
      'client#1: ftrace_set_filter_ip(gops#1.ops, f1)\nclient#2: kfree(gops#1)',
      'client#2 frees gops#1, which client#1 uses: ',
    ],
    [
      'sys = tracepoint(u64) faultable\ntask#1 (interrupted by sys(0x1)): f1(0x1)',
      'sys is faultable, and is hit in an interrupt of task#1: no interrupt may fault',
    ],
    [`${PROG}client#1: ${PROG}`, 'prog#1 is created twice: give the second one its own name'],
    [
      Array.from({ length: 8 }, (_, i) => `client#${i + 1}: register_kprobe(kprobe#${i + 1}, f1)`).join('\n'),
      'have 40320 orders, and laws check at most 5040',
    ],
  ])('%s', (text, why) => {
    expect(() => requirePremises(read(text))).toThrow(why);
  });
});

describe('what clients do to each other is not the fault of the kernel', () => {
  test('a client has a link when the call that creates it has returned', () => {
    const text = `${PROG}client#1: link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)\nclient#2: close(link#1)\ntask#1: f1(0x1)`;
    expect(() => requirePremises(read(text))).not.toThrow();
    expect(laws(text)).toEqual([]);
  });

  test('an ops that two clients register is warned about', () => {
    const setup = 'ops#1 = ftrace_ops()\nftrace_set_filter_ip(ops#1, f1)\n';
    expect(
      laws(`${setup}client#1: register_ftrace_function(ops#1)\nclient#2: register_ftrace_function(ops#1)`),
    ).toEqual([]);
  });

  test.each([
    ['register_kprobe(kprobe#1, f1)', 'register_kprobe(kprobe#1, f1)'],
    ['ops#1 = ftrace_ops()', 'unregister_ftrace_function(ops#1)'],
  ])('who does that twice is warned about it: %s, %s', (setup, again) => {
    expect(laws(`${setup}\nclient#1: ${again}`)).toEqual([]);
  });

  test('a kprobe is unregistered while its module goes', () => {
    expect(
      laws(
        'register_kprobe(kprobe#1, f2)\nclient#1: delete_module(m1)\nclient#2: unregister_kprobe(kprobe#1)',
      ),
    ).toEqual([]);
  });
});
