import type { Action } from '../../../model/client/all.ts';
import { eventLinked } from '../../../model/client/bpf-link-create-perf-event.ts';
import { rawTracepointLoad, tracepointLoad } from '../../../model/client/bpf-prog-load.ts';
import { rawTracepointOpen } from '../../../model/client/bpf-raw-tracepoint-open.ts';
import { eventOn } from '../../../model/client/perf-event-open.ts';
import { declareTracepoint } from '../../../model/raw-tracepoint/tracepoints.ts';
import type { DeclaredTracepoint } from '../../../model/tracepoint/boot.ts';
import { DEFAULT_PRIO } from '../../../model/tracepoint/tracepoint.ts';
import { fromNumber } from '../../../model/x86/word.ts';
import type { CallerScript } from '../../observed/scenario.ts';
import { noRecursionOnOneCpu } from '../../task/no-recursion-on-one-cpu.ts';
import { hitsReadNoFreedMemory } from '../../tracepoint/hits-read-no-freed-memory.ts';
import { probesGetTheirOwnData } from '../../tracepoint/probes-get-their-own-data.ts';
import { dropped, edit, followedBy } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';

/** A tracepoint that may be hit anywhere, and one whose probes may fault. */
export const TRACEPOINT = declareTracepoint('xdp_exception', 'ptr, ptr, u32');
export const FAULTABLE = declareTracepoint('sys_enter', 'ptr, s64', true);

/** Registers a probe with its own data. */
export function added(n: number, { name: tracepoint } = TRACEPOINT): Action {
  const [func, data] = [`my_probe${n}`, `data#${n}`];
  return { do: 'tracepoint_probe_register_prio', tracepoint, func, data, prio: DEFAULT_PRIO };
}

export function taken(n: number, { name: tracepoint } = TRACEPOINT): Action {
  return { do: 'tracepoint_probe_unregister', tracepoint, func: `my_probe${n}`, data: `data#${n}` };
}

/** Its arguments are 1, 2, 3. */
export function hitOf({ name: fn, args }: DeclaredTracepoint): CallerScript {
  const registers = Array.from({ length: 6 }, (_, i) => fromNumber(i < args.length ? i + 1 : 0));
  return { call: { fn, registers, stack: [] } };
}

/** One task hits the tracepoint while a client does this. */
export function hitBeside(
  setup: readonly Action[],
  client: readonly Action[],
  tracepoint = TRACEPOINT,
): TaskPlanted['scenario'] {
  return {
    functions: [],
    tracepoints: [tracepoint],
    setup,
    clients: [client],
    callers: [hitOf(tracepoint)],
    cpus: 1,
  };
}

const MISMATCH = 'my_probe2 is called as my_probe2(data#2) / it is called as my_probe2(data#1)';
const STAYS = 'probe arrays and links stay allocated until the last hit that uses them is over';
const HISTORY = 'tracepoint: Fix static call function vs data state mismatch (5.15)';

/** trace_call_bpf() counts in `bpf_prog_active`, and does not test it. */
export const RUNS_IN_ANOTHER = [
  edit(
    'trace_call_bpf',
    'count in bpf_prog_active',
    followedBy((_, locals) => {
      locals['isFirst'] = true;
    }),
  ),
];

/** Planted bugs of tracepoints that show when a hit is interleaved with an operation. */
export const PLANTED_TRACEPOINTS: readonly TaskPlanted[] = [
  {
    name: 'second-last-probe-is-removed-without-a-wait',
    sentence:
      'The static call switches to the remaining probe while a CPU holds the data of the removed one.',
    history: HISTORY,
    law: probesGetTheirOwnData,
    profile: '6.12',
    edits: [edit('tp_rcu_cond_sync', 'wait for rcu', dropped)],
    scenario: hitBeside([added(1), added(2)], [taken(1)]),
    finding: MISMATCH,
    moves: 17,
  },
  {
    name: 'first-probe-is-added-without-a-wait',
    sentence: 'The static call switches to a new probe while a CPU holds the data of the previous one.',
    history: HISTORY,
    law: probesGetTheirOwnData,
    profile: '6.12',
    edits: [edit('tp_rcu_cond_sync', 'wait for rcu', dropped)],
    scenario: hitBeside([added(1)], [taken(1), added(2)]),
    finding: MISMATCH,
    moves: 38,
  },
  {
    name: 'old-probes-are-freed-at-once',
    sentence: 'The old array of probes is freed without a grace period.',
    history: undefined,
    law: hitsReadNoFreedMemory,
    profile: '6.12',
    edits: [edit('rcu_free_old_probes', 'wait for rcu', dropped)],
    scenario: hitBeside([added(1), added(2), added(3)], [taken(3)]),
    finding: `${STAYS} / read of freed data: funcs#3, an array of probes`,
    moves: 10,
  },
  {
    name: 'raw-tracepoint-link-is-freed-at-once',
    sentence: 'The link of a raw tracepoint is freed without a grace period.',
    history: "bpf: put bpf_link's program when link is safe to be deallocated (6.10)",
    law: hitsReadNoFreedMemory,
    profile: '6.12',
    edits: [edit('bpf_link_dealloc', 'wait for rcu', dropped)],
    scenario: hitBeside(
      [rawTracepointLoad(1), rawTracepointOpen(1, TRACEPOINT.name)],
      [{ do: 'close(link)', link: 'link#1' }],
    ),
    finding: `${STAYS} / read of freed data: link#1 has been freed (__bpf_trace_run)`,
    moves: 33,
  },
  {
    name: 'array-of-programs-is-freed-at-once',
    sentence: 'The old array of the programs of perf events is freed without a grace period.',
    history: undefined,
    law: hitsReadNoFreedMemory,
    profile: '6.12',
    edits: [edit('__bpf_prog_array_free_sleepable_cb', 'wait for rcu_tasks_trace', dropped)],
    scenario: hitBeside(
      [1, 2].flatMap((n) => [tracepointLoad(n, 'tp'), eventOn(n, TRACEPOINT.name), eventLinked(n)]),
      [{ do: 'close(link)', link: 'link#2' }],
    ),
    finding: `${STAYS} / read of freed data: progs#2, an array of programs`,
    moves: 17,
  },
  {
    name: 'program-of-a-perf-event-runs-in-another',
    sentence: 'trace_call_bpf() counts in bpf_prog_active, and does not test it.',
    history: undefined,
    law: noRecursionOnOneCpu,
    profile: '6.12',
    edits: RUNS_IN_ANOTHER,
    scenario: {
      ...hitBeside([tracepointLoad(1, 'tp'), eventOn(1, TRACEPOINT.name), eventLinked(1)], []),
      clients: [],
      callers: [{ ...hitOf(TRACEPOINT), interrupt: hitOf(TRACEPOINT).call }],
    },
    finding: 'prog#1 misses the call of xdp_exception from an interrupt in a handler / it sees the call',
    moves: 28,
  },
];
