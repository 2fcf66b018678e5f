import { kernelRoutines } from '../../counterexamples/sequences/refusals.ts';
import type { Instruction } from '../../model/core/instruction.ts';
import { DO } from '../../model/core/instruction.ts';
import type { LinkedRoutines } from '../../model/core/link.ts';

/** The parts of routines that the audit has to name: refusals, early returns, rollbacks, locks, waits, allocations. */
const AUDITED: ReadonlySet<number> = new Set([
  DO.REFUSE,
  DO.FINISH,
  DO.LOCK,
  DO.TRYLOCK,
  DO.ROLLBACK,
  DO.WAIT,
]);

/** A part of a routine by the name that rows of the audit have for it. */
export interface AuditedPart {
  readonly instruction: Instruction;
  readonly routine: string;
  /** `ftrace_shutdown: wait for rcu_tasks`. */
  readonly name: string;
  /** Whether a row has to name it. */
  readonly isAudited: boolean;
}

/** The parts of the kernels' own routines; of several audited ones with one id, the second is `id (2)`. */
export function auditedParts(program: LinkedRoutines): readonly AuditedPart[] {
  const own = kernelRoutines(program);
  const count = new Map<string, number>();
  return program.instructions.flatMap((instruction): AuditedPart[] => {
    const { routine, id } = instruction;
    if (!own.has(routine)) return [];
    const name = `${routine}: ${id}`;
    const isAudited = isAuditedPart(instruction);
    if (!isAudited) return [{ instruction, routine, name, isAudited }];
    const n = (count.get(name) ?? 0) + 1;
    count.set(name, n);
    return [{ instruction, routine, name: n === 1 ? name : `${name} (${n})`, isAudited }];
  });
}

function isAuditedPart(instruction: Instruction): boolean {
  return AUDITED.has(instruction.do) || (instruction.do === DO.STEP && instruction.later !== undefined);
}
