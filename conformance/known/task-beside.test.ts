import { describe, expect, test } from 'vitest';
import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { parseScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import { knownTaskName } from './task-name.ts';

/* Scenarios next to those of listed breaches: each breach is one of these, and no other. */

/** The names of all breaches of a scenario. */
function namesIn(kernel: string, ...lines: readonly string[]): string[] {
  const { scenario } = parseScenario([`kernel   ${kernel}`, '', ...lines].join('\n'));
  const { breaches } = explore(new Space(scenario, {}), {
    laws: TASK_LAWS,
    nameOf: knownTaskName,
    stopsAt: () => false,
  });
  return [...new Set(breaches.map(({ law, known }) => known ?? `new: ${law.name}`))].sort();
}

const SINGLE_BESIDE_A_KPROBE = [
  'f1 = function(u64 -> u64)',
  'f2 = function(u64 -> u64)',
  'prog#1 = BPF_PROG_LOAD(fentry multi)',
  'prog#2 = BPF_PROG_LOAD(fentry, f1)',
  'link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })',
  'register_kprobe(kprobe#3, f1)',
  '',
  'client#1: link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)',
  'task#1: f1(0x1)',
];

test.each([
  ['6.12, multiLinks = splitting', ['lost-events-of-re-registration']],
  ['6.12, multiLinks = program sets', ['lost-events-between-two-ops']],
  ['7.2, multiLinks = program sets', []],
])('calls are lost in a split beside a kprobe with %s, as without it', (kernel, names) => {
  expect(namesIn(kernel, ...SINGLE_BESIDE_A_KPROBE)).toEqual(names);
});

const REFUSED = [
  'image-of-a-refused-registration-is-freed-at-once',
  'refused-registration-bypasses-a-live-patch',
];
const RESET = ['ftrace-dies-of-a-refused-direct-call', 'refused-direct-call-is-reset-on-the-list'];

describe.each([
  'ops#2 = ftrace_ops(); ftrace_set_filter_ip(ops#2, f1); register_ftrace_function(ops#2)',
  'register_kprobe(kprobe#2, f1)',
])('beside %s, a program that joins a live-patched function is refused on the list', (beside) => {
  test.each([
    ['6.1', REFUSED],
    ['6.12', [...REFUSED, ...RESET]],
    ['7.2', [...REFUSED, ...RESET, 'filter-of-a-refused-direct-call-is-freed-while-it-is-read']],
  ])('of %s', (kernel, names) => {
    const found = namesIn(
      kernel,
      'f1 = function(u64 -> u64)',
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY)',
      'ftrace_set_filter_ip(ops#1, f1)',
      'register_ftrace_function(ops#1)',
      'prog#1 = BPF_PROG_LOAD(fexit, f1)',
      ...beside.split('; '),
      '',
      'client#1: link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)',
      'task#1: f1(0x1)',
    );
    expect(found).toEqual(names.toSorted());
  });
});

test.each(['6.1', '6.12', '7.2'])(
  'a filter file of %s that is written while a module goes has the address of what is gone',
  (kernel) => {
    expect(
      namesIn(
        kernel,
        'f1 [m1] = function(u64 -> u64)',
        '',
        'client#1: delete_module(m1)',
        'client#2: echo f1 >> set_ftrace_filter',
      ),
    ).toEqual([]);
  },
);
