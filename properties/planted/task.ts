import { pairs, withSleepers } from '../explore/family.ts';
import { noTornInstruction } from '../task/no-torn-instruction.ts';
import { dropped, edit } from './attach-edits.ts';
import type { TaskPlanted } from './task-planted.ts';

const PROFILE = withSleepers('6.12');

/** Deliberate faults that show in some interleavings only. */
export const TASK_PLANTED: readonly TaskPlanted[] = [
  {
    name: 'tail-before-everybody-sees-int3',
    sentence: 'The tails of instructions are written before every processor has seen their int3.',
    law: noTornInstruction,
    profile: PROFILE,
    edits: [edit('text_poke_bp_batch', 'sync after int3', dropped)],
    scenario: pairs(PROFILE, 1, 1).find(({ name }) => name === 'register f1, register f2')!.scenario,
  },
];
