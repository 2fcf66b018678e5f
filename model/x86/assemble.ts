import { CodeBuffer, isByte } from './code-buffer.ts';
import type { Reg } from './register.ts';
import * as shape from './template.ts';
import type { Word } from './word.ts';
import { fromNumber, isSigned32, isUnsigned32, ZERO } from './word.ts';

/**
 * Assembles straight into bytes. Widths are chosen, never searched for: a displacement from a register takes
 * one byte when it fits, as the kernel's JIT decides, a branch has the width that the method's name says.
 * Names are labels when the program defines them and symbols otherwise. One assembler at a time.
 */
export class Assembler extends CodeBuffer {
  push(reg: Reg): void {
    this.emit(shape.push(reg));
  }

  pop(reg: Reg): void {
    this.emit(shape.pop(reg));
  }

  /** 64-bit move between registers. */
  mov(to: Reg, from: Reg): void {
    this.emit(shape.mov(to, from));
  }

  /** 32-bit move between registers: the upper half of `to` becomes zero. */
  movLow(to: Reg, from: Reg): void {
    this.emit(shape.movLow(to, from));
  }

  /** `to` ← eight bytes at `disp(base)`. */
  load(to: Reg, base: Reg, disp: number): void {
    this.emit(shape.load(to, base, isByte(disp)), ZERO, disp);
  }

  /** Eight bytes at `disp(base)` ← `from`. */
  store(base: Reg, disp: number, from: Reg): void {
    this.emit(shape.store(from, base, isByte(disp)), ZERO, disp);
  }

  /** `to` ← eight bytes at `disp(base, index, 8)`; the displacement fits a byte. */
  loadIndexed(to: Reg, base: Reg, index: Reg, disp: number): void {
    this.emit(shape.loadIndexed(to, base, index), ZERO, disp);
  }

  /** `to` ← one byte at `disp(base)`, zero-extended. */
  loadByte(to: Reg, base: Reg, disp: number): void {
    this.emit(shape.loadByte(to, base, isByte(disp)), ZERO, disp);
  }

  /** `to` ← two bytes at `disp(base)`, zero-extended. */
  loadShort(to: Reg, base: Reg, disp: number): void {
    this.emit(shape.loadShort(to, base, isByte(disp)), ZERO, disp);
  }

  /** `to` ← four bytes at `disp(base)`, zero-extended. */
  loadHalf(to: Reg, base: Reg, disp: number): void {
    this.emit(shape.loadHalf(to, base, isByte(disp)), ZERO, disp);
  }

  /** `to` ← eight bytes at a label or symbol. */
  loadFrom(to: Reg, name: string): void {
    this.emitRelative(shape.loadRelative(to), name);
  }

  lea(to: Reg, base: Reg, disp: number): void {
    this.emit(shape.lea(to, base, isByte(disp)), ZERO, disp);
  }

  /** Eight bytes at `disp(base)` ← a sign-extended immediate. */
  storeImmediate(base: Reg, disp: number, value: number): void {
    this.emit(shape.storeImmediate64(base, isByte(disp)), fromNumber(value), disp);
  }

  /** Four bytes at `disp(base)` ← an immediate. */
  storeImmediate32(base: Reg, disp: number, value: number): void {
    this.emit(shape.storeImmediate32(base, isByte(disp)), fromNumber(value), disp);
  }

  /** Compares eight bytes at `disp(base)` with a sign-extended byte. */
  compareImmediate(base: Reg, disp: number, value: number): void {
    this.emit(shape.compareImmediate(base, isByte(disp)), fromNumber(value), disp);
  }

  /** Compares eight bytes at `disp(base)` with a register. */
  compareMemory(base: Reg, disp: number, reg: Reg): void {
    this.emit(shape.compareMemory(base, reg, isByte(disp)), ZERO, disp);
  }

  /** Subtracts four bytes at `disp(base)` from the low half of a register; the upper one becomes zero. */
  subtractLoaded(reg: Reg, base: Reg, disp: number): void {
    this.emit(shape.subtractLoaded(reg, base, isByte(disp)), ZERO, disp);
  }

  /**
   * Loads a constant the way the BPF JIT does (emit_mov_imm64()): `xor` for zero, four bytes when they are
   * enough zero-extended, and when sign-extended if `signExtended`; otherwise all eight.
   */
  loadConstant(to: Reg, value: Word, signExtended: boolean): void {
    if (value.hi === 0 && value.lo === 0) this.emit(shape.zero(to));
    else if (isUnsigned32(value)) this.emit(shape.loadUnsigned32(to), value);
    else if (signExtended && isSigned32(value)) this.emit(shape.loadSigned32(to), value);
    else this.emit(shape.load64(to), value);
  }

  /** Loads the address of a symbol, encoded by its value; one that is not known takes all eight bytes. */
  loadAddress(to: Reg, symbol: string, signExtended: boolean): void {
    const value = this.addressOf(symbol);
    if (value !== undefined) this.loadConstant(to, value, signExtended);
    else this.emit(shape.load64(to));
    const short = value !== undefined && (isUnsigned32(value) || (signExtended && isSigned32(value)));
    const size = short ? 4 : 8;
    this.noteAbsolute(symbol, size);
  }

  /** `to` ← the address of a label or symbol, relative to `rip`. */
  loadSymbol(to: Reg, name: string): void {
    this.emitRelative(shape.leaRelative(to), name);
  }

  /** `xor r32, r32`. */
  zero(reg: Reg): void {
    this.emit(shape.zero(reg));
  }

  /** Adds to a register: one immediate byte when it is enough, else four. */
  add(reg: Reg, value: number): void {
    this.emit(shape.add(reg, isByte(value)), fromNumber(value));
  }

  /** Subtracts from a register: one immediate byte when it is enough, else four. */
  sub(reg: Reg, value: number): void {
    this.emit(shape.sub(reg, isByte(value)), fromNumber(value));
  }

  /** `test r64, r64`. */
  test(reg: Reg): void {
    this.emit(shape.test(reg));
  }

  /** `a := a op b` on eight bytes. */
  xorRegister(a: Reg, b: Reg): void {
    this.emit(shape.xorRegister(a, b));
  }

  addRegister(a: Reg, b: Reg): void {
    this.emit(shape.addRegister(a, b));
  }

  /** `a := a · b`, the low eight bytes. */
  multiply(a: Reg, b: Reg): void {
    this.emit(shape.multiply(a, b));
  }

  not(reg: Reg): void {
    this.emit(shape.not(reg));
  }

  /** Ands a register with a sign-extended byte. */
  and(reg: Reg, value: number): void {
    this.emit(shape.and8(reg), fromNumber(value));
  }

  /** Compares a register with a sign-extended byte. */
  compare(reg: Reg, value: number): void {
    this.emit(shape.compare8(reg), fromNumber(value));
  }

  rotateLeft(reg: Reg, by: number): void {
    this.emit(shape.rotateLeft(reg), fromNumber(by));
  }

  /** `shr %cl, reg`. */
  shiftRightByCl(reg: Reg): void {
    this.emit(shape.shiftRightByCl(reg));
  }

  /** `to` ← the low 1, 2 or 4 bytes of `from`, zero- or sign-extended to eight. */
  extend(to: Reg, from: Reg, bytes: 1 | 2 | 4, signed: boolean): void {
    this.emit(shape.extend(to, from, bytes, signed));
  }

  jumpIfAboveNear(name: string): void {
    this.branch(shape.JA_NEAR, name);
  }

  call(name: string): void {
    this.branch(shape.CALL, name);
  }

  jump(name: string): void {
    this.branch(shape.JUMP, name);
  }

  jumpIfZeroShort(name: string): void {
    this.branch(shape.JE_SHORT, name);
  }

  jumpIfZeroNear(name: string): void {
    this.branch(shape.JE_NEAR, name);
  }

  jumpIfNonzeroNear(name: string): void {
    this.branch(shape.JNE_NEAR, name);
  }

  callRegister(reg: Reg): void {
    this.emit(shape.callRegister(reg));
  }

  /** `sarq $by, %gs:symbol(%rip)`. */
  shiftRightGs(symbol: string, by: number): void {
    this.emitRelative(shape.SHIFT_RIGHT_GS, symbol, fromNumber(by));
  }

  /** `to` ← eight bytes at `%gs:symbol(%rip)`. */
  loadGs(to: Reg, symbol: string): void {
    this.emitRelative(shape.loadGs(to), symbol);
  }

  ret(): void {
    this.emit(shape.RET);
  }

  leave(): void {
    this.emit(shape.LEAVE);
  }

  pushFlags(): void {
    this.emit(shape.PUSH_FLAGS);
  }

  popFlags(): void {
    this.emit(shape.POP_FLAGS);
  }

  int3(): void {
    this.emit(shape.INT3);
  }

  endbr64(): void {
    this.emit(shape.ENDBR64);
  }
}
