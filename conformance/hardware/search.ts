import { BATCH, drawBatch, simplerThan } from '../../checker/x86/campaign.ts';
import { Coverage } from '../../checker/x86/coverage.ts';
import type { InstructionSequence } from '../../checker/x86/sequence.ts';
import { assemble } from '../../checker/x86/sequence.ts';
import { item } from '../../model/core/present.ts';
import type { HardwareDifference } from './compare.ts';
import { difference } from './compare.ts';
import type { HardwareCpu } from './cpu.ts';
import { HarnessFailure } from './cpu.ts';
import type { Emulate, Emulated } from './emulator.ts';
import { openEmulator } from './emulator.ts';
import type { ProgramOutcome } from './outcome.ts';
import type { CpuJob } from './record.ts';

/** A search for a sequence on which emulator and CPU differ. Its bound is a count. */
export interface HardwareSearch {
  readonly seed: number;
  readonly sequences: number;
  readonly cpu: HardwareCpu;
  /** Makes the emulator under test; ours by default. */
  readonly open?: (memory: Uint8Array) => Emulate;
}

/** The result of a search. */
export interface SearchedPrograms {
  readonly seed: number;
  readonly sequences: number;
  readonly coverage: Coverage;
  /** Sequences by how they ended. */
  readonly ends: ReadonlyMap<string, number>;
  readonly found: FoundProgram | undefined;
}

/** A difference, shrunk. */
export interface FoundProgram {
  readonly index: number;
  readonly job: CpuJob;
  readonly difference: HardwareDifference;
  /** Instructions before shrinking. */
  readonly drawn: number;
}

/** Draws and compares until a difference is found or the bound is reached; yields after each batch. */
export function* searchDifference(search: HardwareSearch): Generator<SearchedPrograms, SearchedPrograms> {
  const { seed, sequences } = search;
  const tally = newTally();
  for (let from = 0; from < sequences; from += BATCH) {
    const to = Math.min(sequences, from + BATCH);
    const found = compareRange(search, { from, to }, tally);
    if (found !== undefined) return { seed, sequences: found.index + 1, ...tally, found };
    yield { seed, sequences: to, ...tally, found };
  }
  return { seed, sequences, ...tally, found: undefined };
}

/** Compares one sequence of a search alone. */
export function searchOne(search: HardwareSearch, index: number): SearchedPrograms {
  const tally = newTally();
  const found = compareRange(search, { from: index, to: index + 1 }, tally);
  return { seed: search.seed, sequences: 1, ...tally, found };
}

interface Tally {
  readonly coverage: Coverage;
  readonly ends: Map<string, number>;
}

function newTally(): Tally {
  return { coverage: new Coverage(), ends: new Map() };
}

/** Numbers of some sequences of one batch, the last excluded. */
interface Range {
  readonly from: number;
  readonly to: number;
}

function compareRange(search: HardwareSearch, { from, to }: Range, tally: Tally): FoundProgram | undefined {
  const first = from - (from % BATCH);
  const batch = drawBatch(search.seed, first, to - first);
  const sides = openSides(search, batch.memory);
  const jobs = batch.sequences.slice(from - first).map(jobOf);
  const emulated = jobs.map((job) => sides.emulate(job, tally.coverage));
  const outcomes = naming(search, from, () => sides.run(jobs));
  for (const { stop } of outcomes) tally.ends.set(stop, (tally.ends.get(stop) ?? 0) + 1);
  const number = outcomes.findIndex((outcome, i) => difference(outcome, item(emulated, i)) !== undefined);
  if (number < 0) return undefined;
  const drawn = item(jobs, number).sequence;
  return { index: from + number, drawn: drawn.instructions.length, ...shrink(sides, drawn) };
}

/** Adds to a failure of the harness the sequence that it died at. */
function naming(search: HardwareSearch, from: number, run: () => ProgramOutcome[]): ProgramOutcome[] {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof HarnessFailure) || error.program === undefined) throw error;
    throw new Error(`sequence ${from + error.program} of seed ${search.seed}: ${error.message}`, {
      cause: error,
    });
  }
}

function jobOf(sequence: InstructionSequence): CpuJob {
  return { sequence, program: assemble(sequence) };
}

/** Emulator and CPU, over one memory. */
interface Sides {
  readonly emulate: Emulate;
  readonly run: (jobs: readonly CpuJob[]) => ProgramOutcome[];
}

function openSides({ cpu, open = openEmulator }: HardwareSearch, memory: Uint8Array): Sides {
  return { emulate: open(memory), run: (jobs) => cpu.run(memory, jobs) };
}

/** Takes the first simpler sequence that still differs, until there is none. */
function shrink(sides: Sides, drawn: InstructionSequence): { job: CpuJob; difference: HardwareDifference } {
  let best = differingFirst(sides, [pairOf(sides, drawn)]);
  if (best === undefined) throw new Error('a sequence differed, and does not differ again');
  for (;;) {
    const candidates = simplerThan(best.job.sequence).map((sequence) => pairOf(sides, sequence));
    const simpler = differingFirst(sides, candidates.filter(isDefined));
    if (simpler === undefined) return best;
    best = simpler;
  }
}

interface Pair {
  readonly job: CpuJob;
  readonly emulated: Emulated;
}

function pairOf({ emulate }: Sides, sequence: InstructionSequence): Pair {
  const job = jobOf(sequence);
  return { job, emulated: emulate(job) };
}

/** A sequence with parts removed may loop, or do what the architecture leaves open; then it is not run. */
function isDefined({ job, emulated }: Pair): boolean {
  const { generic, undefinedBy } = emulated;
  return job.sequence.instructions.length > 0 && undefinedBy === undefined && generic.stop !== 'endless';
}

/** The first of some sequences on which the two sides differ. */
function differingFirst(
  { run }: Sides,
  pairs: readonly Pair[],
): { job: CpuJob; difference: HardwareDifference } | undefined {
  const outcomes = run(pairs.map(({ job }) => job));
  for (const [i, { job, emulated }] of pairs.entries()) {
    const found = difference(item(outcomes, i), emulated);
    if (found !== undefined) return { job, difference: found };
  }
  return undefined;
}
