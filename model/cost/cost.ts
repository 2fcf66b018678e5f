import { backgroundRoutines } from '../api.ts';
import type { Instruction } from '../core/instruction.ts';
import { DO } from '../core/instruction.ts';
import type { Flavour } from '../core/part.ts';
import type { Watch } from '../core/run.ts';
import type { Kernel } from '../kernel.ts';
import { DESIGNS } from '../trampoline/designs/all.ts';
import type { CountRow, Counts } from '../trampoline/designs/count.ts';
import { COUNTED_STEPS } from '../trampoline/designs/counted-steps.ts';

/*
 * An attach is counted in the steps that dominate it on a machine: pokes of text, IPI broadcasts, walks over
 * all records, entries copied from hash to hash, and grace periods. No step has a duration here; a grace period
 * of RCU-tasks is of the order of 100 ms on a real machine, and a poke of some microseconds.
 */

/**
 * Grace periods by flavour: those that pass before the client is answered, and those that
 * pass in the background afterwards.
 */
export interface GracePeriodCounts {
  readonly waited: Partial<Record<Flavour, number>>;
  readonly handedOver: Partial<Record<Flavour, number>>;
}

/** The cost of all actions so far. */
export interface Cost extends Counts, GracePeriodCounts {}

/**
 * Counts what is done while a kernel is watched: `apply(k, action, program, watch)`. Work left in the background is
 * counted when it is done, so that all that an attachment takes is there after a `settle`.
 */
export function counting(): { readonly cost: Cost; readonly watch: Watch } {
  const cost: Cost & GracePeriodCounts = {
    programLoads: 0,
    images: 0,
    imageBytes: 0,
    textPokes: 0,
    syncIpis: 0,
    recordVisits: 0,
    hashLookups: 0,
    entriesCopied: 0,
    waited: {},
    handedOver: {},
  };
  const inBackground = new Set(backgroundRoutines().map(({ name }) => name));
  const rows = rowsByInstruction();
  const step: Watch['step'] = (instruction, k, locals) => {
    // A wait is counted where it begins, whether or not anything has to be waited for: synchronize_rcu() takes
    // its time on an idle machine too.
    if (instruction.do === DO.WAIT)
      countPeriod(cost, instruction.flavour, inBackground.has(instruction.routine));
    if (!DOES[instruction.do]) return;
    const row = rows(instruction);
    if (row !== null) add(cost, row.count(k as Kernel, locals));
  };
  return { cost, watch: { step } };
}

/** Instructions that do something; of a loop that is its beginning. */
const DOES: readonly boolean[] = Object.values(DO).map(
  (does) => does === DO.STEP || does === DO.REFUSE || does === DO.LOOP,
);

/** The steps that count for something, those of the designs included. */
export function countedSteps(): CountRow[] {
  return [...COUNTED_STEPS, ...DESIGNS.flatMap(({ counts = [] }) => counts)];
}

/**
 * The row of an instruction, looked up by its name once: an attachment to many functions executes few instructions
 * many times.
 */
function rowsByInstruction(): (instruction: Instruction) => CountRow | null {
  const byName = new Map(countedSteps().map((row) => [rowKey(row), row]));
  const known = new Map<Instruction, CountRow | null>();
  return (instruction) => {
    let row = known.get(instruction);
    if (row === undefined) known.set(instruction, (row = byName.get(rowKey(instruction)) ?? null));
    return row;
  };
}

function rowKey({ routine, id }: Pick<CountRow, 'routine' | 'id'>): string {
  return `${routine}: ${id}`;
}

function add(cost: Cost, counts: Partial<Counts>): void {
  for (const key of Object.keys(counts) as (keyof Counts)[]) cost[key] += counts[key] ?? 0;
}

/**
 * Reference counters and work queues are waited for as well, and are no grace periods. One that runs in the
 * background (call_rcu()) delays no client, and is counted apart.
 */
function countPeriod({ waited, handedOver }: Cost, flavour: Flavour, inBackground: boolean): void {
  if (!flavour.startsWith('rcu')) return;
  const periods = inBackground ? handedOver : waited;
  periods[flavour] = (periods[flavour] ?? 0) + 1;
}
