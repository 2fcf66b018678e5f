import { EXECUTE, READ, WRITE } from '../../model/x86/memory.ts';

/** A page that CPU and emulator both map at one address. */
export interface DrawnPage {
  readonly name: string;
  readonly base: bigint;
  readonly permission: number;
}

/** Bytes of every page: what the CPU protects as one. */
export const PAGE_BYTES = 4096;

/**
 * The addresses are the awkward ones: the low half of a code address has its sign bit set, data ends right below
 * a multiple of 4 GiB, the stack starts on one, and `low` is in reach of a displacement without a base register.
 * `data` is in reach of a displacement from `rip`. Nothing is mapped next to any page.
 */
export const CODE: DrawnPage = { name: 'code', base: 0x1234_8000_0000n, permission: READ | EXECUTE };
export const DATA: DrawnPage = { name: 'data', base: 0x1234_ffff_e000n, permission: READ | WRITE };
export const STACK: DrawnPage = { name: 'stack', base: 0x3456_0000_0000n, permission: READ | WRITE };
export const LOW: DrawnPage = { name: 'low', base: 0x1000_0000n, permission: READ | WRITE };

/** Memory that a sequence may change, in the order in which its words are numbered. */
export const SCRATCH: readonly DrawnPage[] = [DATA, STACK, LOW];

/**
 * The eight bytes through which a sequence ends: `jmp *EXIT_CELL`, which needs no register. The CPU returns to the
 * harness there, the emulator stops before it.
 */
export const EXIT_CELL = 0x2000_0000n;

/** Offsets in `data` that hold targets of indirect branches, and which nothing else is aimed at. */
export const SLOTS = { from: 0xc00, to: 0xe00, bytes: 16 } as const;

export function contains(page: DrawnPage, address: bigint, bytes: number): boolean {
  return address >= page.base && address + BigInt(bytes) <= page.base + BigInt(PAGE_BYTES);
}
