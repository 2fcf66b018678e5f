import { flagsRead, undefinedAfter } from '../../../checker/x86/flag-effects.ts';
import { executeOne } from './execute.ts';
import { isOrdinary } from './ordinary.ts';
import type { Ending, Program, ProgramPage } from './program.ts';
import { PAGE, STEPS } from './program.ts';
import type { MemoryOperand, Operand, ReadInstruction, RegisterOperand } from './read.ts';
import { read } from './read.ts';
import { isAtOnce, shortFormOf } from './short-forms.ts';
import type { Tagged } from './tagged.ts';
import { all, CONSTANT, constant, cut, extended, originOf, UNDEFINED } from './tagged.ts';

/*
 * A second processor: slow, in whole numbers, from the manual and from what the emulator promises about origins
 * (model/x86/origin.ts) and refusals. It shares no code with model/x86.
 */

export const RSP = 4;

/** The end of a run, thrown from within an instruction. */
export class Stopped extends Error {
  constructor(
    readonly stop: string,
    /** What the instruction did stays. */
    readonly keeps = false,
  ) {
    super(stop);
  }
}

/** What an instruction sees of the processor. */
export interface Processor {
  readonly program: Program;
  readonly registers: Tagged[];
  flags: number;
  /** The origin of all flags but CF, and that of CF. */
  origin: number;
  carryOrigin: number;
  /** Where the instruction is, and where the next one is. */
  at: bigint;
  next: bigint;
  get(operand: Operand): Tagged;
  set(operand: Operand, value: Tagged): void;
  /** The address of an operand without an access. */
  addressOf(operand: MemoryOperand): Tagged;
  /** Refuses an operand in memory that may not be read, or not be written, before either is done. */
  requireWritable(operand: Operand): void;
  load(address: bigint, bytes: number): Tagged;
  store(address: bigint, value: Tagged): void;
  requireKnown(what: 'address' | 'branch', tags: readonly number[], address: bigint): void;
}

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

const hex = (value: bigint): string => `0x${value.toString(16)}`;

class Reference implements Processor {
  readonly registers: Tagged[];
  flags: number;
  origin = CONSTANT;
  carryOrigin = CONSTANT;
  at: bigint;
  next = 0n;
  private readonly base: bigint;
  private readonly bytes: Uint8Array[];
  private readonly tags: Uint8Array[];
  private readonly stores: [number, bigint, number][] = [];
  /** Instructions by their offset, and whether each was ordinary whenever it was executed. */
  private readonly executed = new Map<number, boolean>();
  private lazy = false;
  /** A store to code has taken all breakpoints away. */
  private isChanged = false;
  private open = 0;
  private steps = 0;

  constructor(readonly program: Program) {
    const { registers, registerTags, flags, pages, memory, tags } = program;
    this.registers = registers.map((value, i) => ({ value, tags: registerTags[i] ?? all(CONSTANT, 8) }));
    this.flags = flags;
    this.base = pages[0]?.base ?? 0n;
    this.at = this.base;
    const code = new Uint8Array(PAGE).fill(0xcc);
    code.set(program.code);
    const part = (of: Uint8Array) => (_: ProgramPage, i: number) => of.slice(i * PAGE, (i + 1) * PAGE);
    const scratch = pages.slice(1);
    this.bytes = [code, ...scratch.map(part(memory))];
    this.tags = [new Uint8Array(PAGE).fill(CONSTANT), ...scratch.map(part(tags))];
    for (const { address, value } of program.patches) this.patch(address, constant(value, 8));
  }

  private patch(address: bigint, { value, tags }: Tagged): void {
    const number = this.pageOf(address, 8);
    if (number === undefined) throw new Error(`nothing is mapped at ${hex(address)}`);
    this.write(number, Number(address - this.page(number).base), { value, tags });
  }

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
      if (!this.isChanged && this.at === this.base + BigInt(this.program.end)) return 'end';
      const registers = [...this.registers];
      try {
        this.step();
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        if (!error.keeps) this.registers.splice(0, 16, ...registers);
        return `${error.stop} at ${hex(this.at)}`;
      }
    }
  }

  private step(): void {
    const offset = Number(this.at - this.base);
    const instruction = read(this.bytes[0] ?? new Uint8Array(0), offset, this.base);
    if (instruction === undefined) throw new Stopped('unsupported', true);
    this.steps++;
    const { name } = instruction.encoding;
    const condition = instruction.encoding.low === 'condition' ? instruction.condition : undefined;
    if ((this.open & flagsRead(name, condition)) !== 0) throw new Stopped(ASTRAY);
    this.noteOrdinary(offset, instruction);
    this.next = this.at + BigInt(instruction.length);
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
    this.at = this.next;
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

  /** What comes next has to be code. */
  private fetch(address: bigint): void {
    const page = this.pageOf(address, 1);
    if (page === undefined) throw new Stopped(`fault unmapped execute 1 ${hex(address)}`, true);
    if ((this.page(page).permission & 4) === 0)
      throw new Stopped(`fault not executable execute 1 ${hex(address)}`, true);
  }

  private page(number: number): ProgramPage {
    const page = this.program.pages[number];
    if (page === undefined) throw new Error(`there is no page ${number}`);
    return page;
  }

  private pageOf(address: bigint, bytes: number): number | undefined {
    const found = this.program.pages.findIndex(
      ({ base }) => address >= base && address + BigInt(bytes) <= base + BigInt(PAGE),
    );
    return found < 0 ? undefined : found;
  }

  get(operand: Operand): Tagged {
    switch (operand.is) {
      case 'register':
        return this.readRegister(operand);
      case 'value':
        return constant(operand.value, operand.bytes);
      case 'memory':
        return this.load(this.accessed(operand), operand.bytes);
    }
  }

  private readRegister({ number, high, bytes }: RegisterOperand): Tagged {
    const { value, tags } = this.register(number);
    if (!high) return cut({ value, tags }, bytes);
    return { value: (value >> 8n) & 0xffn, tags: tags.slice(1, 2) };
  }

  private register(number: number): Tagged {
    const found = this.registers[number];
    if (found === undefined) throw new Error(`there is no register ${number}`);
    return found;
  }

  set(operand: Operand, result: Tagged): void {
    switch (operand.is) {
      case 'register':
        this.writeRegister(operand, cut(result, operand.bytes));
        return;
      case 'memory':
        this.storeOperand(operand, cut(result, operand.bytes));
        return;
      case 'value':
        throw new Error('an immediate is no destination');
    }
  }

  /** Four bytes clear the upper ones, fewer leave the others alone. */
  private writeRegister({ number, high, bytes }: RegisterOperand, part: Tagged): void {
    if (bytes >= 4) {
      this.registers[number] = extended(part, 8);
      return;
    }
    const { value, tags } = this.register(number);
    const from = high ? 1 : 0;
    const mask = ((1n << BigInt(8 * bytes)) - 1n) << BigInt(8 * from);
    this.registers[number] = {
      value: (value & ~mask) | (part.value << BigInt(8 * from)),
      tags: tags.map((tag, i) => (i >= from && i < from + bytes ? (part.tags[i - from] ?? tag) : tag)),
    };
  }

  private storeOperand(operand: MemoryOperand, value: Tagged): void {
    const address = this.accessed(operand);
    this.store(address, value);
    this.stores.push([Number(this.at - this.base), address, operand.bytes]);
  }

  addressOf({ base, index, scale, displacement, gs }: MemoryOperand): Tagged {
    const parts = [base, index].map((number) =>
      number === undefined ? constant(0n, 8) : this.register(number),
    );
    const [first = constant(0n, 8), second = constant(0n, 8)] = parts;
    const segment = gs ? this.program.gsBase : 0n;
    return {
      value: BigInt.asUintN(64, first.value + (second.value << BigInt(scale)) + displacement + segment),
      tags: parts.flatMap(({ tags }) => tags),
    };
  }

  private accessed(operand: MemoryOperand): bigint {
    const { value, tags } = this.addressOf(operand);
    this.requireKnown('address', tags, value);
    return value;
  }

  requireKnown(what: 'address' | 'branch', tags: readonly number[], address: bigint): void {
    const origin = originOf(...tags);
    const access = what === 'address' ? 'read 8' : 'execute 1';
    if (origin === UNDEFINED) throw new Stopped(`fault undefined ${what} ${access} ${hex(address)}`);
    if (origin !== CONSTANT && this.program.strict) throw new Stopped(`depends ${what} ${origin}`);
  }

  requireWritable(operand: Operand): void {
    if (operand.is !== 'memory') return;
    const address = this.accessed(operand);
    for (const access of ['read', 'write'] as const) this.place(address, operand.bytes, access);
  }

  /** The page and the offset of an access that is allowed. */
  private place(address: bigint, bytes: number, access: 'read' | 'write'): readonly [number, number] {
    const refuse = (why: string): never => {
      throw new Stopped(`fault ${why} ${access} ${bytes} ${hex(address)}`);
    };
    const number = this.pageOf(address, bytes);
    if (number === undefined) return refuse('unmapped');
    const { name, base, permission, writable } = this.page(number);
    const offset = Number(address - base);
    const needed = access === 'read' ? 1 : 2;
    if ((permission & needed) === 0) return refuse(access === 'read' ? 'not readable' : 'not writable');
    if (access === 'write' && offset + bytes > writable) return refuse('not writable');
    const top = Number(BigInt.asIntN(32, this.register(RSP).value - base));
    if (name === 'stack' && offset < top) return refuse('below the stack pointer');
    return [number, offset];
  }

  load(address: bigint, bytes: number): Tagged {
    const [number, offset] = this.place(address, bytes, 'read');
    let value = 0n;
    for (let i = 0; i < bytes; i++) value |= BigInt(this.bytes[number]?.[offset + i] ?? 0) << BigInt(8 * i);
    return { value, tags: [...(this.tags[number]?.subarray(offset, offset + bytes) ?? [])] };
  }

  store(address: bigint, value: Tagged): void {
    const [number, offset] = this.place(address, value.tags.length, 'write');
    this.write(number, offset, value);
    if (number === 0) this.isChanged = true;
  }

  private write(number: number, offset: number, { value, tags }: Tagged): void {
    this.tags[number]?.set(tags, offset);
    for (let i = 0; i < tags.length; i++)
      this.bytes[number]?.set([Number((value >> BigInt(8 * i)) & 0xffn)], offset + i);
  }

  /** Of data, stack and low memory; patches are changes of the program's own. */
  private changes(): [number, number, number][] {
    const { memory, tags } = this.program;
    const found: [number, number, number][] = [];
    for (let i = 0; i < memory.length; i++) {
      const [number, offset] = [1 + Math.floor(i / PAGE), i % PAGE];
      const [byte, tag] = [this.bytes[number]?.[offset] ?? 0, this.tags[number]?.[offset] ?? 0];
      if (byte !== memory[i] || tag !== tags[i]) found.push([i, byte, tag]);
    }
    return found;
  }
}

/** What a shift shifts by. */
function countOf(p: Processor, { encoding, operands }: ReadInstruction): number | undefined {
  const count = operands[1];
  if (!['SHL', 'SHR', 'SAR', 'ROL', 'ROR'].includes(encoding.name) || count === undefined) return undefined;
  return Number(p.get(count).value & (operands[0]?.bytes === 8 ? 63n : 31n));
}
