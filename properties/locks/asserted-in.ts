import type { Instruction } from '../../model/core/instruction.ts';
import type { LinkedRoutines } from '../../model/core/link.ts';
import { ASSERTED_LOCKS } from './asserted-locks.ts';

const found = new WeakMap<LinkedRoutines['instructions'], ReadonlyMap<Instruction, string>>();

/** The instruction of each routine that asserts a lock, or from which on it needs one, and that lock. */
export function assertedIn({ instructions, entries }: LinkedRoutines): ReadonlyMap<Instruction, string> {
  let asserted = found.get(instructions);
  if (asserted === undefined) {
    asserted = new Map(
      ASSERTED_LOCKS.flatMap(({ routine, part, lock }) => {
        const first =
          part === undefined
            ? instructions[entries.get(routine) ?? -1]
            : instructions.find((own) => own.routine === routine && own.id === part);
        return first === undefined ? [] : [[first, lock] as const];
      }),
    );
    found.set(instructions, asserted);
  }
  return asserted;
}
