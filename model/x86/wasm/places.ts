/*
 * Where things are in the machine's memory, in bytes: the arena's numbers times four. A test compares them with those of
 * `row.ts`, `shared.ts`, `flags.ts` and `machine.ts`.
 */

/** Fields of a row, from the address of its first. */
export const enum RowByte {
  NEXT = 4,
  A = 8,
  B = 12,
  X = 16,
  Y = 20,
  TARGET = 24,
  PLACE = 28,
  BYTES = 32,
}

/** The short forms; any other number is executed by the caller. */
export const enum Form {
  GENERIC = 0,
  LOAD = 1,
  STORE = 2,
  STORE_NOTED = 3,
  STORE_I = 4,
  MOV_RR = 5,
  MOV_RI = 6,
  LEA = 7,
  ADJUST = 8,
  ZERO = 9,
  TEST_SELF = 10,
  CALL = 11,
  RETURN = 12,
  JZ = 13,
  JUMP = 14,
  PUSH = 15,
  POP = 16,
  LEAVE = 17,
  NOP = 18,
  BREAK = 19,
}

/** A register is its eight bytes and their eight tags. */
export const enum Register {
  TAGS = 8,
  RSP = 64,
  RSP_TAGS = 72,
  RBP = 80,
}

export const enum FlagByte {
  KIND = 272,
  SIZE = 276,
  A = 280,
  B = 288,
  R = 296,
  TAG = 308,
}

export const enum FlagKind {
  FROM_BITS = 0,
  FROM_ADD = 1,
  FROM_SUB = 2,
  FROM_LOGIC = 3,
}

export const enum Tag {
  ONE = 1,
  ZERO_TEST = 0x100,
}

/** The cache of return addresses: sixteen bytes each, of which the first eight are the address. */
export const enum Returns {
  AT = 320,
  MASK = 63,
  BYTES = 1024,
  ROW = 8,
}

export const enum Parameter {
  STACK_BASE = 1344,
  STACK_READ = 1352,
  STACK_WRITE = 1360,
  STACK_AT = 1368,
  STACK_TAGS = 1372,
  DATA_BASE = 1376,
  DATA_READ = 1384,
  DATA_WRITE = 1392,
  DATA_AT = 1400,
  DATA_TAGS = 1404,
  REGIONS = 1408,
  STACK = 1412,
  JOURNALLED = 1416,
  JOURNAL_AT = 1420,
  JOURNAL_LENGTH = 1424,
  JOURNAL_MOST = 1428,
  STRICT = 1432,
  CONTROL_GROUPS = 1436,
  ROW = 1440,
  LEFT = 1444,
}

/** The first region's header, and fields of each. */
export const enum Header {
  FIRST = 17856,
  BASE = 0,
  SIZE = 8,
  PERMISSION = 12,
  WRITABLE = 16,
  WORDS_AT = 20,
  TAGS_AT = 24,
  ROWS_AT = 28,
  CAPACITY = 32,
  COUNT = 36,
  ROW_AT = 40,
  INCOMING_AT = 44,
  INCOMING = 48,
  INCOMING_MOST = 52,
  BYTES = 64,
}

export const enum Permission {
  READ = 1,
  WRITE = 2,
  EXECUTE = 4,
}

/** What a run leaves to its caller: the numbers of `engine.ts`. */
export const enum Rest {
  BUDGET = 0,
  BREAKPOINT = 1,
  GENERIC = 2,
  NEXT = 3,
  ENTRY = 4,
}
