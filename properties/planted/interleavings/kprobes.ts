import { noUnhandledBreakpoint } from '../../task/no-unhandled-breakpoint.ts';
import { probesSeeOldOrNew } from '../../task/probes-see-old-or-new.ts';
import { kprobeInBody } from '../sequences/actions.ts';
import { dropped, edit } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import { scenario } from './scenarios.ts';

/** Planted bugs in the int3 of a kprobe in a body. */
export const PLANTED_KPROBES: readonly TaskPlanted[] = [
  {
    name: 'kprobe-is-disarmed-without-a-sync',
    sentence: 'A kprobe leaves the table before all CPUs have seen that its int3 is gone.',
    history: undefined,
    law: noUnhandledBreakpoint,
    profile: '6.12',
    edits: [edit('arch_disarm_kprobe', 'sync after the opcode', dropped)],
    scenario: scenario({
      setup: [kprobeInBody(1)],
      clients: [[{ do: 'unregister_kprobe', kprobe: 'kprobe#1' }]],
    }),
    finding: 'the handler finds the batch or the kprobe that the int3 belongs to / unhandled int3 at f1+0xa',
    moves: 8,
  },
  {
    name: 'kprobe-is-armed-without-a-sync',
    sentence: 'register_kprobe() returns before all CPUs have seen the int3: a later call misses it.',
    history: undefined,
    law: probesSeeOldOrNew,
    profile: '6.12',
    edits: [edit('arch_arm_kprobe', 'sync after int3', dropped)],
    scenario: scenario({ clients: [[kprobeInBody(1)]] }),
    finding: 'kprobe#1 sees f1+0xa once (kprobe) / kprobe#1 never sees f1+0xa (kprobe)',
    moves: 11,
  },
];
