import type { Locals, Part } from '../../../model/core/part.ts';
import type { Kernel, KernelView } from '../../../model/kernel.ts';
import { TRACE_LIST_START } from '../../../model/task/recursion.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { missesAreCountedOnceInTasks } from '../../task/each-missed-call-is-counted-once.ts';
import { noRecursionOnOneCpu } from '../../task/no-recursion-on-one-cpu.ts';
import { probesSeeOldOrNew } from '../../task/probes-see-old-or-new.ts';
import { F1, F2, fprobe, kprobe } from '../sequences/actions.ts';
import { dropped, edit, instead } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import { calls, register, scenario, tracer } from './scenarios.ts';

/** Another condition of a branch. */
function branching(when: (k: KernelView) => boolean): (part: Part) => readonly Part[] {
  return (part) =>
    part.kind === 'when' ? [{ ...part, when: (k: unknown) => when(k as KernelView) }] : [part];
}

function twice(_: Kernel, __: Locals, own: () => void): void {
  own();
  own();
}

/** Counts where the counter is zero. */
function onlyTheFirst({ probes }: Kernel, _: Locals, own: () => void): void {
  const before = probes.fprobes['fprobe#1']!.nmissed;
  own();
  if (before > 0) probes.fprobes['fprobe#1']!.nmissed = before;
}

const INTERRUPTED = { interrupt: calls('f2').call };

/** Two ops on a function: its calls go through the walk of ftrace_ops_list. */
const LISTED = [...tracer('ops#1', 'f1'), register('ops#1'), ...tracer('ops#2', 'f1'), register('ops#2')];
const KPROBES = scenario({
  functions: [F1, F2],
  setup: [kprobe(1), kprobe(2, false, 'f2')],
  callers: [calls('f1', INTERRUPTED)],
});

/** An fprobe that kprobes share their handlers with, where an interrupt in that of a kprobe calls. */
const SHARED = scenario({
  functions: [F1, F2],
  setup: [kprobe(1), { ...fprobe(1, true, false, 'f2'), shared: true }],
  callers: [calls('f1', INTERRUPTED)],
});

/** The same, whose fprobe sees a function and one that its body calls. */
const SHARED_BY_TWO = scenario({
  functions: [F1, F2, tracedFunction('cb', 3, 'u64 x2 -> u64')],
  setup: [kprobe(1, false, 'f2'), { ...fprobe(1), ips: ['cb', 'f1'], shared: true }],
  callers: [calls('f2', { interrupt: calls('cb').call })],
});

/** Planted bugs in the protection against recursion, which show when an interrupt comes into a call. */
export const PLANTED_RECURSION: readonly TaskPlanted[] = [
  {
    name: 'no-bit-of-transition',
    sentence:
      'The walk of ftrace_ops_list takes a call for recursive whose interrupt preempt_count does not count yet.',
    history: 'ftrace: Handle tracing when switching between context (5.10; 5.9.7)',
    law: probesSeeOldOrNew,
    profile: '6.12',
    edits: [
      edit(
        'arch_ftrace_ops_list_func',
        'it is not recursive',
        branching(({ current }) => (current.recursion & (1 << (TRACE_LIST_START + current.context))) === 0),
      ),
    ],
    scenario: scenario({
      functions: [F1],
      setup: LISTED,
      callers: [calls('f1', { earlyInterrupt: calls('f1').call })],
    }),
    finding: 'ops#1 sees f1 once (ftrace) / ops#1 never sees f1 (ftrace)',
    moves: 10,
  },
  {
    name: 'missed-kprobe-is-not-counted',
    sentence: 'kprobe_ftrace_handler() skips a call from an interrupt in a handler and does not count it.',
    history: undefined,
    law: probesSeeOldOrNew,
    profile: '6.12',
    edits: [edit('kprobe_ftrace_handler', 'count the miss', dropped)],
    scenario: KPROBES,
    finding: 'kprobe#2 sees f2 once (kprobe) / kprobe#2 never sees f2 (kprobe)',
    moves: 13,
  },
  {
    name: 'kprobe-runs-in-a-kprobe',
    sentence: 'kprobe_ftrace_handler() does not test kprobe_running().',
    history: undefined,
    law: noRecursionOnOneCpu,
    profile: '6.12',
    edits: [
      edit(
        'kprobe_ftrace_handler',
        'a kprobe is running on this CPU',
        branching(() => false),
      ),
    ],
    scenario: KPROBES,
    finding: 'kprobe#2 misses the call of f2 from an interrupt in a handler / it sees the call',
    moves: 16,
  },
  {
    name: 'shared-fprobe-runs-in-a-kprobe',
    sentence: 'fprobe_kprobe_handler() does not test kprobe_running().',
    history: undefined,
    law: noRecursionOnOneCpu,
    profile: '6.12',
    edits: [
      edit(
        'fprobe_kprobe_handler',
        'a kprobe is running on this CPU',
        branching(() => false),
      ),
    ],
    scenario: SHARED,
    finding: 'fprobe#1 misses the call of f2 from an interrupt in a handler / it sees the call',
    moves: 17,
  },
  {
    name: 'missed-kprobe-is-counted-twice',
    sentence: 'kprobe_ftrace_handler() counts a call that it skips for each kprobe, and again.',
    history: undefined,
    law: missesAreCountedOnceInTasks,
    profile: '6.12',
    edits: [edit('kprobe_ftrace_handler', 'count the miss', instead(twice))],
    scenario: KPROBES,
    finding: 'kprobe#2 misses 1 of its calls, and counts 1 / it counts 2',
    moves: 14,
  },
  {
    name: 'second-miss-is-not-counted',
    sentence:
      'fprobe_kprobe_handler() marks an fprobe that has missed a call, and does not count the next one.',
    history: undefined,
    law: missesAreCountedOnceInTasks,
    profile: '6.12',
    edits: [edit('fprobe_kprobe_handler', 'count the skipped call', instead(onlyTheFirst))],
    scenario: SHARED_BY_TWO,
    finding: 'fprobe#1 misses 2 of its calls, and counts 2 / it counts 1',
    moves: 22,
  },
];
