import { disassemble } from '../../model/x86/listing.ts';
import { fromBigInt, toBigInt } from '../../model/x86/word.ts';
import type { Answering } from '../history/history-verdict.ts';

/** An instruction of a running kernel. */
export interface CodeLine {
  readonly address: bigint;
  /** In AT&T syntax; what is a symbol of the kernel has its name: `mov    fgraph_direct_gops,%rsi`. */
  readonly text: string;
}

/** The symbols and the machine code of a running kernel, as its recorder reads them. */
export class KernelCode {
  private readonly symbols = new Map<string, Symbol>();
  private readonly listings = new Map<string, readonly CodeLine[]>();

  constructor(private readonly guest: Answering) {}

  /** Where a function begins; undefined: the kernel has no function of this name, it may be part of its caller. */
  function(name: string): bigint | undefined {
    return this.symbolOf(name)?.address;
  }

  /** The instructions of a function. */
  listing(name: string): readonly CodeLine[] {
    const symbol = this.symbolOf(name);
    if (symbol === undefined) return [];
    let lines = this.listings.get(name);
    if (lines === undefined) this.listings.set(name, (lines = this.read(symbol)));
    return lines;
  }

  private symbolOf(name: string): Symbol | undefined {
    return VARIANTS.map((variant) => this.look(name + variant)).find(({ address }) => address !== 0n);
  }

  /** A symbol by its name, or what is at an address. */
  private look(what: string): Symbol {
    let symbol = this.symbols.get(what);
    if (symbol === undefined) {
      const [line = '{}'] = this.guest.ask([`k ${what}`]);
      const { at: address, is } = JSON.parse(line) as { readonly at: string; readonly is: string };
      const [, name = '', offset = '0x0', size = '0x0'] = SYMBOL.exec(is) ?? [];
      symbol = { address: BigInt(address), name, offset: Number(offset), size: Number(size) };
      this.symbols.set(what, symbol);
    }
    return symbol;
  }

  private read({ address, size }: Symbol): CodeLine[] {
    const length = Math.min(size, BYTES_MOST);
    const [line = '{}'] = this.guest.ask([`y 0x${address.toString(16)} ${length}`]);
    const { a: words } = JSON.parse(line) as { readonly a: readonly string[] };
    const bytes = Buffer.alloc(8 * words.length);
    for (const [i, word] of words.entries()) bytes.writeBigUInt64LE(BigInt(word), 8 * i);
    return disassemble(bytes.subarray(0, length), fromBigInt(address), (word) =>
      this.nameOf(toBigInt(word)),
    ).map(({ offset, text }) => ({
      address: address + BigInt(offset),
      text: text.replace(KERNEL_ADDRESS, (address) => this.nameOf(BigInt(address)) ?? address),
    }));
  }

  /** `fgraph_direct_gops`, `ftrace_stub+0x4`. */
  private nameOf(address: bigint): string | undefined {
    if (address < KERNEL_START) return undefined;
    const { name, offset } = this.look(`0x${address.toString(16)}`);
    if (name === '') return undefined;
    return offset === 0 ? name : `${name}+0x${offset.toString(16)}`;
  }
}

interface Symbol {
  readonly address: bigint;
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

/** What the compiler calls a function that it has changed. */
const VARIANTS = ['', '.part.0', '.isra.0', '.constprop.0'];
/** `ftrace_stub+0x4/0x10`. */
const SYMBOL = /^(\S+?)\+(0x[0-9a-f]+)\/(0x[0-9a-f]+)/;
const KERNEL_START = 0xffff_ffff_8000_0000n;
const KERNEL_ADDRESS = /0xffffffff[89a-f][0-9a-f]{7}/g;
const BYTES_MOST = 8192;
