import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import { kprobeLoad } from '../../model/client/bpf-prog-load.ts';
import { filterOn } from '../../model/client/ftrace-set-filter-ip.ts';
import { kprobeEvent } from '../../model/client/perf-event-open-kprobe.ts';
import { present } from '../../model/core/present.ts';
import type { Profile } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { probeProgram } from '../../model/trampoline/program.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { ZERO } from '../../model/x86/word.ts';
import { callerOf } from '../../properties/observed/sample-call.ts';
import type { Interruption } from '../../properties/observed/scenario.ts';
import type { FamilyScenario } from './family.ts';
import { link, load } from './family-operations.ts';

/*
 * A probe of each kind comes or goes while a task calls its function, and something interrupts the task that calls it
 * too: the protection against recursion decides which of the two calls a probe sees.
 */

/** What a probe of f1 needs, and the call that attaches it. */
interface Probe {
  readonly name: string;
  /** Undefined: the kernel has no such probes. */
  readonly setup: (kernel: Profile) => readonly Action[] | undefined;
  readonly attach: Action;
}

const PROBES: readonly Probe[] = [
  {
    name: 'trace',
    setup: () => [{ do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false }, filterOn('ops#1', 'f1')],
    attach: { do: 'register_ftrace_function', ops: 'ops#1' },
  },
  {
    name: 'graph',
    setup: ({ fgraph }) => [
      fgraph === 'single'
        ? { do: 'set_ftrace_filter', glob: 'f1', remove: false }
        : filterOn('gops#1.ops', 'f1'),
    ],
    attach: { do: 'register_ftrace_graph', gops: 'gops#1' },
  },
  {
    name: 'kprobe',
    setup: () => [],
    attach: { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
  },
  {
    // At this offset an instruction begins with `endbr64` and without.
    name: 'kprobe in body',
    setup: () => [],
    attach: { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', offset: 10, post: false },
  },
  {
    name: 'kretprobe',
    setup: () => [],
    attach: {
      do: 'register_kretprobe',
      kretprobe: 'kretprobe#1',
      ip: 'f1',
      maxactive: 2,
      entryHandler: true,
    },
  },
  {
    name: 'fprobe',
    setup: ({ fprobe }) => (fprobe === 'none' ? undefined : []),
    attach: { do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1'], entry: true, exit: true },
  },
  {
    name: 'perf event',
    setup: () => [kprobeLoad(1), kprobeEvent(1, 'f1')],
    attach: { do: 'PERF_EVENT_IOC_SET_BPF', event: 'perf#1', prog: 1 },
  },
  // An interrupt in the program of the link misses that of the event, which bpf_prog_active guards as well.
  {
    name: 'perf event beside kprobe.multi',
    setup: ({ fprobe }) =>
      fprobe === 'none'
        ? undefined
        : [
            { do: 'BPF_PROG_LOAD', program: probeProgram(2), target: '', probe: 'entry', returns: ZERO },
            { do: 'BPF_LINK_CREATE', link: 'link#2', prog: 2, targets: ['f1'] },
            kprobeLoad(1),
            kprobeEvent(1, 'f1'),
          ],
    attach: { do: 'PERF_EVENT_IOC_SET_BPF', event: 'perf#1', prog: 1 },
  },
  { name: 'attach', setup: () => [load(1, 'fexit', 'f1')], attach: link(1) },
];

/** The scenarios of a kernel: what comes interrupts the call early, what goes does not. */
export function interrupted(profile: string, cpus: number): FamilyScenario[] {
  const { call } = callerOf('f1');
  return PROBES.flatMap(({ name, setup, attach }) => {
    const needed = setup(profileNamed(profile));
    if (needed === undefined) return [];
    const detach = present(callOf(attach).detach?.(attach), 'call that takes it off');
    const of = (title: string, before: readonly Action[], action: Action, how: Interruption) => ({
      name: title,
      scenario: {
        profile,
        cpus,
        functions: [tracedFunction('f1', 1, 'u64 -> u64')],
        setup: [...needed, ...before],
        clients: [[action]],
        callers: [{ call, [how]: call }],
      },
    });
    return [
      of(`${name} on f1 in an interrupted call`, [], attach, 'earlyInterrupt'),
      of(`${name} off f1 in an interrupted call`, [attach], detach, 'interrupt'),
    ];
  });
}
