import type { ReferenceCpu } from './cpu.ts';
import { RSP, Stopped } from './cpu.ts';
import type { Program, ProgramPage } from './program.ts';
import { PAGE } from './program.ts';
import type { ReadMemory, ReadOperand, ReadRegister } from './read.ts';
import type { TaggedBytes } from './tagged.ts';
import { all, CONSTANT, constant, cut, extended, originOf, UNDEFINED } from './tagged.ts';

/** Registers, flags and memory of the reference CPU, with the origin of each byte. */
export class CpuState implements ReferenceCpu {
  readonly registers: TaggedBytes[];
  flags: number;
  origin = CONSTANT;
  carryOrigin = CONSTANT;
  place: bigint;
  next = 0n;
  /** A store to code has taken all breakpoints away. */
  protected isChanged = false;
  protected readonly base: bigint;
  protected readonly bytes: Uint8Array[];
  protected readonly stores: [number, bigint, number][] = [];
  private readonly tags: Uint8Array[];

  constructor(readonly program: Program) {
    const { registers, registerTags, flags, pages, memory, tags } = program;
    this.registers = registers.map((value, i) => ({ value, tags: registerTags[i] ?? all(CONSTANT, 8) }));
    this.flags = flags;
    this.base = pages[0]?.base ?? 0n;
    this.place = this.base;
    const code = new Uint8Array(PAGE).fill(0xcc);
    code.set(program.code);
    const part = (of: Uint8Array) => (_: ProgramPage, i: number) => of.slice(i * PAGE, (i + 1) * PAGE);
    const scratch = pages.slice(1);
    this.bytes = [code, ...scratch.map(part(memory))];
    this.tags = [new Uint8Array(PAGE).fill(CONSTANT), ...scratch.map(part(tags))];
    for (const { address, value } of program.patches) this.patch(address, constant(value, 8));
  }

  private patch(address: bigint, { value, tags }: TaggedBytes): void {
    const number = this.pageOf(address, 8);
    if (number === undefined) throw new Error(`nothing is mapped at ${hex(address)}`);
    this.write(number, Number(address - this.page(number).base), { value, tags });
  }

  protected page(number: number): ProgramPage {
    const page = this.program.pages[number];
    if (page === undefined) throw new Error(`there is no page ${number}`);
    return page;
  }

  protected pageOf(address: bigint, bytes: number): number | undefined {
    const found = this.program.pages.findIndex(
      ({ base }) => address >= base && address + BigInt(bytes) <= base + BigInt(PAGE),
    );
    return found < 0 ? undefined : found;
  }

  get(operand: ReadOperand): TaggedBytes {
    switch (operand.is) {
      case 'register':
        return this.readRegister(operand);
      case 'value':
        return constant(operand.value, operand.bytes);
      case 'memory':
        return this.load(this.accessed(operand), operand.bytes);
    }
  }

  private readRegister({ number, high, bytes }: ReadRegister): TaggedBytes {
    const { value, tags } = this.register(number);
    if (!high) return cut({ value, tags }, bytes);
    return { value: (value >> 8n) & 0xffn, tags: tags.slice(1, 2) };
  }

  private register(number: number): TaggedBytes {
    const found = this.registers[number];
    if (found === undefined) throw new Error(`there is no register ${number}`);
    return found;
  }

  set(operand: ReadOperand, result: TaggedBytes): void {
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
  private writeRegister({ number, high, bytes }: ReadRegister, part: TaggedBytes): void {
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

  private storeOperand(operand: ReadMemory, value: TaggedBytes): void {
    const address = this.accessed(operand);
    this.store(address, value);
    this.stores.push([Number(this.place - this.base), address, operand.bytes]);
  }

  addressOf({ base, index, scale, displacement, gs }: ReadMemory): TaggedBytes {
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

  private accessed(operand: ReadMemory): bigint {
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

  requireWritable(operand: ReadOperand): void {
    if (operand.is !== 'memory') return;
    const address = this.accessed(operand);
    for (const access of ['read', 'write'] as const) this.mapped(address, operand.bytes, access);
  }

  /** The page and the offset of an access that is allowed. */
  private mapped(address: bigint, bytes: number, access: 'read' | 'write'): readonly [number, number] {
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

  load(address: bigint, bytes: number): TaggedBytes {
    const [number, offset] = this.mapped(address, bytes, 'read');
    let value = 0n;
    for (let i = 0; i < bytes; i++) value |= BigInt(this.bytes[number]?.[offset + i] ?? 0) << BigInt(8 * i);
    return { value, tags: [...(this.tags[number]?.subarray(offset, offset + bytes) ?? [])] };
  }

  store(address: bigint, value: TaggedBytes): void {
    const [number, offset] = this.mapped(address, value.tags.length, 'write');
    this.write(number, offset, value);
    if (number === 0) this.isChanged = true;
  }

  private write(number: number, offset: number, { value, tags }: TaggedBytes): void {
    this.tags[number]?.set(tags, offset);
    for (let i = 0; i < tags.length; i++)
      this.bytes[number]?.set([Number((value >> BigInt(8 * i)) & 0xffn)], offset + i);
  }

  /** Of data, stack and low memory; patches are changes of the program's own. */
  protected changes(): [number, number, number][] {
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

export function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
