import { xdpLoad } from '../../../model/client/bpf-prog-load.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { noOverwriteOfRunningCode } from '../../task/no-overwrite-of-running-code.ts';
import { DISPATCHER, ETH0, runsOn } from '../sequences/actions.ts';
import { dropped, edit } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import { calls, scenario } from './scenarios.ts';

/** Devices, each with a number of its own. */
const DEVICES = [ETH0, ...[1, 2, 3].map((n) => tracedFunction(`eth${n}`, n + 1, 'u64 -> u64'))];

/** Planted bugs in the halves of the dispatcher's page. */
export const PLANTED_HALVES: readonly TaskPlanted[] = [
  {
    name: 'half-is-written-under-a-cpu',
    sentence: 'The dispatcher writes to a half of its page without waiting for the CPUs in it.',
    history: 'bpf: Synchronize dispatcher update with bpf_dispatcher_xdp_func (6.2)',
    law: noOverwriteOfRunningCode,
    profile: '6.12',
    edits: [edit('bpf_dispatcher_update', 'wait for rcu', dropped)],
    grain: 'instruction',
    scenario: scenario({
      functions: [...DEVICES, { ...DISPATCHER, id: DEVICES.length + 1 }],
      setup: [...[1, 2, 3, 4].map(xdpLoad), runsOn(0, 1), runsOn(1, 2)],
      clients: [[runsOn(2, 3), runsOn(3, 4)]],
      callers: [calls('eth1')],
    }),
    finding:
      'a call accesses only allocated memory / executes what was written over it, at bpf_dispatcher_xdp+0x820',
    moves: 184,
  },
];
