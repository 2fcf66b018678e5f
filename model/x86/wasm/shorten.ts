import { Form, RowByte } from './places.ts';

/*
 * One instruction in its short form, straight from the bytes: `shorten.ts` of the directory above, with its encodings and
 * more. An instruction of known length that has no short form is a row for the generic execution, which decodes it in full.
 */

/** Writes the row and returns the instruction's length, or 0 when the full decoder has to read it. */
export function shortFromBytes(start: u32, row: u32, address: u64): u32 {
  const first = <u32>load<u8>(start);
  const rex: u32 = (first & 0xf0) === 0x40 ? first : 0;
  const p: u32 = rex === 0 ? start : start + 1;
  const opcode = <u32>load<u8>(p);
  const wide = (rex & 8) !== 0;
  if (wide && (opcode === 0x89 || opcode === 0x8b || opcode === 0x8d)) return shortMove(start, p, rex, row);
  if (wide && opcode === 0xc7 && load<u8>(p, 1) >= 0xc0) return shortSigned(start, p, rex, row);
  if (wide && opcode === 0xc7) return shortStoreConstant(start, p, rex, row);
  if ((opcode & 0xf8) === 0xb8) return shortConstant(start, p, rex, row);
  if ((opcode & 0xf0) === 0x50 && rex < 0x48) {
    setForm(row, opcode < 0x58 ? Form.PUSH : Form.POP);
    store<u32>(row, ((opcode & 7) | ((rex & 1) << 3)) << 2, RowByte.A);
    return p + 1 - start;
  }
  if (rex === 0x48) return shortArithmetic(start, row);
  if (rex !== 0) return 0;
  const length = shortPlain(start, opcode, row, address);
  return length !== 0 ? length : shortRest(start, opcode, row);
}

function setForm(row: u32, form: u32): void {
  store<u32>(row, form);
}

/** A displacement of one byte or four. */
function displacement(position: u32, isByte: bool): i32 {
  return isByte ? <i32>load<i8>(position) : load<i32>(position);
}

function shortMove(start: u32, p: u32, rex: u32, row: u32): u32 {
  const opcode = <u32>load<u8>(p);
  const modrm = <u32>load<u8>(p, 1);
  const mode = modrm >> 6;
  const reg = (((modrm >> 3) & 7) | ((rex & 4) << 1)) << 2;
  const rm = ((modrm & 7) | ((rex & 1) << 3)) << 2;
  if (mode === 3) {
    if (opcode === 0x8d) return 0;
    setForm(row, Form.MOV_RR);
    store<u32>(row, opcode === 0x89 ? rm : reg, RowByte.A);
    store<u32>(row, opcode === 0x89 ? reg : rm, RowByte.B);
    return p + 2 - start;
  }
  const sib = (modrm & 7) === 4;
  if (mode === 0 || (sib && ((rex & 3) !== 0 || load<u8>(p, 2) !== 0x24))) return 0;
  const disp = p + (sib ? 3 : 2);
  setForm(row, opcode === 0x89 ? Form.STORE : opcode === 0x8b ? Form.LOAD : Form.LEA);
  store<u32>(row, reg, RowByte.A);
  store<u32>(row, rm, RowByte.B);
  store<i32>(row, displacement(disp, mode === 1), RowByte.X);
  return disp + (mode === 1 ? 1 : 4) - start;
}

function shortStoreConstant(start: u32, p: u32, rex: u32, row: u32): u32 {
  const modrm = <u32>load<u8>(p, 1);
  const mode = modrm >> 6;
  if ((modrm & 0x38) !== 0 || (modrm & 7) === 4 || mode === 0 || mode === 3) return 0;
  const end = p + (mode === 1 ? 3 : 6);
  setForm(row, Form.STORE_I);
  store<u32>(row, ((modrm & 7) | ((rex & 1) << 3)) << 2, RowByte.B);
  store<i32>(row, displacement(p + 2, mode === 1), RowByte.X);
  store<i32>(row, load<i32>(end), RowByte.Y);
  return end + 4 - start;
}

function shortConstant(start: u32, p: u32, rex: u32, row: u32): u32 {
  const wide = (rex & 8) !== 0;
  setForm(row, Form.MOV_RI);
  store<u32>(row, ((<u32>load<u8>(p) & 7) | ((rex & 1) << 3)) << 2, RowByte.A);
  store<i32>(row, load<i32>(p, 1), RowByte.X);
  store<i32>(row, wide ? load<i32>(p, 5) : 0, RowByte.Y);
  return p + (wide ? 9 : 5) - start;
}

function shortArithmetic(start: u32, row: u32): u32 {
  const opcode = <u32>load<u8>(start, 1);
  const modrm = <u32>load<u8>(start, 2);
  if (opcode === 0x85 && modrm >= 0xc0 && ((modrm >> 3) & 7) === (modrm & 7)) {
    setForm(row, Form.TEST_SELF);
    store<u32>(row, (modrm & 7) << 2, RowByte.A);
    return 3;
  }
  // `cmpq $imm8, disp8(%rbp)`.
  if (opcode === 0x83 && modrm === 0x7d) return setGeneric(row, 5);
  if ((opcode !== 0x83 && opcode !== 0x81) || (modrm !== 0xc4 && modrm !== 0xec)) return 0;
  const value = displacement(start + 3, opcode === 0x83);
  // Zero and -2^31 are their own negatives: the row could not say whether they are added or subtracted.
  if (-value === value) return 0;
  setForm(row, Form.ADJUST);
  store<i32>(row, modrm === 0xc4 ? value : -value, RowByte.X);
  store<i32>(row, value, RowByte.Y);
  return opcode === 0x83 ? 4 : 7;
}

function shortPlain(start: u32, opcode: u32, row: u32, address: u64): u32 {
  switch (opcode) {
    case 0xe8:
      setForm(row, Form.CALL);
      store<u32>(row, <u32>address + 5, RowByte.X);
      store<u32>(row, <u32>(address >> 32), RowByte.Y);
      return 5;
    case 0xe9:
      setForm(row, Form.JUMP);
      return 5;
    case 0x74:
    case 0x75:
      setForm(row, Form.JZ);
      store<u32>(row, opcode & 15, RowByte.A);
      return 2;
    case 0xc3:
      setForm(row, Form.RETURN);
      return 1;
    case 0x0f:
      return shortTwoByte(start, row);
    case 0xc9:
      setForm(row, Form.LEAVE);
      return 1;
    case 0x31: {
      const modrm = <u32>load<u8>(start, 1);
      if (modrm < 0xc0 || ((modrm >> 3) & 7) !== (modrm & 7)) return 0;
      setForm(row, Form.ZERO);
      store<u32>(row, (modrm & 7) << 2, RowByte.A);
      return 2;
    }
    default:
      return 0;
  }
}

/** The nops of `asm/nops.h` without prefixes, `je` and `jne` of 32 bits. */
function shortTwoByte(start: u32, row: u32): u32 {
  const opcode = <u32>load<u8>(start, 1);
  if (opcode === 0x84 || opcode === 0x85) {
    setForm(row, Form.JZ);
    store<u32>(row, opcode & 15, RowByte.A);
    return 6;
  }
  if (opcode !== 0x1f) return 0;
  setForm(row, Form.NOP);
  return nopLength(<u32>load<u8>(start, 2));
}

/** The length of a nop by its ModRM byte: no displacement, one of a byte or of four, with or without SIB byte. */
function nopLength(modrm: u32): u32 {
  if (modrm === 0) return 3;
  if (modrm === 0x40) return 4;
  if (modrm === 0x44) return 5;
  if (modrm === 0x80) return 7;
  return modrm === 0x84 ? 8 : 0;
}

function setGeneric(row: u32, length: u32): u32 {
  setForm(row, Form.GENERIC);
  return length;
}

/** `endbr64`, nops with one prefix, `int3`, and two instructions of images that are executed generically. */
function shortRest(start: u32, opcode: u32, row: u32): u32 {
  const four = load<u32>(start);
  if (four === 0xfa1e0ff3) {
    setForm(row, Form.NOP);
    return 4;
  }
  if (opcode === 0x90 || (four & 0xffff) === 0x9066) {
    setForm(row, Form.NOP);
    return opcode === 0x90 ? 1 : 2;
  }
  if ((four & 0xffffff) === 0x1f0f66) {
    const length = nopLength(four >> 24);
    setForm(row, Form.NOP);
    return length === 0 ? 0 : length + 1;
  }
  if (opcode === 0xcc) return setGeneric(row, 1);
  // `movl $imm32, disp8(%rbp)`, and `sarq $imm8, %gs:disp32(%rip)` of call depth tracking.
  if ((four & 0xffff) === 0x45c7) return setGeneric(row, 7);
  return four === 0x3dc14865 ? setGeneric(row, 9) : 0;
}

/** C7 /0 with REX.W: `mov` of a sign-extended constant to a register. */
function shortSigned(start: u32, p: u32, rex: u32, row: u32): u32 {
  const modrm = <u32>load<u8>(p, 1);
  if ((modrm & 0x38) !== 0) return 0;
  const value = load<i32>(p, 2);
  setForm(row, Form.MOV_RI);
  store<u32>(row, ((modrm & 7) | ((rex & 1) << 3)) << 2, RowByte.A);
  store<i32>(row, value, RowByte.X);
  store<i32>(row, value >> 31, RowByte.Y);
  return p + 6 - start;
}
