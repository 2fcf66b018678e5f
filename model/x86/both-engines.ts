import { run as runReference } from './execute.ts';
import type { Engine, Machine, Stop } from './machine.ts';
import { FLAGS_AT, HEADERS_AT, JOURNAL_AT, PARAMETERS_AT } from './machine.ts';
import { registerName } from './register.ts';
import { PARAMETER } from './shared.ts';

/** How a run ended: with a stop, or with the error of an instruction that is not modelled. */
type EngineEnd = { readonly stop: Stop } | { readonly thrown: Error };

/** All that a run changes. */
interface MachineImage {
  readonly arena: Int32Array;
  readonly rip: { hi: number; lo: number };
  readonly steps: number;
  /** The full rows of each region, which are no part of the arena. */
  readonly full: readonly { readonly details: Int32Array; readonly generation: number }[];
}

/** Runs in which the two engines were compared. */
export const COMPARED = { runs: 0, instructions: 0 };

/**
 * Has every run of a machine done by the compiled loop and, from the same state, by the reference: what they leave is compared,
 * and a difference is an error. The state of each is kept in turn: an engine finds what the other has decoded and linked.
 */
export function compareEngines(m: Machine): void {
  const { engine } = m;
  if (engine === undefined) throw new Error('the machine has no compiled loop to compare');
  m.engine = { ...engine, run: (_, budget) => runBoth(m, engine, budget) };
}

function runBoth(m: Machine, engine: Engine, budget: number): Stop {
  const before = imageOf(m);
  const compiled = endOf(() => engine.run(m, budget));
  const ofCompiled = imageOf(m);
  putBack(m, before);
  const { engine: comparing } = m;
  m.engine = undefined;
  const reference = endOf(() => runReference(m, budget));
  m.engine = comparing;
  const difference = endDifference(compiled, reference) ?? stateDifference(m, ofCompiled);
  if (difference !== undefined) throw new Error(`the engines differ: ${difference}`);
  COMPARED.instructions += m.steps - before.steps;
  if (COMPARED.runs++ % 2 === 0) putBack(m, ofCompiled);
  if ('thrown' in reference) throw reference.thrown;
  return reference.stop;
}

function endOf(execute: () => Stop): EngineEnd {
  try {
    return { stop: execute() };
  } catch (thrown) {
    return { thrown: thrown as Error };
  }
}

function imageOf({ arena, rip, steps, regions }: Machine): MachineImage {
  const full = regions.map(({ code: { details, generation } }) => ({ details: details.slice(), generation }));
  return { arena: arena.slice(), rip: { ...rip }, steps, full };
}

function putBack(m: Machine, { arena, rip, steps, full }: MachineImage): void {
  m.arena.set(arena);
  Object.assign(m.rip, rip);
  m.steps = steps;
  m.regions.forEach(({ code }, i) => {
    Object.assign(code, full[i]);
  });
}

function endDifference(compiled: EngineEnd, reference: EngineEnd): string | undefined {
  const [a, b] = [textOf(compiled), textOf(reference)];
  return a === b ? undefined : `${a}, reference ${b}`;
}

function textOf(end: EngineEnd): string {
  return 'thrown' in end ? end.thrown.message : JSON.stringify(end.stop);
}

/** The first difference of the machine to an image: registers, flags, tags, memory, journal, place, steps. */
function stateDifference(m: Machine, { arena, rip, steps }: MachineImage): string | undefined {
  if (rip.hi !== m.rip.hi || rip.lo !== m.rip.lo) return `rip 0x${hex(rip.lo)}, reference 0x${hex(m.rip.lo)}`;
  if (steps !== m.steps) return `${steps} steps, reference ${m.steps}`;
  for (const { name, from, to } of [
    { name: 'register or flag', from: 0, to: FLAGS_AT + 10 },
    { name: 'journal', from: PARAMETERS_AT + PARAMETER.JOURNAL_LENGTH, to: PARAMETERS_AT + PARAMETER.STRICT },
    { name: 'journal', from: JOURNAL_AT, to: HEADERS_AT },
    ...m.regions.map((region) => ({ name: region.name, from: region.wordsAt, to: region.code.rowsAt })),
  ])
    for (let i = from; i < to; i++)
      if (arena[i] !== m.arena[i])
        return `${i < FLAGS_AT ? registerName(i >> 2) : name}+${i - from}: 0x${hex(arena[i]!)}, reference 0x${hex(m.arena[i]!)}`;
  return undefined;
}

function hex(value: number): string {
  return (value >>> 0).toString(16);
}
