import { scenario } from '../../properties/planted/interleavings/scenarios.ts';
import { kprobe } from '../../properties/planted/sequences/actions.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import type { KnownTask } from './task-known.ts';
import { found } from './task-shows.ts';

/** Known breaches of clients that attach or detach while a call is on its way to a client. */
export const KNOWN_LEAVERS: readonly KnownTask[] = [
  {
    name: 'kprobe-that-failed-to-unregister-lost-its-address',
    sentence:
      'A kprobe that cannot be disarmed for lack of memory stays in the table without its address: a call that has already looked it up passes it no function.',
    evidence:
      'kernel/kprobes.c of all three  unregister_kprobes: kps[i]->addr = NULL where __unregister_kprobe_top() answers an error; kprobe_ftrace_handler has read the probe before',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: [],
    shows: found(
      'unpromised-event',
      ({ event }) => (event.kind === 'kprobe' || event.kind === 'kprobe post') && event.fn === '?',
    ),
    cause: {
      stood: [
        {
          at: { within: ['kprobe_ftrace_handler'] },
          did: [{ by: 'unregister_kprobe', part: 'the kprobe stays' }],
        },
      ],
    },
    scenario: scenario({
      setup: [kprobe(1)],
      clients: [
        [
          { do: 'fail', fault: { what: 'allocation', where: 'ftrace_set_hash' } },
          { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
        ],
      ],
    }),
    moves: [59, 59, 59],
  },
];
