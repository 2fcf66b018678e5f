import type { InstructionSequence } from '../../../checker/x86/sequence.ts';

/** A page that a program may use, as plain data. */
export interface ProgramPage {
  readonly name: string;
  readonly base: bigint;
  /** READ, WRITE and EXECUTE as 1, 2 and 4. */
  readonly permission: number;
  /** Bytes from the start that may be written. */
  readonly writable: number;
}

/** A drawn sequence, and the origins that its values start with. */
export interface Program {
  readonly code: Uint8Array;
  /** Of each instruction that was drawn, and of the end. */
  readonly offsets: readonly number[];
  readonly end: number;
  readonly registers: InstructionSequence['registers'];
  /** Eight a register. */
  readonly registerTags: readonly (readonly number[])[];
  readonly flags: number;
  readonly gsBase: bigint;
  readonly pages: readonly ProgramPage[];
  /** The page that is tried before the others. */
  readonly data: string;
  /** What data, stack and low memory hold at the start, and their tags. */
  readonly memory: Uint8Array;
  readonly tags: Uint8Array;
  /** Words of memory of this program alone. */
  readonly patches: readonly { readonly address: bigint; readonly value: bigint }[];
  /** Stop where something depends on what is not constant, but for whether these groups are zero. */
  readonly strict: boolean;
  readonly controlGroups: number;
}

/** How a program ends, and what it leaves, as text and numbers. */
export interface Ending {
  /** `fault unmapped read 8 0x… at 0x…`. */
  readonly stop: string;
  readonly steps: number;
  readonly registers: readonly bigint[];
  readonly registerTags: readonly (readonly number[])[];
  readonly flags: number;
  /** Flags that the architecture leaves open. */
  readonly open: number;
  /** Bytes of memory that are other than before: place, value, tag. */
  readonly changes: readonly (readonly [number, number, number])[];
  /** Stores of operands by the code: offset of the instruction, address, bytes. */
  readonly stores: readonly (readonly [number, bigint, number])[];
  /** Offsets of instructions that the loop executes in their short form, read from their bytes, each time. */
  readonly ordinary: readonly number[];
}

export const PAGE = 4096;
/** Instructions that a program executes at most. */
export const STEPS = 200;
