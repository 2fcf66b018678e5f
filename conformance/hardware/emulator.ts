import type { Coverage } from '../../checker/x86/coverage.ts';
import { FlagHistory } from '../../checker/x86/flag-history.ts';
import { contains, SCRATCH } from '../../checker/x86/layout.ts';
import type { Drawn } from '../../checker/x86/sequence.ts';
import { HARMLESS_FLAGS } from '../../checker/x86/step.ts';
import { item } from '../../model/core/present.ts';
import { cell } from '../../model/x86/cell.ts';
import { FIELD, FIELDS, REG_STRIDE } from '../../model/x86/instruction.ts';
import { executeSlowly, rowFor, setBreakpoint } from '../../model/x86/link.ts';
import type { Machine, Stop } from '../../model/x86/machine.ts';
import { readRegister } from '../../model/x86/machine.ts';
import { ROW_NUMBERS } from '../../model/x86/memory.ts';
import { RCX, RSP } from '../../model/x86/register.ts';
import { offsetOfPlace, ROW } from '../../model/x86/row.ts';
import { run } from '../../model/x86/run.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import { toBigInt } from '../../model/x86/word.ts';
import type { EndOfProgram, HardwareBench } from './bench.ts';
import { finish, loadCode, loadState, openBench } from './bench.ts';
import type { ProgramOutcome } from './outcome.ts';
import type { CpuJob } from './record.ts';

/** The emulator's result for a program. */
export interface Emulated {
  /** From the general form of every instruction. */
  readonly generic: ProgramOutcome;
  /** From `run()`, first with plain stores, then with recorded stores. */
  readonly short: readonly ProgramOutcome[];
  /** Status flags that the architecture leaves undefined at the end. */
  readonly undefinedFlags: number;
  /** Why the CPU may validly behave differently. No sequence is drawn like that. */
  readonly undefinedBy: string | undefined;
}

/** Emulates programs that all start from the same memory. */
export type Emulate = (job: CpuJob, coverage?: Coverage) => Emulated;

/** Instructions after which a program counts as endless. Branches are forward, so no drawn program is. */
const BUDGET = 256;

export function openEmulator(memory: Uint8Array): Emulate {
  const plain = openBench(memory, false);
  const noting = openBench(memory, true);
  const general = openBench(memory, false);
  return (job, coverage) => {
    const short = [plain, noting].flatMap((bench) => runShort(bench, job));
    loadCode(general, job);
    loadState(general, job);
    const trace = runGenerally(general.machine, job);
    if (coverage !== undefined) cover(coverage, { job, trace, general, shorts: [plain, noting] });
    const { undefinedFlags } = trace;
    const generic = finish(general, job, trace.end);
    return { generic, short, undefinedFlags, undefinedBy: trace.undefinedBy ?? ownRule(generic) };
  };
}

/** A stop by a rule of the machine that no CPU has. */
function ownRule({ stop }: ProgramOutcome): string | undefined {
  return stop === 'below the stack pointer' ? `access ${stop}` : undefined;
}

/** Twice, because the second run finds everything decoded, linked and in the cache of returns. */
function runShort(bench: HardwareBench, job: CpuJob): ProgramOutcome[] {
  loadCode(bench, job);
  return [1, 2].map(() => {
    loadState(bench, job);
    const end = attempt(() => {
      setBreakpoint(bench.machine, bench.code, job.program.end);
      return run(bench.machine, BUDGET);
    });
    return finish(bench, job, end);
  });
}

/** An unmodelled instruction ends a run too: the table of encodings promises that there is none. */
function attempt(execute: () => Stop): EndOfProgram {
  try {
    return execute();
  } catch (error) {
    if (error instanceof UnsupportedInstruction) return { kind: 'unsupported instruction', at: error.at };
    throw error;
  }
}

interface Trace {
  readonly end: EndOfProgram;
  /** The numbers of the executed instructions, and their rows, in order. */
  readonly executed: readonly number[];
  readonly rows: readonly number[];
  readonly undefinedFlags: number;
  readonly undefinedBy: string | undefined;
}

/** Executes a loaded program without short forms, and tracks its undefined flags. */
function runGenerally(m: Machine, job: CpuJob): Trace {
  const history = new FlagHistory();
  const trace = {
    executed: [] as number[],
    rows: [] as number[],
    undefinedBy: undefined as string | undefined,
  };
  const end = attempt(() => {
    let k = rowFor(m, m.rip.hi, m.rip.lo);
    while (k > 0 && trace.executed.length < BUDGET) {
      const offset = offsetOfPlace(cell(m.arena, k + ROW.PLACE));
      if (offset === job.program.end) return { kind: 'breakpoint', at: { ...m.rip } };
      const number = job.program.offsets.indexOf(offset);
      const drawn = job.sequence.instructions[number];
      trace.undefinedBy ??= undefinedReason(m, history, drawn);
      if (drawn === undefined) break;
      trace.executed.push(number);
      trace.rows.push(k);
      const cl = cell(m.arena, RCX * REG_STRIDE) & 0xff;
      k = executeSlowly(m, k);
      if (k > 0) history.note(drawn, cl);
    }
    return m.stop ?? { kind: 'budget', at: { ...m.rip } };
  });
  return { ...trace, end, undefinedFlags: history.open };
}

/** Why the CPU is free in what it does with the next instruction, if it is. */
function undefinedReason(m: Machine, history: FlagHistory, next: Drawn | undefined): string | undefined {
  if (next === undefined) return 'a branch to where no instruction starts';
  if (history.reads(next)) return `${next.encoding.name} of a flag that is undefined`;
  if (next.encoding.name === 'POPF' && popsMore(m)) return 'POPF of flags that are not modelled';
  return undefined;
}

/** POPF is about to set the trap flag, the direction flag or the like. */
function popsMore(m: Machine): boolean {
  const rsp = toBigInt(readRegister(m, RSP));
  const page = SCRATCH.findIndex((candidate) => contains(candidate, rsp, 8));
  if (page < 0) return false;
  const { bytes } = item(m.regions, page + 1);
  const offset = Number(rsp - item(SCRATCH, page).base);
  const image = new DataView(bytes.buffer, bytes.byteOffset).getInt32(offset, true);
  return (image & ~HARMLESS_FLAGS) !== 0;
}

interface Covered {
  readonly job: CpuJob;
  readonly trace: Trace;
  readonly general: HardwareBench;
  readonly shorts: readonly HardwareBench[];
}

function cover(coverage: Coverage, { job, trace, general, shorts }: Covered): void {
  trace.executed.forEach((number, i) => {
    const offset = item(job.program.offsets, number);
    const row = (item(trace.rows, i) - general.code.code.rowsAt) / ROW_NUMBERS;
    const family = cell(general.code.code.details, row * FIELDS + FIELD.FAMILY);
    coverage.note(item(job.sequence.instructions, number), family);
    for (const { machine, code } of shorts)
      coverage.noteShortForm(cell(machine.arena, cell(code.code.rowAt, offset) + ROW.OP));
  });
}
