import { describe, expect, test } from 'vitest';
import { linkMulti, loadMulti } from '../../checker/interleavings/family-multi.ts';
import { askLaw } from '../../checker/interleavings/nearest-breach.ts';
import { xdpLoad } from '../../model/client/bpf-prog-load.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { FTRACE_OPS_FL_IPMODIFY } from '../../model/ftrace/ops.ts';
import { targetProgram } from '../../model/trampoline/traced-function.ts';
import { fromNumber } from '../../model/x86/word.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';
import type { Scenario } from '../observed/scenario.ts';
import {
  asleepIn,
  calls,
  close,
  directCall,
  kfree,
  livePatchOn,
  loadFor,
  loadSleepable,
  open,
  register,
  registerDirect,
  scenario,
  tracer,
  unregister,
} from '../planted/interleavings/scenarios.ts';
import {
  DISPATCHER,
  ETH0,
  F1,
  F2,
  filter,
  fprobe,
  kretprobe,
  link,
  load,
  runsOn,
} from '../planted/sequences/actions.ts';
import { hashUpdatesDoNotWaitForRcuTasks } from './hash-updates-do-not-wait-for-rcu-tasks.ts';
import { noCallToAFreedProgram } from './no-call-to-a-freed-program.ts';
import { noDoubleInitialisation } from './no-double-initialisation.ts';
import { noHandlerAfterUnregister } from './no-handler-after-unregister.ts';
import { noRecursionOnOneCpu } from './no-recursion-on-one-cpu.ts';
import { noWarnAndNoOops } from './no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from './probes-see-old-or-new.ts';
import { returnValueIsOldOrNew } from './return-value-is-old-or-new.ts';

/** What a sound kernel does, and no law may call a breach; one long table on purpose. */
interface Row {
  readonly name: string;
  readonly law: TaskLaw;
  readonly profile: string;
  readonly scenario: Omit<Scenario, 'profile'>;
}

/** A sleepable modify-return program that returns a value in place of the function. */
const INSTEAD = { ...loadSleepable(1, 'fmod_ret'), returns: fromNumber(0x5eed) };
const INTERRUPTED_IN_IT = scenario({
  setup: [INSTEAD, open(1)],
  callers: [calls('f1', { interrupt: calls('f1').call })],
});

const ROWS: readonly Row[] = [
  {
    name: 'a call that has left its site goes to an extension that is being taken away',
    law: probesSeeOldOrNew,
    profile: '6.12',
    scenario: scenario({
      functions: [targetProgram('p1', 1, 'u64 -> u64')],
      setup: [loadFor('p1', 1, 'freplace'), link(1)],
      clients: [[close(1)]],
      callers: [calls('p1')],
    }),
  },
  {
    name: 'an extension is freed when no call of the extended program is under way',
    law: noCallToAFreedProgram,
    profile: '7.2',
    scenario: scenario({
      functions: [targetProgram('p1', 1, 'u64 -> u64')],
      setup: [loadFor('p1', 1, 'freplace'), link(1)],
      clients: [[close(1), { do: 'close(prog)', prog: 1 }]],
      callers: [calls('p1')],
    }),
  },
  {
    name: 'the functions of a filter come in any order',
    law: noDoubleInitialisation,
    profile: '6.12',
    scenario: scenario({
      functions: [F1, F2],
      setup: [{ do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false }],
      clients: [[filter('ops#1', 'f2'), filter('ops#1', 'f1')]],
      callers: [],
    }),
  },
  {
    name: 'a table of direct calls puts its functions into the filter of the ops',
    law: noDoubleInitialisation,
    profile: '7.2',
    scenario: scenario({
      functions: [F1, F2],
      setup: [{ do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true }],
      clients: [
        [
          { do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f1: 'my_tramp1', f2: 'my_tramp2' } },
          { do: 'update_ftrace_direct_del', ops: 'direct#1', hash: { f1: 'my_tramp1' } },
        ],
      ],
      callers: [],
    }),
  },
  {
    name: 'an ops that its client may free is waited for when its last site goes',
    law: hashUpdatesDoNotWaitForRcuTasks,
    profile: '7.2',
    scenario: scenario({
      setup: [{ do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f1: 'my_tramp1' } }],
      clients: [[{ do: 'update_ftrace_direct_del', ops: 'direct#1', hash: { f1: 'my_tramp1' } }]],
      callers: [],
    }),
  },
  {
    name: 'an ops of a shared trampoline is waited for when a link takes its last function away',
    law: hashUpdatesDoNotWaitForRcuTasks,
    profile: '7.2, multiLinks = splitting',
    scenario: scenario({
      functions: [F1, F2],
      setup: [load(1), loadMulti(2, 'fentry'), linkMulti(2, 'f1+f2')],
      clients: [[{ do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: [] }]],
      callers: [],
    }),
  },
  {
    name: 'the function runs where the program that would have stopped it is skipped',
    law: probesSeeOldOrNew,
    profile: '6.12',
    scenario: INTERRUPTED_IN_IT,
  },
  {
    name: 'the dispatcher returns before an fprobe leaves, and the call of its device after',
    law: probesSeeOldOrNew,
    profile: '7.2',
    scenario: scenario({
      functions: [ETH0, DISPATCHER],
      setup: [xdpLoad(1), runsOn(0, 1), { ...fprobe(1, false, true), ips: [ETH0.name, DISPATCHER.name] }],
      clients: [[runsOn(0, 0), { do: 'unregister_fprobe', fprobe: 'fprobe#1' }]],
      callers: [calls(ETH0.name)],
    }),
  },
  {
    name: 'an fprobe and a program come to a device while it is called, whose entry has passed',
    law: probesSeeOldOrNew,
    profile: '7.2',
    scenario: scenario({
      functions: [ETH0, DISPATCHER],
      setup: [xdpLoad(1)],
      clients: [[{ ...fprobe(1), ips: [ETH0.name, DISPATCHER.name] }, runsOn(0, 1)]],
      callers: [calls(ETH0.name)],
    }),
  },
  {
    name: 'the pool of an fprobe that registers again is not that which waits for a grace period',
    law: noHandlerAfterUnregister,
    profile: '6.12',
    scenario: scenario({
      setup: [fprobe(1, false, true)],
      clients: [
        [
          { do: 'unregister_fprobe', fprobe: 'fprobe#1' },
          fprobe(1, false, true),
          { do: 'unregister_fprobe', fprobe: 'fprobe#1' },
        ],
      ],
    }),
  },
  ...KERNELS.map((profile) => ({
    name: `a call that a kretprobe of ${profile} has hooked returns when that has registered again`,
    law: probesSeeOldOrNew,
    profile,
    scenario: scenario({
      setup: [kretprobe(1)],
      clients: [[{ do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' }, kretprobe(1)]],
    }),
  })),
  {
    name: 'an interrupt hands a packet to the XDP program that it came into',
    law: noRecursionOnOneCpu,
    profile: '6.12',
    scenario: scenario({
      functions: [ETH0, DISPATCHER],
      setup: [xdpLoad(1)],
      clients: [[runsOn(0, 1)]],
      callers: [calls(ETH0.name, { interrupt: calls(ETH0.name).call })],
    }),
  },
  {
    name: 'its caller gets what the function returns',
    law: returnValueIsOldOrNew,
    profile: '6.12',
    scenario: INTERRUPTED_IN_IT,
  },
  {
    name: 'a caller that skips a program asleep on its CPU gets the return value of the function',
    law: returnValueIsOldOrNew,
    profile: '6.12',
    scenario: scenario({ setup: [INSTEAD, open(1)], callers: [asleepIn('prog#1'), calls('f1')] }),
  },
  {
    name: 'a session that leaves while a call sleeps in the function has seen the entry alone',
    law: probesSeeOldOrNew,
    profile: '7.2',
    scenario: scenario({
      setup: [load(1, 'fsession'), open(1)],
      clients: [[close(1)]],
      callers: [asleepIn('body_hook')],
    }),
  },
  {
    name: 'a link that is refused beside the one that leaves',
    law: probesSeeOldOrNew,
    profile: '7.2',
    scenario: scenario({
      setup: [loadMulti(1, 'fentry'), linkMulti(1, 'f1')],
      clients: [[{ do: 'BPF_LINK_CREATE', link: 'link#2', prog: 1, targets: ['f1'] }, close(1)]],
    }),
  },
  {
    name: 'a client that unregisters a refused ops gets an error',
    law: noWarnAndNoOops,
    profile: '6.12',
    scenario: scenario({
      setup: [...directCall(1), registerDirect(1), ...tracer('ops#1', 'f1', FTRACE_OPS_FL_IPMODIFY)],
      clients: [[register('ops#1'), unregister('ops#1')]],
      callers: [],
    }),
  },
  ...KERNELS.map((profile) => ({
    name: `a client of ${profile} frees its ops when a live patch has the function already`,
    law: noHandlerAfterUnregister,
    profile,
    scenario: scenario({
      setup: [
        ...livePatchOn('ops#1'),
        register('ops#1'),
        ...tracer('ops#2'),
        register('ops#2'),
        ...livePatchOn('ops#3'),
      ],
      clients: [[register('ops#3'), kfree('ops#3')]],
    }),
  })),
];

describe.each(ROWS.map((row) => [row.name, row] as const))('%s', (_, row) => {
  test('and breaks no law', () => {
    const { finding, complete } = askLaw(row.law, { profile: row.profile, ...row.scenario }, []);
    expect({ finding, complete }).toEqual({ finding: undefined, complete: true });
  });
});
