import { DO } from '../core/instruction.ts';
import type { LinkedRoutines } from '../core/link.ts';
import type { Operation, Watch } from '../core/run.ts';
import { blockedOn, canEnd, nextInstruction, stepOperation } from '../core/run.ts';
import type { Ended, World } from '../core/world.ts';

/** How finely operations and calls are cut: at what others can see, or at every instruction. */
export type Grain = 'visible' | 'instruction';

/** Instructions that only move on within an operation. */
const CONTROL: ReadonlySet<number> = new Set([
  DO.REFUSE,
  DO.FINISH,
  DO.BRANCH,
  DO.JUMP,
  DO.LOOP,
  DO.NEXT,
  DO.CALL,
  DO.ROLLBACK,
  DO.REFAIL,
  DO.RETURN,
]);

const BUDGET = 10_000;

/**
 * Lets an operation do its next step: an instruction that changes something, with the end of a wait or the taking of a
 * lock before it, and the releases and the tests after it. The tests see what the step left; what others do comes
 * before the next step. No other actor can see that a wait is over, so it is not a separate step. Gives the operation's
 * answer when that was its last. The operation must not be blocked, nor wait for what is not over.
 */
export function advance(
  program: LinkedRoutines,
  k: World,
  operation: Operation,
  grain: Grain,
  watch: Watch = {},
): Ended | undefined {
  if (grain === 'instruction') return stepOperation(program, k, operation, watch);
  let acted = false;
  let locked = false;
  for (let left = BUDGET; left > 0; left--) {
    const next = kindOfNext(program, operation);
    if (!CONTROL.has(next)) {
      if (next === DO.LOCK) {
        if (acted || locked || blockedOn(program, k, operation) !== undefined) return undefined;
        locked = true;
      } else if (next === DO.WAIT) {
        if (left < BUDGET) return undefined;
      } else if (next !== DO.UNLOCK) {
        if (acted || (locked && next !== DO.STEP)) return undefined;
        if (left < BUDGET && !canEnd(program, k, operation)) return undefined;
        acted = true;
      } else acted = true;
    }
    const ended = stepOperation(program, k, operation, watch);
    if (ended !== undefined) return ended;
  }
  throw new Error('an operation does not come to its next step');
}

/** Moves an operation that has just been started to its first step. */
export function toFirstStep(program: LinkedRoutines, k: World, operation: Operation): void {
  for (let left = BUDGET; left > 0 && CONTROL.has(kindOfNext(program, operation)); left--)
    stepOperation(program, k, operation, {});
}

function kindOfNext(program: LinkedRoutines, { frames }: Operation): number {
  return nextInstruction(program, frames).do;
}
