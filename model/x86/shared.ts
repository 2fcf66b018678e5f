/*
 * Places of the arena that both engines use (`execute.ts` and the module of `wasm/`), besides registers, flags and the
 * cache of return addresses: the header of each region, and what the module has to know of its machine.
 *
 * All are numbers of int32; `wasm/places.ts` has them again, and a test compares the two.
 */

/** A region's header. The numbers from ROWS_AT on are about its code. */
export const HEADER = {
  BASE_LO: 0,
  BASE_HI: 1,
  SIZE: 2,
  PERMISSION: 3,
  WRITABLE: 4,
  WORDS_AT: 5,
  TAGS_AT: 6,
  ROWS_AT: 7,
  CAPACITY: 8,
  /** Rows in use. */
  COUNT: 9,
  /** Where the rows are by offset. */
  ROW_AT: 10,
  /** Links into the region: where they are noted, their number, and how many there is space for. */
  INCOMING_AT: 11,
  INCOMING: 12,
  INCOMING_MOST: 13,
} as const;

/** Numbers in a header. */
export const HEADER_NUMBERS = 16;

/**
 * The parameters of the module. A range of eight-byte accesses is the region's base and the number of offsets that it may
 * start at, both eight bytes: one unsigned comparison decides.
 */
export const PARAMETER = {
  STACK_BASE: 0,
  STACK_READ: 2,
  STACK_WRITE: 4,
  /** Byte of the arena where its content starts, and bytes from there to its tags. */
  STACK_AT: 6,
  STACK_TAGS: 7,
  DATA_BASE: 8,
  DATA_READ: 10,
  DATA_WRITE: 12,
  DATA_AT: 14,
  DATA_TAGS: 15,
  REGIONS: 16,
  /** The number of the stack's region, and of the one whose stores are written down (-1: none is). */
  STACK: 17,
  JOURNALLED: 18,
  /** Byte of the arena where the journal starts, its length and most numbers. */
  JOURNAL_AT: 19,
  JOURNAL_LENGTH: 20,
  JOURNAL_MOST: 21,
  /** Set before each run. */
  STRICT: 22,
  CONTROL_GROUPS: 23,
  /** Set by a run that ends: the row, and the instructions that are left. */
  ROW: 24,
  LEFT: 25,
} as const;

/** Numbers for parameters. */
export const PARAMETER_NUMBERS = 32;
