import type fc from 'fast-check';
import { item } from '../../model/core/present.ts';
import { PAGE_BYTES, SCRATCH } from './layout.ts';

/** Where encodings, carries, signs and widths change. */
const BOUNDARIES = [
  0x0n,
  0x1n,
  0x2n,
  0x7n,
  0x8n,
  0x1fn,
  0x20n,
  0x3fn,
  0x40n,
  0x7fn,
  0x80n,
  0xffn,
  0x100n,
  0x7fffn,
  0x8000n,
  0xffffn,
  0x10000n,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  0x1_0000_0000n,
  0x7fff_ffff_ffff_ffffn,
  0x8000_0000_0000_0000n,
  0xffff_ffff_0000_0000n,
  0xffff_ffff_7fff_ffffn,
  0xffff_ffff_8000_0000n,
  0xffff_ffff_ffff_ff7fn,
  0xffff_ffff_ffff_ff80n,
  0xffff_ffff_ffff_fffen,
  0xffff_ffff_ffff_ffffn,
];

/** Draws from fast-check's random numbers, straight: a sequence takes some three hundred of them. */
export class Dice {
  private readonly random: fc.Random;

  constructor(random: fc.Random) {
    this.random = random;
  }

  /** 0 … n − 1. */
  below(n: number): number {
    return this.random.nextInt(0, n - 1);
  }

  /** From `least` to `most`, both included. */
  between(least: number, most: number): number {
    return this.random.nextInt(least, most);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  oneOf<T>(list: readonly T[]): T {
    return item(list, this.below(list.length));
  }

  /** Any signed 32-bit number. */
  int32(): number {
    return this.random.nextInt(-0x8000_0000, 0x7fff_ffff);
  }

  /** Any 64-bit number. */
  bits64(): bigint {
    return (BigInt(this.int32() >>> 0) << 32n) | BigInt(this.int32() >>> 0);
  }

  /** A 64-bit number that is worth trying. */
  word(): bigint {
    const kind = this.below(10);
    if (kind < 3) return this.bits64();
    if (kind < 6) return this.oneOf(BOUNDARIES);
    if (kind < 7) return BigInt(this.below(256));
    return this.pointer();
  }

  /** A signed 32-bit number that is worth trying. */
  immediate(): number {
    const kind = this.below(10);
    if (kind < 4) return this.int32();
    if (kind < 8) return Number(BigInt.asIntN(32, this.oneOf(BOUNDARIES)));
    return this.between(-128, 127);
  }

  /** An address in memory that a sequence may change; mostly aligned. */
  pointer(): bigint {
    const offset = this.below(PAGE_BYTES);
    return this.oneOf(SCRATCH).base + BigInt(this.chance(80) ? offset & ~7 : offset);
  }
}
