import { attachToCgroup, HOOK, loadForCgroup } from '../../checker/interleavings/family-cgroups.ts';
import { close, scenario } from '../../properties/planted/interleavings/scenarios.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import type { KnownTask } from './task-known.ts';
import { found, isProgram } from './task-shows.ts';

/** Known breaches of shims, which run the programs of a cgroup, while these come and go. */
export const KNOWN_SHIMMED: readonly KnownTask[] = [
  {
    name: 'second-shim-of-a-hook-runs-the-programs-again',
    sentence:
      'The last program of a hook is detached, and its shim waits for a work item; a program that is attached meanwhile gets a shim of its own, and a call runs it once for each.',
    evidence:
      'images of 6.12.117 and 7.2.13 with two calls of __cgroup_bpf_run_lsm_current; kernel/bpf/syscall.c of 6.12 and 7.2  bpf_link_put: schedule_work(); kernel/bpf/trampoline.c  bpf_trampoline_link_cgroup_shim: bpf_link_inc_not_zero() fails, and a shim is made beside the one that is listed',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    restsOn: ['linkPut'],
    shows: found('events-differ', ({ events, allowed, seen }, scenario) =>
      events.every(
        ({ who }, i) =>
          isProgram(scenario, who, ({ cgroup }) => cgroup === true) &&
          allowed.every((counts) => seen[i]! >= counts[i]!),
      ),
    ),
    cause: {
      stood: [
        { at: 'anywhere', did: [{ by: 'bpf_link_put', part: 'drop a reference' }] },
        { at: 'anywhere', did: [{ by: 'bpf_trampoline_link_cgroup_shim', part: 'make the shim' }] },
      ],
    },
    scenario: scenario({
      functions: [HOOK],
      setup: [loadForCgroup(1), attachToCgroup(1)],
      clients: [[close(1), attachToCgroup(1)]],
    }),
    moves: [77, 100],
  },
];
