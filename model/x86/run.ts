import { run as runReference } from './execute.ts';
import type { Machine, Stop } from './machine.ts';

/**
 * Runs from `m.rip` until a breakpoint, a fault, a forbidden dependence, or `budget` instructions; the instruction that the
 * run starts at is executed even when it has a breakpoint. The machine's engine does it, or the reference where it has none.
 */
export function run(m: Machine, budget: number): Stop {
  return m.engine === undefined ? runReference(m, budget) : m.engine.run(m, budget);
}
