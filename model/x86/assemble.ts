import { Code } from 'iced-x86';
import { nopBytes } from './nop.ts';
import type { Reg } from './register.ts';
import type { MemoryShape, Template } from './template.ts';
import { branchTemplate, template } from './template.ts';
import type { Word } from './word.ts';
import { displacement, isSigned32, isUnsigned32, plus, ZERO } from './word.ts';

/** A memory operand: a base register and a displacement, or a symbol addressed relative to `rip`. */
export type Memory = { readonly base: Reg; readonly disp: number } | { readonly symbol: string; readonly gs?: boolean };

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
  readonly labels: Readonly<Record<string, number>>;
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

/**
 * Assembles straight into bytes. Widths are chosen, never searched for: a displacement from a register takes
 * one byte when it fits, as the kernel's JIT decides, a branch has the width that the method's name says.
 * Names are labels when the program defines them and symbols otherwise.
 */
export class Assembler {
  private readonly base: Word;
  private readonly resolve: Resolve;
  private readonly buffer: Uint8Array;
  private readonly relocations: Relocation[] = [];
  private readonly labels: Record<string, number> = {};
  private readonly fixups: { at: number; size: number; end: number; name: string }[] = [];
  private at = 0;

  /** `base` is the address of the first byte; `limit` the most bytes that may be written. */
  constructor(base: Word, resolve: Resolve, limit = 16384) {
    this.base = base;
    this.resolve = resolve;
    this.buffer = new Uint8Array(limit);
  }

  /** Bytes written so far. */
  get offset(): number {
    return this.at;
  }

  label(name: string): void {
    if (name in this.labels) throw new Error(`label ${name} is defined twice`);
    this.labels[name] = this.at;
  }

  bytes(bytes: ArrayLike<number>): void {
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** Fills up to a multiple of `boundary` with nops of at most `longest` bytes each. */
  align(boundary: number, longest: number): void {
    this.nops((boundary - (this.at % boundary)) % boundary, longest);
  }

  nops(count: number, longest: number): void {
    for (let left = count; left > 0; left -= Math.min(left, longest)) this.bytes(nopBytes(Math.min(left, longest)));
  }

  push(reg: Reg): void {
    this.emit(cached(PUSH, reg, () => template.reg(Code.Push_r64, reg)));
  }

  pop(reg: Reg): void {
    this.emit(cached(POP, reg, () => template.reg(Code.Pop_r64, reg)));
  }

  /** 64-bit move between registers. */
  mov(to: Reg, from: Reg): void {
    this.emit(cached(MOV, to * 16 + from, () => template.regReg(Code.Mov_rm64_r64, to, from)));
  }

  /** Loads eight bytes. */
  load(to: Reg, memory: Memory): void {
    this.access(LOAD, to, memory, (shape) => template.regMem(Code.Mov_r64_rm64, to, shape));
  }

  /** Stores eight bytes. */
  store(memory: Memory, from: Reg): void {
    this.access(STORE, from, memory, (shape) => template.memReg(Code.Mov_rm64_r64, shape, from));
  }

  lea(to: Reg, memory: Memory): void {
    this.access(LEA, to, memory, (shape) => template.regMem(Code.Lea_r64_m, to, shape));
  }

  /** Stores a sign-extended immediate: eight bytes, or four. */
  storeImmediate(memory: Memory, value: number, bytes: 4 | 8 = 8): void {
    const code = bytes === 8 ? Code.Mov_rm64_imm32 : Code.Mov_rm32_imm32;
    this.access(STORE_IMMEDIATE, bytes, memory, (shape) => template.memImm(code, shape), { hi: value >> 31, lo: value });
  }

  /** Compares eight bytes with a sign-extended byte. */
  compareImmediate(memory: Memory, value: number): void {
    const imm = { hi: value >> 31, lo: value };
    this.access(COMPARE_IMMEDIATE, 0, memory, (shape) => template.memImm(Code.Cmp_rm64_imm8, shape), imm);
  }

  /**
   * Loads a constant the way the BPF JIT does (emit_mov_imm64()): `xor` for zero, four bytes when they are
   * enough zero-extended, and when sign-extended if `signExtended`; otherwise all eight.
   */
  loadConstant(to: Reg, value: Word, signExtended: boolean): void {
    if (value.hi === 0 && value.lo === 0) this.zero(to);
    else if (isUnsigned32(value)) this.emit(cached(MOV32, to, () => template.regImm(Code.Mov_r32_imm32, to, 4)), 0, value);
    else if (signExtended && isSigned32(value))
      this.emit(cached(MOV_SIGNED, to, () => template.regImm(Code.Mov_rm64_imm32, to)), 0, value);
    else this.emit(cached(MOV64, to, () => template.regImm64(Code.Mov_r64_imm64, to)), 0, value);
  }

  /** Loads the address of a symbol, encoded by its value; one that is not known takes all eight bytes. */
  loadAddress(to: Reg, symbol: string, signExtended: boolean): void {
    const value = this.resolve(symbol);
    if (value !== undefined) this.loadConstant(to, value, signExtended);
    else this.emit(cached(MOV64, to, () => template.regImm64(Code.Mov_r64_imm64, to)), 0, ZERO);
    const size = value === undefined || !(isUnsigned32(value) || (signExtended && isSigned32(value))) ? 8 : 4;
    this.relocations.push({ offset: this.at - size, symbol, kind: 'absolute', size, end: this.at });
  }

  /** `xor r32, r32`. */
  zero(reg: Reg): void {
    this.emit(cached(ZERO_REG, reg, () => template.regReg(Code.Xor_rm32_r32, reg, reg, 4)));
  }

  /** Adds to a register: one immediate byte when it is enough, else four. */
  add(reg: Reg, value: number): void {
    if (value >= -128 && value <= 127)
      this.emit(cached(ADD8, reg, () => template.regImm(Code.Add_rm64_imm8, reg)), 0, { hi: 0, lo: value });
    else this.emit(cached(ADD32, reg, () => template.regImm(Code.Add_rm64_imm32, reg)), 0, { hi: 0, lo: value });
  }

  /** Subtracts from a register: one immediate byte when it is enough, else four. */
  sub(reg: Reg, value: number): void {
    if (value >= -128 && value <= 127)
      this.emit(cached(SUB8, reg, () => template.regImm(Code.Sub_rm64_imm8, reg)), 0, { hi: 0, lo: value });
    else this.emit(cached(SUB32, reg, () => template.regImm(Code.Sub_rm64_imm32, reg)), 0, { hi: 0, lo: value });
  }

  /** `test r64, r64`. */
  test(reg: Reg): void {
    this.emit(cached(TEST, reg, () => template.regReg(Code.Test_rm64_r64, reg, reg)));
  }

  call(name: string): void {
    this.branch(CALL, name);
  }

  jump(name: string): void {
    this.branch(JUMP, name);
  }

  jumpIfZeroShort(name: string): void {
    this.branch(JE_SHORT, name);
  }

  jumpIfNonzeroNear(name: string): void {
    this.branch(JNE_NEAR, name);
  }

  callRegister(reg: Reg): void {
    this.emit(cached(CALL_REG, reg, () => template.reg(Code.Call_rm64, reg)));
  }

  jumpRegister(reg: Reg): void {
    this.emit(cached(JUMP_REG, reg, () => template.reg(Code.Jmp_rm64, reg)));
  }

  /** `sarq $by, %gs:symbol(%rip)`. */
  shiftRightGs(symbol: string, by: number): void {
    this.emitRelative(SAR_GS, symbol, { hi: 0, lo: by });
  }

  ret(): void {
    this.emit(RET);
  }

  leave(): void {
    this.emit(LEAVE);
  }

  int3(): void {
    this.emit(INT3);
  }

  endbr64(): void {
    this.emit(ENDBR64);
  }

  /** Any instruction by its iced shape, with a displacement or immediate patched in. */
  emit(t: Template, disp = 0, imm: Word = ZERO): void {
    const start = this.at;
    this.buffer.set(t.bytes, start);
    if (t.dispSize > 0) this.patch(start + t.dispAt, t.dispSize, disp, disp >> 31);
    if (t.immSize > 0) this.patch(start + t.immAt, t.immSize, imm.lo, imm.hi);
    this.at = start + t.bytes.length;
  }

  /** Any instruction whose memory operand is a symbol relative to `rip`. */
  emitRelative(t: Template, symbol: string, imm: Word = ZERO): void {
    this.emit(t, 0, imm);
    this.refer(this.at - t.bytes.length + t.dispAt, 4, symbol);
  }

  finish(): Assembled {
    for (const { at, size, end, name } of this.fixups) this.patchRelative(at, size, end, name);
    return { bytes: this.buffer.slice(0, this.at), relocations: this.relocations, labels: this.labels };
  }

  /** An instruction with a memory operand, its template cached by register, base and displacement width. */
  private access(cache: Cache, reg: number, memory: Memory, make: (shape: MemoryShape) => Template, imm = ZERO): void {
    if ('symbol' in memory) {
      const gs = memory.gs === true;
      const t = cached(cache, reg * 64 + 62 + (gs ? 1 : 0), () => make({ base: undefined, dispSize: 4, gs }));
      return this.emitRelative(t, memory.symbol, imm);
    }
    const { base, disp } = memory;
    const narrow = disp >= -128 && disp <= 127;
    const t = cached(cache, reg * 64 + base * 2 + (narrow ? 0 : 1), () => make({ base, dispSize: narrow ? 1 : 4 }));
    this.emit(t, disp, imm);
  }

  private branch(t: Template, name: string): void {
    this.emit(t);
    this.refer(this.at - t.immSize, t.immSize, name);
  }

  /** A relative field at `at`, in the instruction that ends here. */
  private refer(at: number, size: number, name: string): void {
    this.fixups.push({ at, size, end: this.at, name });
  }

  private patchRelative(at: number, size: number, end: number, name: string): void {
    const label = this.labels[name];
    if (label !== undefined) {
      if (size === 1 && (label - end < -128 || label - end > 127)) throw new OutOfRange(name);
      return this.patch(at, size, label - end, 0);
    }
    this.relocations.push({ offset: at, symbol: name, kind: 'relative', size, end });
    const address = this.resolve(name);
    if (address === undefined) return;
    const distance = displacement(address, plus(this.base, end));
    if (distance === undefined) throw new OutOfRange(name);
    this.patch(at, size, distance, 0);
  }

  private patch(at: number, size: number, lo: number, hi: number): void {
    for (let i = 0; i < size; i++) this.buffer[at + i] = (i < 4 ? lo : hi) >>> ((i & 3) * 8);
  }
}

type Cache = (Template | undefined)[];

function cached(cache: Cache, key: number, make: () => Template): Template {
  return (cache[key] ??= make());
}

const PUSH: Cache = [];
const POP: Cache = [];
const MOV: Cache = [];
const LOAD: Cache = [];
const STORE: Cache = [];
const LEA: Cache = [];
const STORE_IMMEDIATE: Cache = [];
const COMPARE_IMMEDIATE: Cache = [];
const MOV32: Cache = [];
const MOV_SIGNED: Cache = [];
const MOV64: Cache = [];
const ZERO_REG: Cache = [];
const ADD8: Cache = [];
const ADD32: Cache = [];
const SUB8: Cache = [];
const SUB32: Cache = [];
const TEST: Cache = [];
const CALL_REG: Cache = [];
const JUMP_REG: Cache = [];
const CALL = branchTemplate(Code.Call_rel32_64, 4);
const JUMP = branchTemplate(Code.Jmp_rel32_64, 4);
const JE_SHORT = branchTemplate(Code.Je_rel8_64, 1);
const JNE_NEAR = branchTemplate(Code.Jne_rel32_64, 4);
const SAR_GS = template.memImm(Code.Sar_rm64_imm8, { base: undefined, dispSize: 4, gs: true });
const RET = template.plain(Code.Retnq);
const LEAVE = template.plain(Code.Leaveq);
const INT3 = template.plain(Code.Int3);
const ENDBR64 = template.plain(Code.Endbr64);
