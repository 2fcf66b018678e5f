import type { Scenario } from '../../properties/observed/scenario.ts';
import { calls, scenario } from '../../properties/planted/interleavings/scenarios.ts';
import { F1, kprobe } from '../../properties/planted/sequences/actions.ts';
import { missesAreCountedOnceInTasks } from '../../properties/task/misses-are-counted-once.ts';
import type { KnownTask } from './task-known.ts';

/** Misses that are counted for a client which is not owed the call. */
export const KNOWN_MISSES: readonly KnownTask[] = [
  {
    name: 'disabled-kprobe-counts-misses',
    sentence:
      'A kprobe that its client has disabled, beside an enabled one at the same address, counts each call that the two are skipped in, as if it had missed it.',
    evidence:
      'kernel/kprobes.c of all three  kprobes_inc_nmissed_count: adds to each kprobe of the aggregate; aggr_pre_handler() calls only those without KPROBE_FLAG_DISABLED',
    law: missesAreCountedOnceInTasks,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: [],
    shows: (finding, scenario) =>
      finding.is === 'counted-misses-differ' &&
      finding.expected === 0 &&
      finding.observed === 1 &&
      isDisabled(scenario, finding.who),
    cause: {
      last: {
        within: ['kprobe_ftrace_handler', 'arch_rethook_trampoline_callback', 'optimized_callback'],
      },
    },
    scenario: scenario({
      functions: [F1],
      setup: [kprobe(1), kprobe(2), { do: 'disable_kprobe', kp: 'kprobe#2' }],
      callers: [calls('f1', { interrupt: calls('f1').call })],
    }),
    moves: [14, 14, 14],
  },
];

/** A client disables it, or has registered it so. */
function isDisabled({ setup, clients }: Scenario, who: string): boolean {
  return [...setup, ...clients.flat()].some((action) => {
    switch (action.do) {
      case 'disable_kprobe':
        return action.kp === who;
      case 'register_kprobe':
        return action.kprobe === who && action.disabled === true;
      default:
        return false;
    }
  });
}
