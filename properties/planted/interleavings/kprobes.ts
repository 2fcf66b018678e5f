import type { Action } from '../../../model/client/all.ts';
import { noFetchFromFreedMemory } from '../../task/no-fetch-from-freed-memory.ts';
import { noTornInstruction } from '../../task/no-torn-instruction.ts';
import { noUnhandledBreakpoint } from '../../task/no-unhandled-breakpoint.ts';
import { probesSeeOldOrNew } from '../../task/probes-see-old-or-new.ts';
import { kprobeInBody } from '../sequences/actions.ts';
import { dropped, edit } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import { scenario } from './scenarios.ts';

/** Kprobes in bodies get jumps. */
export const OPTIMIZES: Action = { do: 'debug.kprobes-optimization', value: true };

/** At an instruction of the body, by its bytes from the symbol. */
export function kprobeAt(n: number, offset: number): Action {
  return { do: 'register_kprobe', kprobe: `kprobe#${n}`, ip: 'f1', offset, post: false };
}

/** Planted bugs in the int3 and the jump of a kprobe in a body. */
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
  {
    name: 'kprobe-gets-its-jump-without-rcu-tasks',
    sentence:
      'The optimiser writes the jump while a task may be at an instruction after the int3: it resumes in the middle of the jump.',
    history: undefined,
    law: noTornInstruction,
    profile: '6.12',
    edits: [edit('kprobe_optimizer', 'wait for rcu_tasks', dropped)],
    scenario: scenario({ setup: [OPTIMIZES], clients: [[kprobeAt(1, 9)]] }),
    finding:
      'the CPU executes the old or the new instruction / torn instruction: f1+0xa is executed as 48ff113f',
    moves: 19,
  },
  {
    name: 'kprobe-gets-its-jump-over-another',
    sentence:
      'arch_check_optimized_kprobe() does not see a kprobe among the instructions that the jump replaces.',
    history: undefined,
    law: probesSeeOldOrNew,
    profile: '6.12',
    edits: [edit('optimize_kprobe', 'a kprobe is armed among its instructions', dropped)],
    scenario: scenario({
      setup: [OPTIMIZES, { do: 'register_kprobe', kprobe: 'kprobe#2', ip: 'f1', offset: 10, post: true }],
      clients: [[kprobeAt(1, 9)]],
    }),
    finding: 'kprobe#2 sees f1+0xa once (kprobe) / kprobe#2 never sees f1+0xa (kprobe)',
    moves: 14,
  },
  {
    name: 'kprobe-is-armed-in-the-middle-of-a-jump',
    sentence:
      '__arm_kprobe() does not take away the jump over its instruction: the int3 becomes a byte of its target.',
    history: undefined,
    law: noFetchFromFreedMemory,
    profile: '6.12',
    edits: [edit('arch_arm_kprobe', 'an optimised kprobe overlaps', dropped)],
    scenario: scenario({
      setup: [OPTIMIZES, kprobeAt(1, 9), { do: 'settle' }],
      clients: [[kprobeAt(2, 10)]],
    }),
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at 0xffffffffc01fffda: unmapped, at 0xffffffffc01fffda',
    moves: 9,
  },
];
