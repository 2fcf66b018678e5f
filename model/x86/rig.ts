import { createMachine } from './create-machine.ts';
import { describeFault } from './fault-words.ts';
import { FLAG_BITS, flagBits, printFlags, setBits, TAG } from './flags.ts';
import { disassemble, hexBytes } from './listing.ts';
import type { Machine, Stop } from './machine.ts';
import { placeOf, readRegister, regionNamed, writeRegister } from './machine.ts';
import type { RegionSpec } from './memory.ts';
import { EXECUTE, READ, WRITE, writeBytes } from './memory.ts';
import { CONSTANT } from './origin.ts';
import { registerName } from './register.ts';
import { run } from './run.ts';
import { fromBigInt, toHex } from './word.ts';

/**
 * A small machine for the tests of this directory, and the rows that they are written in. Every byte starts out
 * recognisable: byte k of register n is `n << 4 | 8 − k` (`rcx` is 0x1112131415161718), a byte of memory is its
 * own offset in its region; around the code under test there are nops.
 */
export const CODE = 0xffffffffc0000000n;
export const STACK = 0xffffc90000100000n;
export const DATA = 0xffffc90000200000n;
export const HEAP = 0xffffc90000300000n;
export const FIXED = 0xffffc90000400000n;
export const SINK = 0xffffc90000500000n;
export const GS = 0xffff88807dc00000n;
/** Nothing is mapped here. */
export const NOWHERE = 0xffffc90000f00000n;

/** Where a row's instruction stands, and `rsp` before it. */
export const START = CODE + 0x100n;
export const TOP = STACK + 0x80n;

/** The stack's last 0x40 bytes are its caller's: they may be read only. */
export const STACK_WRITABLE = 0xc0;

export const SPECS: readonly RegionSpec[] = [
  { name: 'code', base: fromBigInt(CODE), size: 0x200, permission: READ | EXECUTE },
  {
    name: 'stack',
    base: fromBigInt(STACK),
    size: 0x100,
    permission: READ | WRITE,
    writableBytes: STACK_WRITABLE,
  },
  { name: 'data', base: fromBigInt(DATA), size: 0x100, permission: READ | WRITE },
  { name: 'heap', base: fromBigInt(HEAP), size: 0x40, permission: READ | WRITE },
  { name: 'fixed', base: fromBigInt(FIXED), size: 0x40, permission: READ },
  { name: 'sink', base: fromBigInt(SINK), size: 0x40, permission: WRITE },
  { name: 'percpu', base: fromBigInt(GS), size: 0x40, permission: READ | WRITE },
];

const OFFSETS = Uint8Array.from({ length: 0x200 }, (_, offset) => offset);
const NOPS = new Uint8Array(0x200).fill(0x90);

const INITIAL = Array.from({ length: 16 }, (_, reg) =>
  fromBigInt(0x0102030405060708n + BigInt(reg) * 0x1010101010101010n),
);

/**
 * What a row says of a machine: registers (and `rip`) by their 64-bit names, memory as `data+0x8` with the bytes
 * from there on in hexadecimal, and the flags that are set, `CF ZF`.
 */
export type MachineState = Readonly<Record<string, number | bigint | string>>;

/** One instruction, and all that it changes. What a row does not mention stays as it was. */
export interface InstructionRow {
  /** In AT&T syntax, as `listing.ts` prints it. */
  readonly asm: string;
  /** Hexadecimal. */
  readonly bytes: string;
  readonly before?: MachineState;
  readonly after?: MachineState;
  /** Every flag that is set afterwards; `?AF` marks one that the manual leaves undefined. */
  readonly flags?: string;
  /** How the run ends when the instruction does: `breakpoint trap`, `write of 8 bytes at …`. */
  readonly stop?: string;
}

/** All that can be seen of a machine, as text: registers, `rip`, flags, memory and how the run ended. */
export type MachineSnapshot = Record<string, string>;

/**
 * A machine at `START`, where `code` is. All bytes are CONSTANT and the flags clear, so that nothing depends
 * on origins unless a test sets some.
 */
export function createRig(code: Uint8Array, specs: readonly RegionSpec[] = SPECS): Machine {
  const m = createMachine(specs, { stack: 'stack', data: 'data' });
  for (const region of m.regions) writeBytes(region, 0, OFFSETS.subarray(0, region.size));
  const text = regionNamed(m, 'code');
  writeBytes(text, 0, NOPS);
  writeBytes(text, Number(START - CODE), code);
  INITIAL.forEach((word, reg) => {
    writeRegister(m, reg, word);
  });
  m.gsBase = fromBigInt(GS);
  m.flags[TAG] = CONSTANT;
  setState(m, { rsp: TOP, rip: START });
  return m;
}

/** Puts a machine into a state. */
export function setState(m: Machine, state: MachineState): void {
  for (const [key, value] of Object.entries(state)) {
    const reg = REGISTERS.indexOf(key);
    if (key === 'flags') setBits(m.flags, parseFlags(String(value)).bits);
    else if (key === 'rip') Object.assign(m.rip, fromBigInt(BigInt(value)));
    else if (reg >= 0) writeRegister(m, reg, fromBigInt(BigInt(value)));
    else {
      const { name, offset } = parsePlace(key);
      writeBytes(regionNamed(m, name), offset, bytesOf(String(value)));
    }
  }
}

/**
 * The state after a row's instruction, run for one step. A stop leaves `rip` at the instruction, as a fault
 * does.
 */
export function outcome(row: InstructionRow): MachineSnapshot {
  const m = rigFor(row);
  const stop = run(m, 1);
  Object.assign(m.rip, stop.at);
  return { asm: textOf(bytesOf(row.bytes)), ...snapshot(m, row), stop: describeStop(m, stop) };
}

/**
 * The same as the row states it: everything else has to be as before, which is what the comparison of whole
 * machines checks.
 */
export function stated(row: InstructionRow): MachineSnapshot {
  const m = rigFor(row);
  const { rip = START + BigInt(row.stop === undefined ? row.bytes.length / 2 : 0) } = row.after ?? {};
  setState(m, { ...row.after, rip });
  if (row.flags !== undefined) setState(m, { flags: row.flags });
  return { asm: row.asm, ...snapshot(m, row), stop: row.stop ?? 'none' };
}

/** A row's title: the instruction, and what it did. */
export function title({ asm, after = {}, flags, stop }: InstructionRow): string {
  const changes = Object.entries(after).map(([key, value]) =>
    typeof value === 'string' ? `${key} = ${value}` : `${key} = 0x${BigInt(value).toString(16)}`,
  );
  if (flags !== undefined) changes.push(`flags ${flags === '' ? 'clear' : flags}`);
  if (stop !== undefined) changes.push(stop);
  return `${asm}: ${changes.length === 0 ? 'nothing changes' : changes.join(', ')}`;
}

/** Rows with their titles, as `it.each()` takes them. */
export function titled(rows: readonly InstructionRow[]): (readonly [string, InstructionRow])[] {
  return rows.map((row) => [title(row), row]);
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/[0-9a-f]{2}/g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** One instruction at `START` as text, with one blank after its mnemonic. */
export function textOf(bytes: Uint8Array): string {
  return disassemble(bytes, fromBigInt(START), () => undefined)
    .map(({ text }) => text.replace(/ +/, ' '))
    .join('; ');
}

/** How a run ended: `fetch of 1 byte at …: unmapped`, `branch depends on tag 9 at code+0x103`. */
export function describeStop(m: Machine, stop: Stop): string {
  switch (stop.kind) {
    case 'fault':
      return describeFault(m, stop.fault);
    case 'depends':
      return `${stop.what} depends on tag ${stop.tag} at ${placeOf(m, stop.at)}`;
    case 'breakpoint':
      return `breakpoint at ${placeOf(m, stop.at)}`;
    case 'budget':
      return 'none';
  }
}

const REGISTERS = Array.from({ length: 16 }, (_, reg) => registerName(reg));

function rigFor({ bytes, before = {} }: InstructionRow): Machine {
  const m = createRig(bytesOf(bytes));
  setState(m, before);
  return m;
}

function snapshot(m: Machine, { flags = '' }: InstructionRow): MachineSnapshot {
  const seen: MachineSnapshot = {};
  REGISTERS.forEach((name, reg) => {
    seen[name] = toHex(readRegister(m, reg));
  });
  seen.rip = toHex(m.rip);
  seen.flags = printFlags(flagBits(m.flags) & ~parseFlags(flags).open);
  for (const region of m.regions) seen[region.name] = hexBytes(region.bytes);
  return seen;
}

/** `CF ?AF`: the bits that are set, and those that are open. */
function parseFlags(text: string): { bits: number; open: number } {
  const parsed = { bits: 0, open: 0 };
  for (const word of text.split(' ').filter((w) => w !== '')) {
    const bit = FLAG_BITS[word.replace('?', '') as keyof typeof FLAG_BITS];
    if (bit === undefined) throw new Error(`there is no flag ${word}`);
    if (word.startsWith('?')) parsed.open |= bit;
    else parsed.bits |= bit;
  }
  return parsed;
}

function parsePlace(key: string): { name: string; offset: number } {
  const [name, offset] = key.split('+');
  if (name === undefined || !/^0x[0-9a-f]+$/.test(offset ?? '')) throw new Error(`${key} is not a place`);
  return { name, offset: Number(offset) };
}
