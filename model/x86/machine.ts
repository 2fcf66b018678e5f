import type { Region } from './memory.ts';
import { offsetIn } from './memory.ts';
import { CONSTANT4 } from './origin.ts';
import { registerName } from './register.ts';
import type { Word } from './word.ts';
import { plus, ZERO } from './word.ts';

/**
 * A processor: sixteen registers with a tag beside each byte, flags, an instruction pointer, and memory.
 *
 * This is the one mutable thing of the model. It is made, set up, run and read within one function; what leaves
 * that function is plain data.
 */
export interface Machine {
  /** Low and high halves of the sixteen registers by hardware number; pair 16 is always zero. */
  readonly regs: Int32Array;
  /** Four tags in each entry, laid out like `regs`. */
  readonly tags: Int32Array;
  /** The last result that set the flags, from which each flag is computed when it is asked for (`flags.ts`). */
  readonly flags: Int32Array;
  readonly regions: Region[];
  /** The region that `rsp` points into: accesses below `rsp` are faults there. */
  stack: Region;
  /** A second region that is tried before the others. */
  data: Region;
  /** Base of the `%gs` segment. */
  gsBase: Word;
  /** Where execution stands; while a run is going on, the instruction that is being executed. */
  readonly rip: { hi: number; lo: number };
  /** Stop at the first branch or address that depends on a value which is not constant. */
  strict: boolean;
  /** Bit set of the groups whose zero-or-not may decide a branch even when `strict`. */
  controlGroups: number;
  /** Instructions executed since the machine was made. */
  steps: number;
  /** The region whose stores are written down, if any. */
  journalled: Region | undefined;
  /** Rows of JOURNAL_ROW numbers: offset of the storing instruction, low half of the address, of `rsp`, size. */
  readonly journal: Int32Array;
  journalLength: number;
  /** Why the last generic instruction stopped, while the run unwinds. */
  stop: Stop | undefined;
  readonly x: Value;
  readonly y: Value;
}

/** Numbers in one row of the store journal. */
export const JOURNAL_ROW = 4;

/** An operand on its way: two halves and their tags. */
export interface Value {
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
export interface Fault {
  readonly kind: FaultKind;
  readonly access: 'read' | 'write' | 'execute';
  readonly address: Word;
  /** Bytes. */
  readonly size: number;
  readonly at: Word;
  /** Region that the address lies in, if any. */
  readonly region: string | undefined;
}

/** Why a run ended. */
export type Stop =
  | { readonly kind: 'breakpoint'; readonly at: Word }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'depends'; readonly what: 'branch' | 'address'; readonly tag: number; readonly at: Word }
  | { readonly kind: 'budget'; readonly at: Word };

export function createMachine(regions: Region[], stack: Region, data: Region): Machine {
  const tags = new Int32Array(34);
  tags[32] = tags[33] = CONSTANT4;
  return {
    regs: new Int32Array(34),
    tags,
    flags: new Int32Array(10),
    regions,
    stack,
    data,
    gsBase: ZERO,
    rip: { hi: 0, lo: 0 },
    strict: false,
    controlGroups: 0,
    steps: 0,
    journalled: undefined,
    journal: new Int32Array(JOURNAL_ROW * 1024),
    journalLength: 0,
    stop: undefined,
    x: { lo: 0, hi: 0, tagLo: 0, tagHi: 0 },
    y: { lo: 0, hi: 0, tagLo: 0, tagHi: 0 },
  };
}

export function readRegister(m: Machine, reg: number): Word {
  return { lo: m.regs[reg * 2]!, hi: m.regs[reg * 2 + 1]! };
}

/** Sets a register; its bytes are CONSTANT unless tags are given. */
export function writeRegister(m: Machine, reg: number, word: Word, tagLo = CONSTANT4, tagHi = CONSTANT4): void {
  m.regs[reg * 2] = word.lo;
  m.regs[reg * 2 + 1] = word.hi;
  m.tags[reg * 2] = tagLo;
  m.tags[reg * 2 + 1] = tagHi;
}

/** Name and offset of an address, as reports print it: `tramp#1+0x4b`. */
export function placeOf(m: Machine, address: Word): string {
  for (const region of m.regions) {
    const offset = offsetIn(region, address.hi, address.lo);
    if (offset < region.size) return `${region.name}+0x${offset.toString(16)}`;
  }
  return `0x${(address.hi >>> 0).toString(16)}${(address.lo >>> 0).toString(16).padStart(8, '0')}`;
}

/** Adds a row to the store journal; rows past its end are counted but not kept. */
export function journalStore(m: Machine, offset: number, addressLo: number, size: number): void {
  const at = m.journalLength;
  m.journalLength = at + JOURNAL_ROW;
  if (at >= m.journal.length) return;
  m.journal[at] = offset;
  m.journal[at + 1] = addressLo;
  m.journal[at + 2] = m.regs[8]!;
  m.journal[at + 3] = size;
}

/** Ends the run with a fault; returns false so that a generic instruction can pass it on. */
export function raise(m: Machine, kind: FaultKind, access: Fault['access'], address: Word, size: number): false {
  const region = m.regions.find((r) => offsetIn(r, address.hi, address.lo) < r.size)?.name;
  m.stop = { kind: 'fault', fault: { kind, access, address, size, at: { ...m.rip }, region } };
  return false;
}

/** One line for a fault: `write of 8 bytes to caller+0x18: not writable`. */
export function describeFault(m: Machine, fault: Fault): string {
  const bytes = fault.size === 1 ? '1 byte' : `${fault.size} bytes`;
  if (fault.kind === 'breakpoint trap' || fault.kind === 'invalid opcode') return fault.kind;
  const verb = { read: 'read of', write: 'write of', execute: 'fetch of' }[fault.access];
  return `${verb} ${bytes} at ${placeOf(m, fault.address)}: ${fault.kind}`;
}

/** The registers as text, one a line, for debugging and reports. */
export function describeRegisters(m: Machine): string {
  const lines: string[] = [];
  for (let reg = 0; reg < 16; reg++) {
    const { hi, lo } = readRegister(m, reg);
    const value = (hi >>> 0).toString(16).padStart(8, '0') + (lo >>> 0).toString(16).padStart(8, '0');
    lines.push(`${registerName(reg).padEnd(4)} ${value}`);
  }
  return lines.join('\n');
}

/** Address `offset` bytes after the start of a region. */
export function addressIn(region: Region, offset: number): Word {
  return plus(region.base, offset);
}
