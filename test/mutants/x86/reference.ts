import { flagsRead, undefinedAfter } from '../../../checker/x86/flag-effects.ts';
import { Stopped } from './cpu.ts';
import { CpuState, hex } from './cpu-state.ts';
import { executeOne } from './execute.ts';
import { isOrdinary } from './ordinary.ts';
import type { Ending, Program } from './program.ts';
import { STEPS } from './program.ts';
import type { ReadInstruction } from './read.ts';
import { read } from './read.ts';
import { isAtOnce, shortFormOf } from './short-forms.ts';

/*
 * A second CPU: slow, in whole numbers, from the manual and from what the emulator promises about origins
 * (model/x86/origin.ts) and refusals. It shares no code with model/x86.
 */

/** Instead of a stop: what comes next reads a flag that the architecture leaves open. */
const ASTRAY = 'astray';

/** Whether an ending says anything. */
export function isDefined({ stop }: Ending): boolean {
  return !stop.startsWith(ASTRAY);
}

/** Whether flags are kept as a result after an instruction of that name; the others do not set them. */
const LAZY: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['ADD', 'SUB', 'CMP', 'AND', 'OR', 'XOR', 'TEST', 'NEG'].map((name) => [name, true])),
  ...Object.fromEntries(
    ['ADC', 'SBB', 'INC', 'DEC', 'MUL', 'IMUL', 'POPF', 'SHL', 'SHR', 'SAR', 'ROL', 'ROR'].map((name) => [
      name,
      false,
    ]),
  ),
};

/** Runs a program to its end. */
export function runReference(program: Program): Ending {
  return new Reference(program).run();
}

class Reference extends CpuState {
  /** Instructions by their offset, and whether each was ordinary whenever it was executed. */
  private readonly executed = new Map<number, boolean>();
  private lazy = false;
  private open = 0;
  private steps = 0;

  run(): Ending {
    const stop = this.toStop();
    return {
      stop,
      steps: this.steps,
      registers: this.registers.map(({ value }) => value),
      registerTags: this.registers.map(({ tags }) => tags),
      flags: this.flags,
      open: this.open,
      changes: this.changes(),
      stores: this.stores,
      ordinary: [...this.executed].flatMap(([offset, ordinary]) => (ordinary ? [offset] : [])),
    };
  }

  private toStop(): string {
    for (;;) {
      if (this.steps === STEPS) return 'endless';
      if (!this.isChanged && this.place === this.base + BigInt(this.program.end)) return 'end';
      const registers = [...this.registers];
      try {
        this.step();
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        if (!error.keeps) this.registers.splice(0, 16, ...registers);
        return `${error.stop} at ${hex(this.place)}`;
      }
    }
  }

  private step(): void {
    const offset = Number(this.place - this.base);
    const instruction = read(this.bytes[0] ?? new Uint8Array(0), offset, this.base);
    if (instruction === undefined) throw new Stopped('unsupported', true);
    this.steps++;
    const { name } = instruction.encoding;
    const condition = instruction.encoding.low === 'condition' ? instruction.condition : undefined;
    if ((this.open & flagsRead(name, condition)) !== 0) throw new Stopped(ASTRAY);
    this.noteOrdinary(offset, instruction);
    this.next = this.place + BigInt(instruction.length);
    const count = countOf(this, instruction);
    const [flags, origins] = [this.flags, [this.origin, this.carryOrigin] as const];
    try {
      executeOne(this, instruction);
    } catch (error) {
      this.flags = flags;
      [this.origin, this.carryOrigin] = origins;
      throw error;
    }
    if (count === undefined || count !== 0) this.lazy = LAZY[name] ?? this.lazy;
    this.open = undefinedAfter(this.open, name, { size: instruction.size, count });
    this.fetch(this.next);
    this.place = this.next;
  }

  private noteOrdinary(offset: number, instruction: ReadInstruction): void {
    const form = shortFormOf(instruction);
    const isShort = isAtOnce(this.bytes[0] ?? new Uint8Array(0), offset);
    let ordinary = isShort && this.executed.get(offset) !== false;
    if (ordinary) {
      try {
        ordinary = isOrdinary(this, instruction, form, this.lazy);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        ordinary = false;
      }
    }
    this.executed.set(offset, ordinary);
  }

  /** The next instruction has to be code. */
  private fetch(address: bigint): void {
    const page = this.pageOf(address, 1);
    if (page === undefined) throw new Stopped(`fault unmapped execute 1 ${hex(address)}`, true);
    if ((this.page(page).permission & 4) === 0)
      throw new Stopped(`fault not executable execute 1 ${hex(address)}`, true);
  }
}

/** What a shift shifts by. */
function countOf(p: Reference, { encoding, operands }: ReadInstruction): number | undefined {
  const count = operands[1];
  if (!['SHL', 'SHR', 'SAR', 'ROL', 'ROR'].includes(encoding.name) || count === undefined) return undefined;
  return Number(p.get(count).value & (operands[0]?.bytes === 8 ? 63n : 31n));
}
