import { expect, test } from 'vitest';
import { drawBatch } from '../../checker/x86/campaign.ts';
import { assemble } from '../../checker/x86/sequence.ts';
import { COMPARED, compareEngines } from '../../model/x86/both-engines.ts';
import { setBreakpoint } from '../../model/x86/link.ts';
import type { Machine } from '../../model/x86/machine.ts';
import { readRegister, writeRegister } from '../../model/x86/machine.ts';
import { CONSTANT4, highTags, lowTags } from '../../model/x86/origin.ts';
import { run } from '../../model/x86/run.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import { THOROUGH } from '../../test/thorough.ts';
import type { HardwareBench } from './bench.ts';
import { finish, loadCode, loadState, openBench } from './bench.ts';
import type { CpuJob } from './record.ts';

const BUDGET = 256;
const SEQUENCES = THOROUGH ? 100_000 : 1000;
const BATCH = 500;

/** A sequence of small numbers that is the same in each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed | 1;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) % sides;
  };
}

/** Some registers and words of memory get an origin; constants stay the most frequent, or nothing would be executed. */
function scatterOrigins({ machine, scratch }: HardwareBench, roll: (sides: number) => number): void {
  const tags = () => {
    const kind = roll(12);
    if (kind === 0) return [0, 0] as const;
    return kind < 4
      ? ([lowTags(kind + 20), highTags(kind + 20)] as const)
      : ([CONSTANT4, CONSTANT4] as const);
  };
  for (let reg = 0; reg < 16; reg++) {
    const [lo, hi] = reg === 4 ? [CONSTANT4, CONSTANT4] : tags();
    writeRegister(machine, reg, readRegister(machine, reg), lo, hi);
  }
  for (const { tagWords } of scratch)
    for (let i = 0; i < tagWords.length; i += 2)
      tagWords.set(roll(2) === 0 ? [CONSTANT4, CONSTANT4] : tags(), i);
}

/** To the end, or until an instruction that is not modelled: at once, or a few instructions at a time. */
function runThrough(m: Machine, roll: (sides: number) => number): void {
  const most = roll(2) === 0 ? BUDGET : 1 + roll(6);
  try {
    for (let left = BUDGET; left > 0; left -= most) if (run(m, most).kind !== 'budget') return;
  } catch (error) {
    if (!(error instanceof UnsupportedInstruction)) throw error;
  }
}

function compare(bench: HardwareBench, job: CpuJob, roll: (sides: number) => number): void {
  loadCode(bench, job);
  for (const isStrict of [false, true]) {
    loadState(bench, job);
    if (roll(3) > 0) scatterOrigins(bench, roll);
    Object.assign(bench.machine, { strict: isStrict, controlGroups: 1 << 22 });
    setBreakpoint(bench.machine, bench.code, job.program.end);
    runThrough(bench.machine, roll);
    finish(bench, job, { kind: 'budget', at: { hi: 0, lo: 0 } });
    for (const { tags } of bench.scratch) tags.fill(1);
  }
}

test(`both engines agree on ${SEQUENCES} random sequences`, () => {
  for (let first = 0; first < SEQUENCES; first += BATCH) {
    const { memory, sequences } = drawBatch(24 + first, 0, BATCH);
    const benches = [openBench(memory, false), openBench(memory, true)];
    for (const { machine } of benches) compareEngines(machine);
    sequences.forEach((sequence, i) => {
      compare(benches[i % 2]!, { sequence, program: assemble(sequence) }, dice(first + i));
    });
  }
  expect(COMPARED.runs).toBeGreaterThan(SEQUENCES);
  expect(COMPARED.instructions).toBeGreaterThan(5 * SEQUENCES);
}, 1_000_000);
