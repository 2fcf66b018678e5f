import type { Program } from './program.ts';
import type { ReadMemory, ReadOperand } from './read.ts';
import type { TaggedBytes } from './tagged.ts';

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

/** What an instruction sees of the CPU. */
export interface ReferenceCpu {
  readonly program: Program;
  readonly registers: TaggedBytes[];
  flags: number;
  /** The origin of all flags but CF, and that of CF. */
  origin: number;
  carryOrigin: number;
  /** Where the instruction is, and where the next one is. */
  place: bigint;
  next: bigint;
  get(operand: ReadOperand): TaggedBytes;
  set(operand: ReadOperand, value: TaggedBytes): void;
  /** The address of an operand without an access. */
  addressOf(operand: ReadMemory): TaggedBytes;
  /** Refuses an operand in memory that may not be read, or not be written, before either is done. */
  requireWritable(operand: ReadOperand): void;
  load(address: bigint, bytes: number): TaggedBytes;
  store(address: bigint, value: TaggedBytes): void;
  requireKnown(what: 'address' | 'branch', tags: readonly number[], address: bigint): void;
}
