import { searchAbi } from '../../checker/arguments/search.ts';
import { searchImages } from '../../checker/images/check.ts';
import { PROGRAMS_MOST, searchAllImages } from '../../checker/images/exhaustive.ts';
import { askLaw } from '../../checker/interleavings/nearest-breach.ts';
import { searchSchedules } from '../../checker/interleavings/random/search-schedules.ts';
import { exhausted } from '../../checker/sequences/exhaustive/search.ts';
import { searchToEnd } from '../../checker/sequences/search.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import { stepCount } from '../../counterexamples/images/report.ts';
import { linkKernel } from '../../model/step.ts';
import type { AbiPlanted } from '../../properties/planted/arguments/abi.ts';
import { ABI_PLANTED } from '../../properties/planted/arguments/abi.ts';
import { PLANTED } from '../../properties/planted/images/all.ts';
import type { Planted } from '../../properties/planted/images/planted.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { smallWorld } from './small-world.ts';

/** How soon a planted bug is found. */
export interface BugFigures {
  readonly random: RandomFigures;
  /** Breadth first through the bug's small world; null: there is none, for it shows in places of arguments. */
  readonly exhaustive: ExhaustiveFigures | null;
  /** Steps of the shortest breach: calls, moves, programs and the call, or functions. */
  readonly shortest: number | null;
}

export interface RandomFigures {
  /** Seeds that find it, of those that were tried. */
  readonly found: number;
  readonly of: number;
  /** Draws up to the breach: the median of the seeds; null: fewer than half of them find it. */
  readonly median: number | null;
  readonly unit: 'sequence' | 'combination' | 'schedule' | 'sample';
  /** Draws of one seed, at most. */
  readonly within: number;
}

export interface ExhaustiveFigures {
  readonly found: boolean;
  /** States of an interleaving, kernels after sequences, or attach combinations. */
  readonly states: number;
  /** Of the breach; if there is none, all shorter ones hold. */
  readonly depth: number;
  /** The bound that ended it before a breach; null: it was found, or there is nothing more to try. */
  readonly bound: 'depth' | 'states' | null;
}

/** Seeds 1, 2, … that are tried. */
export const SEEDS = 20;

/** If none of the first ones finds a bug, the others are not tried. */
const SEEDS_IN_VAIN = 5;

/** Calls of a sequence, and states, of an exhaustive search at most. */
export const EXHAUSTIVE = { depth: 6, states: 60_000 } as const;

/** Draws of one seed, at most. */
export const WITHIN = { sequence: 2000, combination: 20_000, schedule: 2000, sample: 20_000 } as const;

/** A breach that one seed finds: the draws up to it, and the steps of its shortest form, if it was shrunk. */
interface Hit {
  readonly draws: number;
  readonly steps?: number;
}

/** The searches for one planted bug. */
interface Searches {
  readonly unit: RandomFigures['unit'];
  readonly random: (seed: number) => Hit | undefined;
  readonly exhaustive?: () => ExhaustiveFigures;
  /** Steps of the breach that was written by hand. */
  readonly written?: number;
}

/** Searches for a planted bug with each seed, and exhaustively; yields the number of searches done. */
export function* measure(name: string): Generator<number, BugFigures> {
  const { unit, random, exhaustive, written } = searchesFor(name);
  const hits: Hit[] = [];
  let of = 0;
  while (of < SEEDS && (hits.length > 0 || of < SEEDS_IN_VAIN)) {
    const hit = random(++of);
    if (hit !== undefined) hits.push(hit);
    yield of;
  }
  const all = exhaustive?.() ?? null;
  const steps = hits.flatMap((hit) => hit.steps ?? []);
  const shortest = all?.found === true ? all.depth : Math.min(...steps, written ?? Number.POSITIVE_INFINITY);
  return {
    random: { found: hits.length, of, median: medianOf(hits), unit, within: WITHIN[unit] },
    exhaustive: all,
    shortest: Number.isFinite(shortest) ? shortest : null,
  };
}

/** One of the searches found it. */
export function wasFound({ random, exhaustive }: BugFigures): boolean {
  return random.found > 0 || exhaustive?.found === true;
}

/** A seed that does not find it counts as one that takes longest. */
function medianOf(hits: readonly Hit[]): number | null {
  const draws = hits.map((hit) => hit.draws).sort((a, b) => a - b);
  return draws[SEEDS >> 1] ?? null;
}

function searchesFor(name: string): Searches {
  const isIt = (planted: { readonly name: string }) => planted.name === name;
  const image = PLANTED.find(isIt);
  if (image !== undefined) return inImages(image);
  const sequence = ATTACH_PLANTED.find(isIt);
  if (sequence !== undefined) return inSequences(sequence);
  const task = TASK_PLANTED.find(isIt);
  if (task !== undefined) return inInterleavings(task);
  const abi = ABI_PLANTED.find(isIt);
  if (abi !== undefined) return inArguments(abi);
  throw new Error(`no search measures the planted bug ${name}`);
}

function inImages(planted: Planted): Searches {
  const random = (seed: number) => {
    const search = { seed, cases: WITHIN.combination, laws: [planted.law], planted, known: KNOWN };
    for (const steps = searchImages(search); ; ) {
      const { done, value } = steps.next(false);
      if (value.found !== undefined) return { draws: value.cases, steps: stepCount(value.found.case) };
      if (done === true) return undefined;
    }
  };
  const exhaustive = (): ExhaustiveFigures => {
    const { found, states } = searchAllImages({ laws: [planted.law], known: KNOWN }, planted);
    return {
      found: found !== undefined,
      states,
      depth: found === undefined ? PROGRAMS_MOST + 1 : stepCount(found),
      bound: null,
    };
  };
  return { unit: 'combination', random, exhaustive };
}

function inSequences(planted: AttachPlanted): Searches {
  const { profile, law, edits, smallest } = planted;
  const random = (seed: number) => {
    const { found, sequences } = searchToEnd({
      profile,
      seed,
      sequences: WITHIN.sequence,
      laws: [law],
      known: [],
      program: linkKernel(edits),
      hits: HIT_LAWS.includes(law),
    });
    return found && { draws: sequences, steps: found.case.actions.length };
  };
  const exhaustive = (): ExhaustiveFigures => {
    const { states, depth, end } = exhausted({ ...smallWorld(planted), ...EXHAUSTIVE });
    const bound = end === 'depth' || end === 'states' ? end : null;
    return { found: end === 'found', states, depth, bound };
  };
  return { unit: 'sequence', random, exhaustive, written: smallest.length };
}

function inInterleavings({ profile, law, edits, grain, scenario }: TaskPlanted): Searches {
  const whole = { profile, ...scenario };
  const random = (seed: number) => {
    const search = { laws: [law], seed, schedules: WITHIN.schedule, program: linkKernel(edits) };
    const { found, walks } = searchSchedules(whole, grain === undefined ? search : { ...search, grain });
    return found && { draws: walks };
  };
  const exhaustive = () => {
    const { finding, states, moves } = askLaw(law, whole, edits, grain);
    return { found: finding !== undefined, states, depth: moves, bound: null };
  };
  return { unit: 'schedule', random, exhaustive };
}

function inArguments(planted: AbiPlanted): Searches {
  const random = (seed: number) => {
    const { found, cases } = searchAbi({ seed, cases: WITHIN.sample, laws: [planted.law], planted });
    return found && { draws: cases, steps: found.sample.functions.length };
  };
  return { unit: 'sample', random };
}
