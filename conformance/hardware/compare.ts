import { PAGE_BYTES, SCRATCH } from '../../checker/x86/layout.ts';
import { cell } from '../../model/x86/cell.ts';
import { ALL_FLAGS, printFlags } from '../../model/x86/flags.ts';
import { registerName } from '../../model/x86/register.ts';
import { toHex } from '../../model/x86/word.ts';
import type { Emulated } from './emulator.ts';
import type { ProgramOutcome } from './outcome.ts';

/** Two executions that disagree. */
export interface HardwareDifference {
  /** The titles of the columns. */
  readonly columns: readonly [string, string];
  readonly rows: readonly DifferenceRow[];
}

/** A register, the flags, a word of memory or the end of the run, in both executions. */
export interface DifferenceRow {
  readonly what: string;
  readonly values: readonly [string, string];
}

/**
 * The first disagreement, if any: between the CPU and the emulator's general execution, ignoring flags that the
 * architecture leaves undefined; then between that and the short forms, for all flags.
 */
export function difference(cpu: ProgramOutcome, emulated: Emulated): HardwareDifference | undefined {
  const { generic, short, undefinedFlags, undefinedBy } = emulated;
  if (undefinedBy !== undefined) return astray(cpu, undefinedBy);
  const rows = compare(cpu, generic, ALL_FLAGS & ~undefinedFlags);
  if (rows.length > 0) return { columns: ['CPU', 'emulator'], rows };
  for (const outcome of short) {
    const among = compare(generic, outcome, ALL_FLAGS);
    if (among.length > 0) return { columns: ['general form', 'short forms'], rows: among };
  }
  return undefined;
}

/**
 * A drawn sequence is defined whatever the emulator does, because the generator uses the table alone. If the emulator
 * finds it undefined, it has diverged.
 */
function astray(cpu: ProgramOutcome, undefinedBy: string): HardwareDifference {
  const values = [describeEnd(cpu), undefinedBy] as const;
  return { columns: ['CPU', 'emulator'], rows: [{ what: 'end', values }] };
}

/** Everything that differs between two outcomes, in the flags only what `flags` holds. */
export function compare(a: ProgramOutcome, b: ProgramOutcome, flags: number): DifferenceRow[] {
  return [
    ...(sameEnd(a, b) ? [] : [{ what: 'end', values: [describeEnd(a), describeEnd(b)] as const }]),
    ...registerRows(a, b),
    ...flagRows(a.flags, b.flags, flags),
    ...memoryRows(a.changes, b.changes),
  ];
}

/**
 * The CPU reports the byte that it could not access, the emulator the first byte of the access. For a non-canonical
 * address the CPU reports none.
 */
function sameEnd(a: ProgramOutcome, b: ProgramOutcome): boolean {
  if (a.stop === 'non-canonical access')
    return b.access !== undefined && a.at === b.at && !isCanonical(b.access.address);
  if (a.stop !== b.stop || a.at !== b.at) return false;
  if (a.access === undefined || b.access === undefined) return a.access === b.access;
  const distance = a.access.address - b.access.address;
  return distance >= 0n && distance < BigInt(b.access.bytes);
}

/** Bits 47 to 63 are equal. */
function isCanonical(address: bigint): boolean {
  return BigInt.asUintN(64, BigInt.asIntN(48, address)) === address;
}

function describeEnd({ stop, at: address, access }: ProgramOutcome): string {
  if (stop === 'exit') return 'exit';
  return access === undefined ? `${stop} ${hex(address)}` : `${stop} ${hex(access.address)}`;
}

function registerRows(a: ProgramOutcome, b: ProgramOutcome): DifferenceRow[] {
  const rows: DifferenceRow[] = [];
  for (let i = 0; i < 32; i += 2) {
    if (a.registers[i] === b.registers[i] && a.registers[i + 1] === b.registers[i + 1]) continue;
    rows.push({ what: registerName(i / 2), values: [wordAt(a.registers, i), wordAt(b.registers, i)] });
  }
  return rows;
}

function flagRows(a: number, b: number, mask: number): DifferenceRow[] {
  if (((a ^ b) & mask) === 0) return [];
  return [{ what: 'flags', values: [describeFlags(a & mask), describeFlags(b & mask)] }];
}

/** The flags that are set, or `none`. */
export function describeFlags(flags: number): string {
  return printFlags(flags) || 'none';
}

/** Walks two ascending lists of changed words side by side. */
function memoryRows(a: Int32Array, b: Int32Array): DifferenceRow[] {
  const rows: DifferenceRow[] = [];
  if (a.length === b.length && a.every((value, i) => value === b[i])) return rows;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const left = a[i] ?? Number.POSITIVE_INFINITY;
    const right = b[j] ?? Number.POSITIVE_INFINITY;
    const word = Math.min(left, right);
    const values = [
      left === word ? wordAt(a, i + 1) : 'as before',
      right === word ? wordAt(b, j + 1) : 'as before',
    ] as const;
    if (values[0] !== values[1]) rows.push({ what: describeWord(word), values });
    if (left === word) i += 3;
    if (right === word) j += 3;
  }
  return rows;
}

/** `stack+0x7f8` for a word of scratch memory. */
function describeWord(word: number): string {
  const page = SCRATCH[Math.floor((word * 8) / PAGE_BYTES)];
  return `${page?.name}+0x${((word * 8) % PAGE_BYTES).toString(16)}`;
}

function wordAt(halves: Int32Array, offset: number): string {
  return toHex({ lo: cell(halves, offset), hi: cell(halves, offset + 1) });
}

export function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
