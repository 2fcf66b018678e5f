import type { Instruction } from '../../model/core/instruction.ts';
import type { LinkedRoutines } from '../../model/core/link.ts';
import { ASSERTED_LOCKS } from './asserted-locks.ts';

const found = new WeakMap<LinkedRoutines['instructions'], ReadonlyMap<Instruction, string>>();

/** The first instruction of each routine that asserts a lock, and that lock. */
export function assertedIn({ instructions, entries }: LinkedRoutines): ReadonlyMap<Instruction, string> {
  let asserted = found.get(instructions);
  if (asserted === undefined) {
    asserted = new Map(
      ASSERTED_LOCKS.flatMap(({ routine, lock }) => {
        const first = instructions[entries.get(routine) ?? -1];
        return first === undefined ? [] : [[first, lock] as const];
      }),
    );
    found.set(instructions, asserted);
  }
  return asserted;
}
