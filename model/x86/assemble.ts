import { nopBytes } from './nop.ts';
import type { Reg } from './register.ts';
import type { Template } from './template.ts';
import * as shape from './template.ts';
import type { Word } from './word.ts';
import { displacement, isSigned32, isUnsigned32, plus, ZERO } from './word.ts';

/** Finds the address of a symbol; undefined leaves a hole that the relocation describes. */
export type Resolve = (symbol: string) => Word | undefined;

/** A field of the bytes that stands for a symbol. */
export interface Relocation {
  readonly offset: number;
  readonly symbol: string;
  /** `absolute`: the address itself. `relative`: address minus the end of the instruction. */
  readonly kind: 'absolute' | 'relative';
  /** Bytes. */
  readonly size: number;
  /** Offset of the end of the instruction, from which `relative` counts. */
  readonly end: number;
}

export interface Assembled {
  readonly bytes: Uint8Array;
  readonly relocations: readonly Relocation[];
  readonly labels: ReadonlyMap<string, number>;
}

/** A symbol or label that its field cannot reach; `symbol` names it. */
export class OutOfRange extends Error {
  override name = 'OutOfRange';
  readonly symbol: string;
  constructor(symbol: string) {
    super(`${symbol} is out of reach of its instruction`);
    this.symbol = symbol;
  }
}

/** A relative field whose target is known only at the end. */
interface Fixup {
  readonly at: number;
  readonly size: number;
  readonly end: number;
  readonly name: string;
}

/** One buffer for all: an assembly is finished before the next one starts. */
const scratch = new Uint8Array(1 << 18);
const view = new DataView(scratch.buffer);

/**
 * Assembles straight into bytes. Widths are chosen, never searched for: a displacement from a register takes
 * one byte when it fits, as the kernel's JIT decides, a branch has the width that the method's name says.
 * Names are labels when the program defines them and symbols otherwise. One assembler at a time.
 */
export class Assembler {
  private readonly base: Word;
  private readonly resolve: Resolve;
  private readonly relocations: Relocation[] = [];
  private readonly labels = new Map<string, number>();
  private readonly fixups: Fixup[] = [];
  private at = 0;

  /** `base` is the address of the first byte. */
  constructor(base: Word, resolve: Resolve) {
    this.base = base;
    this.resolve = resolve;
  }

  /** Bytes written so far. */
  get offset(): number {
    return this.at;
  }

  label(name: string): void {
    if (this.labels.has(name)) throw new Error(`label ${name} is defined twice`);
    this.labels.set(name, this.at);
  }

  bytes(bytes: ArrayLike<number>): void {
    for (let i = 0; i < bytes.length; i++) scratch[this.at++] = bytes[i]!;
  }

  /** Fills up to a multiple of `boundary` with nops of at most `longest` bytes each. */
  align(boundary: number, longest: number): void {
    let left = (boundary - (this.at % boundary)) % boundary;
    for (; left > longest; left -= longest) this.bytes(nopBytes(longest));
    this.bytes(nopBytes(left));
  }

  push(reg: Reg): void {
    this.emit(shape.push(reg), 0, ZERO);
  }

  pop(reg: Reg): void {
    this.emit(shape.pop(reg), 0, ZERO);
  }

  /** 64-bit move between registers. */
  mov(to: Reg, from: Reg): void {
    this.emit(shape.mov(to, from), 0, ZERO);
  }

  /** `to` ← eight bytes at `disp(base)`. */
  load(to: Reg, base: Reg, disp: number): void {
    this.emit(shape.load(to, base, isByte(disp)), disp, ZERO);
  }

  /** Eight bytes at `disp(base)` ← `from`. */
  store(base: Reg, disp: number, from: Reg): void {
    this.emit(shape.store(from, base, isByte(disp)), disp, ZERO);
  }

  lea(to: Reg, base: Reg, disp: number): void {
    this.emit(shape.lea(to, base, isByte(disp)), disp, ZERO);
  }

  /** Eight bytes at `disp(base)` ← a sign-extended immediate. */
  storeImmediate(base: Reg, disp: number, value: number): void {
    this.emit(shape.storeImmediate64(base, isByte(disp)), disp, { hi: 0, lo: value });
  }

  /** Four bytes at `disp(base)` ← an immediate. */
  storeImmediate32(base: Reg, disp: number, value: number): void {
    this.emit(shape.storeImmediate32(base, isByte(disp)), disp, { hi: 0, lo: value });
  }

  /** Compares eight bytes at `disp(base)` with a sign-extended byte. */
  compareImmediate(base: Reg, disp: number, value: number): void {
    this.emit(shape.compareImmediate(base, isByte(disp)), disp, { hi: 0, lo: value });
  }

  /**
   * Loads a constant the way the BPF JIT does (emit_mov_imm64()): `xor` for zero, four bytes when they are
   * enough zero-extended, and when sign-extended if `signExtended`; otherwise all eight.
   */
  loadConstant(to: Reg, value: Word, signExtended: boolean): void {
    if (value.hi === 0 && value.lo === 0) this.emit(shape.zero(to), 0, ZERO);
    else if (isUnsigned32(value)) this.emit(shape.loadUnsigned32(to), 0, value);
    else if (signExtended && isSigned32(value)) this.emit(shape.loadSigned32(to), 0, value);
    else this.emit(shape.load64(to), 0, value);
  }

  /** Loads the address of a symbol, encoded by its value; one that is not known takes all eight bytes. */
  loadAddress(to: Reg, symbol: string, signExtended: boolean): void {
    const value = this.resolve(symbol);
    if (value !== undefined) this.loadConstant(to, value, signExtended);
    else this.emit(shape.load64(to), 0, ZERO);
    const short = value !== undefined && (isUnsigned32(value) || (signExtended && isSigned32(value)));
    const size = short ? 4 : 8;
    this.relocations.push({ offset: this.at - size, symbol, kind: 'absolute', size, end: this.at });
  }

  /** `to` ← the address of a label or symbol, relative to `rip`. */
  loadSymbol(to: Reg, name: string): void {
    const t = shape.leaRelative(to);
    this.emit(t, 0, ZERO);
    this.fixups.push({ at: this.at - t.length + t.dispAt, size: 4, end: this.at, name });
  }

  /** `xor r32, r32`. */
  zero(reg: Reg): void {
    this.emit(shape.zero(reg), 0, ZERO);
  }

  /** Adds to a register: one immediate byte when it is enough, else four. */
  add(reg: Reg, value: number): void {
    this.emit(shape.add(reg, isByte(value)), 0, { hi: 0, lo: value });
  }

  /** Subtracts from a register: one immediate byte when it is enough, else four. */
  sub(reg: Reg, value: number): void {
    this.emit(shape.sub(reg, isByte(value)), 0, { hi: 0, lo: value });
  }

  /** `test r64, r64`. */
  test(reg: Reg): void {
    this.emit(shape.test(reg), 0, ZERO);
  }

  /** `a := a op b` on eight bytes. */
  xorRegister(a: Reg, b: Reg): void {
    this.emit(shape.xorRegister(a, b), 0, ZERO);
  }

  addRegister(a: Reg, b: Reg): void {
    this.emit(shape.addRegister(a, b), 0, ZERO);
  }

  /** `a := a · b`, the low eight bytes. */
  multiply(a: Reg, b: Reg): void {
    this.emit(shape.multiply(a, b), 0, ZERO);
  }

  not(reg: Reg): void {
    this.emit(shape.not(reg), 0, ZERO);
  }

  /** Ands a register with a sign-extended byte. */
  and(reg: Reg, value: number): void {
    this.emit(shape.and8(reg), 0, { hi: 0, lo: value });
  }

  /** Compares a register with a sign-extended byte. */
  compare(reg: Reg, value: number): void {
    this.emit(shape.compare8(reg), 0, { hi: 0, lo: value });
  }

  rotateLeft(reg: Reg, by: number): void {
    this.emit(shape.rotateLeft(reg), 0, { hi: 0, lo: by });
  }

  /** `to` ← the low 1, 2 or 4 bytes of `from`, zero- or sign-extended to eight. */
  extend(to: Reg, from: Reg, bytes: 1 | 2 | 4, signed: boolean): void {
    this.emit(shape.extend(to, from, bytes, signed), 0, ZERO);
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

  jumpIfNonzeroNear(name: string): void {
    this.branch(shape.JNE_NEAR, name);
  }

  callRegister(reg: Reg): void {
    this.emit(shape.callRegister(reg), 0, ZERO);
  }

  /** `sarq $by, %gs:symbol(%rip)`. */
  shiftRightGs(symbol: string, by: number): void {
    const t = shape.SHIFT_RIGHT_GS;
    this.emit(t, 0, { hi: 0, lo: by });
    this.fixups.push({ at: this.at - t.length + t.dispAt, size: 4, end: this.at, name: symbol });
  }

  ret(): void {
    this.emit(shape.RET, 0, ZERO);
  }

  leave(): void {
    this.emit(shape.LEAVE, 0, ZERO);
  }

  int3(): void {
    this.emit(shape.INT3, 0, ZERO);
  }

  endbr64(): void {
    this.emit(shape.ENDBR64, 0, ZERO);
  }

  /** Any instruction, with its displacement and immediate patched in. */
  emit(t: Template, disp: number, imm: Word): void {
    const { length } = t;
    const start = this.at;
    view.setInt32(start, t.first, true);
    if (length > 4) view.setInt32(start + 4, t.second, true);
    if (length > 8) view.setInt32(start + 8, t.third, true);
    if (t.dispSize > 0) patch(start + t.dispAt, t.dispSize, disp);
    if (t.immSize > 0) patch(start + t.immAt, t.immSize, imm.lo);
    if (t.immSize === 8) view.setInt32(start + t.immAt + 4, imm.hi, true);
    this.at = start + length;
  }

  finish(): Assembled {
    for (const fixup of this.fixups) this.resolveFixup(fixup);
    return { bytes: keep(this.at), relocations: this.relocations, labels: this.labels };
  }

  private branch(t: Template, name: string): void {
    this.emit(t, 0, ZERO);
    this.fixups.push({ at: this.at - t.immSize, size: t.immSize, end: this.at, name });
  }

  private resolveFixup({ at, size, end, name }: Fixup): void {
    const label = this.labels.get(name);
    if (label !== undefined) {
      if (size === 1 && !isByte(label - end)) throw new OutOfRange(name);
      return patch(at, size, label - end);
    }
    this.relocations.push({ offset: at, symbol: name, kind: 'relative', size, end });
    const address = this.resolve(name);
    if (address === undefined) return;
    const distance = displacement(address, plus(this.base, end));
    if (distance === undefined) throw new OutOfRange(name);
    patch(at, size, distance);
  }
}

/** A copy of the first bytes of the buffer, in memory that many small copies share. */
function keep(length: number): Uint8Array {
  if (poolUsed + length > pool.length) {
    pool = new Uint8Array(Math.max(POOL_BYTES, length));
    poolUsed = 0;
  }
  const copy = pool.subarray(poolUsed, poolUsed + length);
  copy.set(scratch.subarray(0, length));
  poolUsed += length;
  return copy;
}

const POOL_BYTES = 1 << 16;
let pool = new Uint8Array(POOL_BYTES);
let poolUsed = 0;

/** Whether a number fits a sign-extended byte. */
function isByte(value: number): boolean {
  return value >= -128 && value <= 127;
}

/** Writes the low byte, or all four bytes, of a value. */
function patch(at: number, size: number, value: number): void {
  if (size === 1) view.setInt8(at, value);
  else view.setInt32(at, value, true);
}
