import { FlagByte, FlagKind, Header, Parameter, Permission, Register, RowByte, Tag } from './places.ts';

/*
 * Memory operands of eight bytes. The stack and the data region are tried first; then every region, in their order. A form
 * that answers false has changed nothing: the generic execution does the whole instruction, and raises the fault.
 */

/** Eight tags of constants, and of a value's bytes 0 to 7 apart from its group. */
export const CONSTANTS: i64 = ((<i64>0x01010101) << 32) | 0x01010101;
const BYTES_IN_ORDER: i64 = ((<i64>0x07060504) << 32) | 0x03020100;

/** The register that a field of a row names. */
export function register(row: u32, field: u32): u32 {
  return load<u32>(row + field) << 2;
}

export function isConstant(register: u32): bool {
  return load<i64>(register, Register.TAGS) === CONSTANTS;
}

/** Base plus displacement, which is sign-extended as the CPU does. */
export function addressOf(row: u32): u64 {
  return load<u64>(register(row, RowByte.B)) + <u64>load<i32>(row, RowByte.X);
}

/** Eight bytes and eight tags of memory into a register. */
function take(into: u32, position: u32, tags: u32): void {
  const value = load<i64>(position);
  store<i64>(into, load<i64>(position + tags), Register.TAGS);
  store<i64>(into, value);
}

/** The same from a register into memory. */
function put(from: u32, position: u32, tags: u32): void {
  store<i64>(position, load<i64>(from));
  store<i64>(position + tags, load<i64>(from, Register.TAGS));
}

/** An offset of the stack below `rsp`: an interrupt may write there at any time. */
function isBelow(offset: u32): bool {
  return <i32>offset < load<i32>(Register.RSP) - load<i32>(Parameter.STACK_BASE);
}

export function executeLoad(row: u32): bool {
  if (!isConstant(register(row, RowByte.B))) return false;
  const address = addressOf(row);
  const inStack = address - load<u64>(Parameter.STACK_BASE);
  if (inStack < load<u64>(Parameter.STACK_READ)) {
    if (isBelow(<u32>inStack)) return false;
    take(
      register(row, RowByte.A),
      load<u32>(Parameter.STACK_AT) + <u32>inStack,
      load<u32>(Parameter.STACK_TAGS),
    );
    return true;
  }
  const inData = address - load<u64>(Parameter.DATA_BASE);
  if (inData < load<u64>(Parameter.DATA_READ)) {
    take(
      register(row, RowByte.A),
      load<u32>(Parameter.DATA_AT) + <u32>inData,
      load<u32>(Parameter.DATA_TAGS),
    );
    return true;
  }
  const header = regionFor(address, Permission.READ);
  if (header === 0) return false;
  take(register(row, RowByte.A), positionIn(header, address), tagsFrom(header));
  return true;
}

export function executeStore(row: u32): bool {
  if (!isConstant(register(row, RowByte.B))) return false;
  const address = addressOf(row);
  const inStack = address - load<u64>(Parameter.STACK_BASE);
  if (inStack < load<u64>(Parameter.STACK_WRITE)) {
    if (isBelow(<u32>inStack)) return false;
    put(
      register(row, RowByte.A),
      load<u32>(Parameter.STACK_AT) + <u32>inStack,
      load<u32>(Parameter.STACK_TAGS),
    );
    return true;
  }
  const inData = address - load<u64>(Parameter.DATA_BASE);
  if (inData < load<u64>(Parameter.DATA_WRITE)) {
    put(register(row, RowByte.A), load<u32>(Parameter.DATA_AT) + <u32>inData, load<u32>(Parameter.DATA_TAGS));
    return true;
  }
  const header = regionFor(address, Permission.WRITE);
  if (header === 0) return false;
  put(register(row, RowByte.A), positionIn(header, address), tagsFrom(header));
  return true;
}

/** `movq $imm32`: the immediate is sign-extended to eight bytes. */
export function executeStoreConstant(row: u32): bool {
  if (!isConstant(register(row, RowByte.B))) return false;
  const address = addressOf(row);
  const header = regionFor(address, Permission.WRITE);
  if (header === 0) return false;
  const position = positionIn(header, address);
  store<i64>(position, <i64>load<i32>(row, RowByte.Y));
  store<i64>(position + tagsFrom(header), CONSTANTS);
  return true;
}

/** A store that is written down; rows of the journal past its end are counted, and not kept. */
export function executeNotedStore(row: u32): bool {
  const address = addressOf(row);
  if (!executeStore(row)) return false;
  const length = load<u32>(Parameter.JOURNAL_LENGTH);
  store<u32>(Parameter.JOURNAL_LENGTH, length + 4);
  if (length >= load<u32>(Parameter.JOURNAL_MOST)) return true;
  const entry = load<u32>(Parameter.JOURNAL_AT) + (length << 2);
  store<u32>(entry, load<u32>(row, RowByte.PLACE) & 0xfffff);
  store<u32>(entry, <u32>(address >> 32), 4);
  store<u32>(entry, <u32>address, 8);
  store<u32>(entry, 8, 12);
  return true;
}

/**
 * The header of the region that eight bytes at an address are in, and may be accessed in; 0 where the access is a fault, or
 * drops code. The first region that holds all eight decides.
 */
function regionFor(address: u64, need: u32): u32 {
  const end: u32 = Header.FIRST + load<u32>(Parameter.REGIONS) * Header.BYTES;
  for (let header: u32 = Header.FIRST; header < end; header += Header.BYTES) {
    const offset = address - load<u64>(header, Header.BASE);
    if (offset >= <u64>load<u32>(header, Header.SIZE) || offset + 8 > <u64>load<u32>(header, Header.SIZE))
      continue;
    return mayAccess(header, <u32>offset, need) ? header : 0;
  }
  return 0;
}

function mayAccess(header: u32, offset: u32, need: u32): bool {
  const permission = load<u32>(header, Header.PERMISSION);
  if ((permission & need) === 0) return false;
  if (need === Permission.WRITE) {
    if ((permission & Permission.EXECUTE) !== 0) return false;
    if (offset + 8 > load<u32>(header, Header.WRITABLE)) return false;
  }
  const isStack = header === <u32>(Header.FIRST + load<u32>(Parameter.STACK) * Header.BYTES);
  return !(isStack && isBelow(offset));
}

/** The byte of the arena at an address of a region. */
function positionIn(header: u32, address: u64): u32 {
  return (load<u32>(header, Header.WORDS_AT) << 2) + <u32>(address - load<u64>(header, Header.BASE));
}

/** Bytes from a region's content to its tags; a region that was replaced by a smaller one has them where they were. */
function tagsFrom(header: u32): u32 {
  return (load<u32>(header, Header.TAGS_AT) - load<u32>(header, Header.WORDS_AT)) << 2;
}

/** Where `rsp` plus some bytes is in the arena, if the stack may be read or written there; else 0. */
export function onStack(from: u32, by: i64, most: u32): u32 {
  if (!isConstant(from)) return 0;
  const offset = load<u64>(from) + by - load<u64>(Parameter.STACK_BASE);
  if (offset >= load<u64>(most) || (offset & 7) !== 0) return 0;
  return load<u32>(Parameter.STACK_AT) + <u32>offset;
}

/** A value of constants onto the stack; `rsp` is lowered. */
export function pushAddress(position: u32, value: i64): void {
  store<i64>(position, value);
  store<i64>(position + load<u32>(Parameter.STACK_TAGS), CONSTANTS);
  store<i64>(Register.RSP, load<i64>(Register.RSP) - 8);
}

/** `push %rsp` stores the value from before the push. */
export function executePush(row: u32): bool {
  const position = onStack(Register.RSP, -8, Parameter.STACK_WRITE);
  if (position === 0) return false;
  put(register(row, RowByte.A), position, load<u32>(Parameter.STACK_TAGS));
  store<i64>(Register.RSP, load<i64>(Register.RSP) - 8);
  return true;
}

/** `pop` from `rsp`, or `leave` from `rbp`; `pop %rsp` loads the popped value. */
export function executePop(from: u32, into: u32): bool {
  const position = onStack(from, 0, Parameter.STACK_READ);
  if (position === 0) return false;
  store<i64>(Register.RSP, load<i64>(from) + 8);
  store<i64>(Register.RSP_TAGS, CONSTANTS);
  take(into, position, load<u32>(Parameter.STACK_TAGS));
  return true;
}

/** `lea`: a base that is not constant needs tags for the result, which the generic execution makes. */
export function executeLea(row: u32): bool {
  if (!isConstant(register(row, RowByte.B))) return false;
  setConstant(register(row, RowByte.A), <i64>addressOf(row));
  return true;
}

export function setConstant(into: u32, value: i64): void {
  store<i64>(into, value);
  store<i64>(into, CONSTANTS, Register.TAGS);
}

/**
 * `add`/`sub $imm, %rsp`. The row has what is added and the operand of the instruction: they are equal for `add`, and each
 * other's negative for `sub` (`short-form.ts`).
 */
export function executeAdjust(row: u32): bool {
  if (!isConstant(Register.RSP)) return false;
  const before = load<i64>(Register.RSP);
  const by = load<i32>(row, RowByte.Y);
  const added = load<i32>(row, RowByte.X);
  const after = before + <i64>added;
  store<i64>(FlagByte.KIND, <i64>(by === added ? FlagKind.FROM_ADD : FlagKind.FROM_SUB) | ((<i64>8) << 32));
  store<i64>(FlagByte.A, before);
  store<i64>(FlagByte.B, <i64>by);
  store<i64>(FlagByte.R, after);
  store<i64>(Register.RSP, after);
  store<u32>(FlagByte.TAG, Tag.ONE);
  return true;
}

function setLogical(result: i64, tag: u32): void {
  store<i64>(FlagByte.KIND, <i64>FlagKind.FROM_LOGIC | ((<i64>8) << 32));
  store<i64>(FlagByte.R, result);
  store<u32>(FlagByte.TAG, tag);
}

/** `xor r32, r32` breaks the dependence on the old value: its tags do not matter. */
export function executeZero(row: u32): void {
  setConstant(register(row, RowByte.A), 0);
  setLogical(0, Tag.ONE);
}

/** `test r64, r64`: a register with bytes of several origins is the generic execution's. */
export function executeTest(row: u32): bool {
  const operand = register(row, RowByte.A);
  const tags = load<i64>(operand, Register.TAGS);
  let tag: u32 = Tag.ONE;
  if (tags !== CONSTANTS) {
    const group = (<u32>tags & 0xff) >> 3;
    if (group === 0 || tags !== <i64>(group << 3) * CONSTANTS + BYTES_IN_ORDER) return false;
    tag = Tag.ZERO_TEST | group;
  }
  setLogical(load<i64>(operand), tag);
  return true;
}
