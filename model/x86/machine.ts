import { cell } from './cell.ts';
import { REG_STRIDE } from './instruction.ts';
import type { Region } from './memory.ts';
import { offsetIn, ROW_NUMBERS } from './memory.ts';
import { CONSTANT4 } from './origin.ts';
import { offsetOfPlace, ROW } from './row.ts';
import { HEADER, HEADER_NUMBERS, PARAMETER_NUMBERS } from './shared.ts';
import type { Word } from './word.ts';
import { toHex } from './word.ts';

/**
 * A CPU: sixteen registers with a tag beside each byte, flags, an instruction pointer, and memory.
 *
 * This is the one mutable thing of the model. It is made, set up, run and read within one function; what leaves
 * that function is plain data. Everything that the interpreter's loop touches lies in one array of int32:
 *
 * ```text
 *   0   registers    17 × (low, high, tags of low, tags of high); the last is always zero
 *   68  flags        the last result that set them (`flags.ts`)
 *   80  returns      a small cache of return addresses and their rows
 *   336 parameters   what the compiled loop has to know (`shared.ts`)
 *   368 journal      stores of the journalled region
 *   …   headers      a row for each region
 *   …   each region's bytes, tags, decoded rows, rows by offset, and links into it
 * ```
 */
export interface Machine {
  readonly arena: Int32Array;
  /** What executes in the arena: the compiled loop, or `execute.ts` where there is none. The results are equal. */
  engine: Engine | undefined;
  readonly flags: Int32Array;
  readonly regions: readonly Region[];
  /** Whether a region may be replaced between two runs by one at another address, or of another size. */
  regionsMove: boolean;
  /**
   * The region that `rsp` points into: accesses below `rsp` are faults there. The loop's short forms reach it
   * and `data`, nothing else.
   */
  readonly stack: Region;
  /** A second region that is tried before the others; the stack again where a machine has no other. */
  readonly data: Region;
  /** The region whose stores are written down, if any. */
  readonly journalled: Region | undefined;
  /** Base of the `%gs` segment. */
  gsBase: Word;
  /** Where execution stands; while a generic instruction is being executed, that instruction. */
  readonly rip: { hi: number; lo: number };
  /** Stop at the first branch or address that depends on a value which is not constant. */
  strict: boolean;
  /** Bit set of the groups whose zero-or-not may decide a branch even when `strict`. */
  controlGroups: number;
  /** Instructions executed since the machine was made. */
  steps: number;
  /** Rows of JOURNAL_ROW numbers: offset of the storing instruction, the address's halves, size in bytes. */
  readonly journal: Int32Array;
  journalLength: number;
  /** Why the run ends, while it unwinds. */
  stop: Stop | undefined;
  /**
   * Operands of the generic execution, allocated once. `y` holds the address of a memory operand from its
   * computation to its use.
   */
  readonly x: OperandValue;
  readonly y: OperandValue;
}

/** Arena indices. */
export const FLAGS_AT = 17 * REG_STRIDE;
export const RETURNS_AT = 80;
export const RETURNS = 64;
export const PARAMETERS_AT = RETURNS_AT + RETURNS * 4;

/** Numbers in one row of the store journal, and rows that are kept. */
export const JOURNAL_ROW = 4;
export const JOURNAL_ROWS = 1024;
export const JOURNAL_AT = PARAMETERS_AT + PARAMETER_NUMBERS;
export const HEADERS_AT = JOURNAL_AT + JOURNAL_ROW * JOURNAL_ROWS;

/** What executes in place of `execute.ts`: in the same arena, with the same results. */
export interface Engine {
  /** Runs from `m.rip` until a stop, as `run()` does. */
  readonly run: (m: Machine, budget: number) => Stop;
  /** Decodes at an offset of the region of this number; the row, or 0 where the full decoder is needed. */
  readonly decode: (region: number, offset: number) => number;
  /** Drops the decoded instructions of the region of this number. */
  readonly forget: (region: number) => void;
}

/** An operand on its way: two halves and their tags. */
export interface OperandValue {
  lo: number;
  hi: number;
  tagLo: number;
  tagHi: number;
}

export type FaultKind =
  | 'unmapped'
  | 'not readable'
  | 'not writable'
  | 'not executable'
  | 'below the stack pointer'
  | 'undefined address'
  | 'undefined branch'
  | 'breakpoint trap'
  | 'invalid opcode';

/** An access that the machine refuses. `at` is the address of the instruction that made it. */
export interface MachineFault {
  readonly kind: FaultKind;
  readonly access: 'read' | 'write' | 'execute';
  readonly address: Word;
  /** Bytes. */
  readonly size: number;
  readonly at: Word;
  /** Region that the address lies in, if any. */
  readonly region: string | undefined;
}

/** Why a run ended. `at` is where it stands. */
export type Stop =
  | { readonly kind: 'breakpoint'; readonly at: Word }
  | { readonly kind: 'fault'; readonly at: Word; readonly fault: MachineFault }
  | { readonly kind: 'depends'; readonly at: Word; readonly what: 'branch' | 'address'; readonly tag: number }
  | { readonly kind: 'budget'; readonly at: Word };

export function readRegister(m: Machine, reg: number): Word {
  return { lo: cell(m.arena, reg * REG_STRIDE), hi: cell(m.arena, reg * REG_STRIDE + 1) };
}

/** The tags of a register's eight bytes. */
export function registerTags(m: Machine, reg: number): { lo: number; hi: number } {
  return { lo: cell(m.arena, reg * REG_STRIDE + 2), hi: cell(m.arena, reg * REG_STRIDE + 3) };
}

/** Sets a register; its bytes are CONSTANT unless tags are given. */
export function writeRegister(
  m: Machine,
  reg: number,
  word: Word,
  tagLo = CONSTANT4,
  tagHi = CONSTANT4,
): void {
  const offset = reg * REG_STRIDE;
  m.arena[offset] = word.lo;
  m.arena[offset + 1] = word.hi;
  m.arena[offset + 2] = tagLo;
  m.arena[offset + 3] = tagHi;
}

/**
 * Drops every decoded instruction and breakpoint of a region whose bytes have changed.
 *
 * Three things hold row indices besides `rowAt`: rows of other regions, whose links were noted in `incoming`;
 * the cache of return addresses, which is emptied; and the running loop, which is why only the generic
 * execution stores to code: `executeSlowly()` looks the next row up again.
 */
export function forgetCode(m: Machine, region: Region): void {
  const { arena, engine } = m;
  const { code, number } = region;
  code.generation++;
  if (engine !== undefined) return engine.forget(number);
  const header = headerAt(number);
  for (let k = code.rowsAt; k < code.rowsAt + code.count * ROW_NUMBERS; k += ROW_NUMBERS)
    code.rowAt[offsetOfPlace(cell(arena, k + ROW.PLACE))] = 0;
  arena[header + HEADER.COUNT] = 0;
  cutIncoming(m, region);
  forgetReturns(m);
}

/** Empties the cache of return addresses. */
export function forgetReturns({ arena }: Machine): void {
  arena.fill(0, RETURNS_AT, RETURNS_AT + RETURNS * 4);
}

/** Cuts all links from other regions' rows into a region's; a row without a link looks for the next one by its address. */
export function cutIncoming({ arena }: Machine, { number, code }: Region): void {
  const header = headerAt(number);
  for (let i = 0; i < cell(arena, header + HEADER.INCOMING); i++) arena[cell(code.incoming, i)] = 0;
  arena[header + HEADER.INCOMING] = 0;
}

/** Where a region is now, for the compiled loop. */
export function writeHeader(arena: Int32Array, { number, base, size }: Region): void {
  const header = headerAt(number);
  arena[header + HEADER.BASE_LO] = base.lo;
  arena[header + HEADER.BASE_HI] = base.hi;
  arena[header + HEADER.SIZE] = size;
}

/** Where the header of a region is in the arena. */
export function headerAt(region: number): number {
  return HEADERS_AT + region * HEADER_NUMBERS;
}

/** Name and offset of an address, as reports print it: `tramp#1+0x4b`. */
export function placeOf(m: Machine, address: Word): string {
  for (const region of m.regions) {
    const offset = offsetIn(region, address.hi, address.lo);
    if (offset < region.size) return `${region.name}+0x${offset.toString(16)}`;
  }
  return toHex(address);
}

/** Adds a row to the store journal; rows past its end are counted but not kept. */
export function journalStore(m: Machine, offset: number, hi: number, lo: number, size: number): void {
  const position = m.journalLength;
  m.journalLength = position + JOURNAL_ROW;
  if (position >= m.journal.length) return;
  m.journal[position] = offset;
  m.journal[position + 1] = hi;
  m.journal[position + 2] = lo;
  m.journal[position + 3] = size;
}

/** Ends the run with a fault of the instruction at `m.rip`; returns false so that it can be passed on. */
export function raise(
  m: Machine,
  kind: FaultKind,
  access: MachineFault['access'],
  address: Word,
  size: number,
): false {
  const region = m.regions.find((r) => offsetIn(r, address.hi, address.lo) < r.size)?.name;
  const locals = { ...m.rip };
  m.stop = { kind: 'fault', at: locals, fault: { kind, access, address, size, at: locals, region } };
  return false;
}

/** An access that was refused, by the name of its place: `stack+0x818`. */
export interface PlacedFault extends Pick<MachineFault, 'kind' | 'access' | 'size'> {
  readonly place: string;
}

export function placedFault(m: Machine, { kind, access, size, address }: MachineFault): PlacedFault {
  return { kind, access, size, place: placeOf(m, address) };
}

/** One of the mapped regions. */
export function regionNamed({ regions }: Pick<Machine, 'regions'>, name: string): Region {
  const region = regions.find((r) => r.name === name);
  if (region === undefined) throw new Error(`no region is called ${name}`);
  return region;
}
