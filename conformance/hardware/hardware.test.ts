import type { TestContext } from 'vitest';
import { afterAll, expect, test } from 'vitest';
import { drawBatch } from '../../checker/x86/campaign.ts';
import { assemble } from '../../checker/x86/sequence.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { CF } from '../../model/x86/flags.ts';
import { THOROUGH } from '../../test/thorough.ts';
import type { HardwareCpu } from './cpu.ts';
import { HarnessFailure, NoCpu, openCpu } from './cpu.ts';
import type { Emulate, Emulated } from './emulator.ts';
import { openEmulator } from './emulator.ts';
import type { ProgramOutcome } from './outcome.ts';
import type { CpuJob } from './record.ts';
import { describeSearch } from './report.ts';
import type { SearchedPrograms } from './search.ts';
import { searchDifference, searchOne } from './search.ts';

let opened: HardwareCpu | undefined;

/** This machine's CPU; the test counts as skipped if there is none. */
function cpuFor(ctx: TestContext): HardwareCpu {
  try {
    opened ??= openCpu();
    return opened;
  } catch (error) {
    if (error instanceof NoCpu) return ctx.skip(`no C compiler on x86-64: ${error.message}`);
    throw error;
  }
}

afterAll(() => opened?.close());

function search(
  cpu: HardwareCpu,
  sequences: number,
  open?: (memory: Uint8Array) => Emulate,
): SearchedPrograms {
  return toEnd(searchDifference({ seed: 1, sequences, cpu, ...(open === undefined ? {} : { open }) }));
}

/** Two thousand leave one encoding out; `npm run hardware` compares a hundred thousand. */
const [SEQUENCES, MISSING] = THOROUGH ? [3000, []] : [2000, ['short form ADJUST']];

/** Sequences within which a spoiled emulator is found. */
const SPOILED = THOROUGH ? 300 : 20;

test('the emulator and the CPU agree, and each instruction is executed', { timeout: 60_000 }, (ctx) => {
  const searched = search(cpuFor(ctx), SEQUENCES);
  expect(searched.found === undefined ? '' : describeSearch(searched)).toBe('');
  expect(searched.coverage.missing()).toEqual(MISSING);
  const ends = ['exit', 'int3', 'ud2', 'access', 'fetch', 'non-canonical access'];
  expect([...searched.ends.keys()].toSorted()).toEqual(ends.toSorted());
});

/** An emulator with a fault: `change` corrupts its result for a program that has an instruction of that name. */
function spoiled(name: string, change: (right: Emulated) => Emulated): (memory: Uint8Array) => Emulate {
  return (memory) => {
    const emulate = openEmulator(memory);
    return (job, coverage) => {
      const right = emulate(job, coverage);
      const has = job.sequence.instructions.some(({ encoding }) => encoding.name === name);
      return has ? change(right) : right;
    };
  };
}

function everyOutcome(change: (outcome: ProgramOutcome) => ProgramOutcome): (right: Emulated) => Emulated {
  return (right) => ({ ...right, generic: change(right.generic), short: right.short.map(change) });
}

const flipBit = everyOutcome((outcome) => ({
  ...outcome,
  registers: outcome.registers.map((half, i) => (i === 0 ? half ^ 8 : half)),
}));

/** The search of an emulator that is wrong after `bswap`, made once. */
let flipped: SearchedPrograms | undefined;

function searchFlipped(cpu: HardwareCpu): SearchedPrograms {
  flipped ??= search(cpu, SPOILED, spoiled('BSWAP', flipBit));
  return flipped;
}

test('a register with one wrong bit is found, and shrunk to the one instruction that matters', (ctx) => {
  const searched = searchFlipped(cpuFor(ctx));
  expect(describeSearch(searched)).toMatchInlineSnapshot(`
    "✗ CPU and emulator differ: sequence 5 of seed 1

      1 instruction, shrunk from 9

      code+0x0   48 0f ca                       bswap  %rdx

      before     all registers zero, no flag set

                   CPU                              emulator
      rax          0x0                              0x8

      again      npx tsx conformance/hardware/differential.ts --seed 1 --index 5"
  `);
});

test('a wrong flag is found', (ctx) => {
  const flipCarry = everyOutcome((outcome) => ({ ...outcome, flags: outcome.flags ^ CF }));
  const searched = search(cpuFor(ctx), SPOILED, spoiled('NEG', flipCarry));
  expect(describeSearch(searched)).toMatchInlineSnapshot(`
    "✗ CPU and emulator differ: sequence 6 of seed 1

      1 instruction, shrunk from 7

      code+0x0   f6 1c 25 d7 00 00 10           negb   0x100000d7

      before     all registers zero, no flag set

                   CPU                              emulator
      flags        PF ZF                            CF PF ZF

      again      npx tsx conformance/hardware/differential.ts --seed 1 --index 6"
  `);
});

test('a word of memory that was not written is found', (ctx) => {
  const forget = everyOutcome((outcome) => ({ ...outcome, changes: new Int32Array(0) }));
  const searched = search(cpuFor(ctx), SPOILED, spoiled('PUSHF', forget));
  expect(describeSearch(searched)).toMatchInlineSnapshot(`
    "✗ CPU and emulator differ: sequence 0 of seed 1

      1 instruction, shrunk from 11

      code+0x0   9c                             pushf

      before     all registers zero, no flag set

                   CPU                              emulator
      stack+0x7f8  0x202                            as before

      again      npx tsx conformance/hardware/differential.ts --seed 1 --index 0"
  `);
});

test('a short form that differs from the general form is found', (ctx) => {
  const shortOnly = (right: Emulated) => ({ ...right, short: flipBit(right).short });
  const searched = search(cpuFor(ctx), SPOILED, spoiled('LEAVE', shortOnly));
  expect(describeSearch(searched)).toMatchInlineSnapshot(`
    "✗ general form and short forms differ: sequence 10 of seed 1

      1 instruction, shrunk from 3

      code+0x0   40 c9                          leave

      before     all registers zero, no flag set

                   general form                     short forms
      rax          0x0                              0x8

      again      npx tsx conformance/hardware/differential.ts --seed 1 --index 10"
  `);
});

test('a difference is reproduced by its number alone', (ctx) => {
  const cpu = cpuFor(ctx);
  const { found } = searchFlipped(cpu);
  const open = spoiled('BSWAP', flipBit);
  const again = searchOne({ seed: 1, sequences: 1, cpu, open }, found!.index);
  expect(again.found).toEqual(found);
});

test('a dying harness names the program that it ran', (ctx) => {
  const cpu = cpuFor(ctx);
  const { memory, sequences } = drawBatch(1, 0, 3);
  const jobs = sequences.map((sequence): CpuJob => ({ sequence, program: assemble(sequence) }));
  const patches = [{ address: 0x10n, value: 0n }];
  jobs[2] = { ...jobs[2]!, program: { ...jobs[2]!.program, patches } };
  expect(() => cpu.run(memory, jobs)).toThrow(HarnessFailure);
  expect(() => cpu.run(memory, jobs)).toThrow('a signal outside of any program at program 2');
});

test('an endless program is stopped, and the next one runs', { timeout: 60_000 }, (ctx) => {
  const { memory, sequences } = drawBatch(1, 0, 1);
  const job: CpuJob = { sequence: sequences[0]!, program: assemble(sequences[0]!) };
  const endless = { ...job, program: { ...job.program, code: Uint8Array.of(0xeb, 0xfe) } };
  const outcomes = cpuFor(ctx).run(memory, [endless, job]);
  expect(outcomes.map(({ stop }) => stop)).toEqual(['endless', 'exit']);
});

test('without a compiler there is no CPU to compare with', () => {
  expect(() => openCpu('no-such-compiler')).toThrow(NoCpu);
});
