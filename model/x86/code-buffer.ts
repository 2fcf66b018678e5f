import type { Assembled, Relocation, Resolve } from './assembled.ts';
import { OutOfRange } from './assembled.ts';
import { nopBytes } from './nop.ts';
import type { Template } from './template.ts';
import type { Word } from './word.ts';
import { displacement, plus, ZERO } from './word.ts';

/** A relative field whose target is known only at the end. */
interface Fixup {
  readonly at: number;
  readonly size: number;
  readonly end: number;
  readonly name: string;
}

/** One buffer for all: an assembly is finished before the next one starts. No code here comes near 256 KiB. */
const scratch = new Uint8Array(1 << 18);
const view = new DataView(scratch.buffer);

/** Bytes in the making: labels, symbols and instruction templates; `Assembler` gives them their names. */
export class CodeBuffer {
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

  /**
   * Any instruction, with its displacement and immediate patched in. Always four bytes at a time: the rest of
   * the last four is overwritten by the next instruction, or is beyond the end.
   */
  emit(t: Template, imm: Word = ZERO, disp = 0): void {
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

  /**
   * Branches and RIP-relative operands are filled in at the end, when all labels are known. Widths do not
   * change any more: one that is too small is an error, not a longer encoding.
   */
  finish(): Assembled {
    for (const fixup of this.fixups) this.resolveFixup(fixup);
    return { bytes: keep(this.at), relocations: this.relocations, labels: this.labels };
  }

  /** The address of a symbol, as far as it is known now. */
  protected addressOf(symbol: string): Word | undefined {
    return this.resolve(symbol);
  }

  /** Notes that the last `size` bytes are the address of a symbol. */
  protected noteAbsolute(symbol: string, size: number): void {
    this.relocations.push({ offset: this.at - size, symbol, kind: 'absolute', size, end: this.at });
  }

  /**
   * An instruction with a displacement from `rip` to a label or symbol. The displacement counts from the end
   * of the instruction, after its immediate.
   */
  protected emitRelative(t: Template, name: string, imm?: Word): void {
    this.emit(t, imm);
    this.fixups.push({ at: this.at - t.length + t.dispAt, size: 4, end: this.at, name });
  }

  /** For iced the displacement of a branch is its immediate. */
  protected branch(t: Template, name: string): void {
    this.emit(t);
    this.fixups.push({ at: this.at - t.immSize, size: t.immSize, end: this.at, name });
  }

  /**
   * A label is filled in for good. A symbol leaves a relocation besides, whose field holds the displacement
   * at this base, or zero while the symbol has no address.
   */
  private resolveFixup({ at: offset, size, end, name }: Fixup): void {
    const label = this.labels.get(name);
    if (label !== undefined) return fill(offset, size, label - end, name);
    this.relocations.push({ offset: offset, symbol: name, kind: 'relative', size, end });
    const address = this.resolve(name);
    if (address === undefined) return;
    fill(offset, size, displacement(address, plus(this.base, end)), name);
  }
}

/** Writes a displacement that its field can hold; undefined: four bytes cannot. */
function fill(offset: number, size: number, distance: number | undefined, name: string): void {
  if (distance === undefined || (size === 1 && !isByte(distance))) throw new OutOfRange(name);
  patch(offset, size, distance);
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
export function isByte(value: number): boolean {
  return value >= -128 && value <= 127;
}

/** Writes the low byte, or all four bytes, of a value. */
function patch(offset: number, size: number, value: number): void {
  if (size === 1) view.setInt8(offset, value);
  else view.setInt32(offset, value, true);
}
