import { present } from '../../model/core/present.ts';
import { cleanInt } from '../../model/trampoline/designs/global/global-caller.ts';
import { inlined } from '../../model/trampoline/designs/global/inlined.ts';
import { hashLookup } from '../../model/trampoline/designs/global/lookup.ts';
import type { Benchmark } from './benchmark.ts';
import { measuredTime } from './benchmark.ts';
import type { CostRow } from './cost-model.ts';
import type { GlobalKind } from './global-code.ts';
import { runGlobalCode } from './global-code.ts';
import type { HitCost } from './hit.ts';
import { HIT_KINDS, hitCost, ofMultiLinks } from './hit.ts';
import type { RecordedHit } from './recorded-hit.ts';
import { codeOf, eachTime } from './recorded-hit.ts';

/**
 * The kernel that is counted instead of the benchmarked one: the recorded kernel before it, which enters images by a call
 * as well, and which the design runs on.
 */
export const COUNTED_ON = '6.12';

/** Recorded calls: without programs on probes, and the benchmark's own hits with theirs. */
export interface RecordedCosts {
  readonly plain: readonly RecordedHit[];
  readonly benchmarked: readonly RecordedHit[];
}

/** The rows of a benchmark that hit something, each with its counts. */
export function costRows(benchmark: Benchmark, recorded: RecordedCosts): CostRow[] {
  return benchmark.hits.map((measured) => ({
    name: measured.name,
    ...countsOf(measured.name, benchmark.design, recorded),
    measured: measuredTime(benchmark, measured),
  }));
}

/**
 * A system call with nothing attached, as recorded: no code of the model. A round of the benchmark without it is a round
 * in user mode.
 */
export function systemCallRow({ counts }: Benchmark, { benchmarked }: RecordedCosts): CostRow {
  const rate = (name: string) =>
    present(
      counts.find((row) => row.name === name),
      name,
    ).rate;
  const hit = present(recordedHit(benchmarked, SYSTEM_CALL), SYSTEM_CALL);
  return {
    name: SYSTEM_CALL,
    instructions: recordedInstructions(hit),
    strayReturns: 0,
    measured: 1000 / rate(SYSTEM_CALL) - 1000 / rate('usermode-count'),
  };
}

const SYSTEM_CALL = 'syscall-count';

type HitCounts = Pick<CostRow, 'instructions' | 'strayReturns'>;

function countsOf(name: string, design: string, recorded: RecordedCosts): HitCounts {
  const kind = present(
    HIT_KINDS.find((hit) => hit.name === name),
    name,
  );
  if (ofMultiLinks(kind)) return ofDesign(name, design, recorded);
  const hit = present(recordedHit(recorded.benchmarked, name) ?? recordedHit(recorded.plain, name), name);
  // A program on a tracepoint's perf event is not modelled; the recorded call has no mispredicted return.
  const cost = hitCost(COUNTED_ON, kind);
  if (cost === undefined) return { instructions: recordedInstructions(hit), strayReturns: 0 };
  // Recorded with one argument.
  const more = argumentsOf(name) === 1 ? 0 : instructionsWith(name) - cost.instructions;
  return { instructions: recordedInstructions(hit) + more, strayReturns: cost.strayReturns };
}

/**
 * bpf_get_numa_node_id() has five argument words, as every helper of BPF has; bpf_modify_return_test_tp() has one, and
 * probes save registers whatever the function has.
 */
function argumentsOf(name: string): 1 | 5 {
  return /^(fentry|fexit)/.test(name) ? 5 : 1;
}

/** Instructions of the model's machine code for a function with five arguments. */
function instructionsWith(name: string): number {
  const kind = present(
    HIT_KINDS.find((hit) => hit.name === name),
    name,
  );
  return present(hitCost(COUNTED_ON, kind, 'u64 x5 -> u64'), name).instructions;
}

export function recordedHit(hits: readonly RecordedHit[], name: string): RecordedHit | undefined {
  return hits.find(({ kernel, hit }) => kernel === COUNTED_ON && hit === name);
}

/** All instructions of a recorded call: code and functions in C. */
export function recordedInstructions(hit: RecordedHit): number {
  return codeOf(hit) + Object.values(hit.functions).reduce((sum, { instructions }) => sum + instructions, 0);
}

const KIND_OF: Readonly<Record<string, GlobalKind>> = {
  fentry: 'fentry',
  fexit: 'fexit',
  fmodret: 'fmod_ret',
};

/** No kernel has the design: its code as posted, and the recorded instructions of what it calls. */
function ofDesign(name: string, design: string, { plain }: RecordedCosts): HitCounts {
  const [base = ''] = name.split('-');
  const kind = present(KIND_OF[base], name);
  const code = runGlobalCode(
    { lookup: hashLookup, answer: cleanInt, around: inlined },
    { nrArgs: argumentsOf(name), kind },
  );
  const inC = Object.entries(code.cFunctions).map(([fn, times]) => times * recordedFunction(fn, plain));
  const instructions = code.instructions + inC.reduce((sum, count) => sum + count, 0);
  return { instructions: instructions + passed(name, base, design), strayReturns: code.strayReturns };
}

/** Instructions of one call of a function in C on the kernel. */
export function recordedFunction(fn: string, recorded: readonly RecordedHit[]): number {
  return present(
    eachTime(
      fn,
      recorded.filter(({ kernel }) => kernel === COUNTED_ON),
    ),
    fn,
  );
}

/** What the look-up executes for entries before that of the function, when all functions are attached to. */
function passed(name: string, base: string, design: string): number {
  return hitOf(name, design).instructions - hitOf(`${base}-multi`, design).instructions;
}

function hitOf(name: string, design: string): HitCost {
  const kind = present(
    HIT_KINDS.find((hit) => hit.name === name),
    name,
  );
  return present(hitCost(`${COUNTED_ON}, multiLinks = ${design}`, kind), name);
}
