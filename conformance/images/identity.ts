import { item, present } from '../../model/core/present.ts';
import type { Image } from '../../model/trampoline/generate.ts';
import { CALL_DEPTH, generate } from '../../model/trampoline/generate.ts';
import { planImage } from '../../model/trampoline/plan/plan.ts';
import type { PlanRequest } from '../../model/trampoline/plan/planner.ts';
import { IMAGE, ORIGINAL, TRACED } from '../../model/trampoline/plan/symbols.ts';
import { SITE_BYTES, siteOffset } from '../../model/trampoline/stage/install.ts';
import type { Relocation } from '../../model/x86/assembled.ts';
import type { Word } from '../../model/x86/word.ts';
import { equal, fromHex, plus, toHex } from '../../model/x86/word.ts';
import type { RecordedImage } from './record.ts';
import { programNumber } from './target.ts';

/** The result of comparing a recorded image with the generated one. */
export interface Identity {
  /** The difference, in one sentence; undefined when there is none. */
  readonly difference: string | undefined;
  /** Offset of the first byte that differs. */
  readonly at: number | undefined;
  /** Addresses missing in the record, bound at their first appearance: structures, the counter. */
  readonly bound: ReadonlyMap<string, Word>;
}

/** An image from a kernel: its bytes, its address, and the known addresses that it refers to. */
export interface Located {
  readonly request: PlanRequest;
  readonly bytes: Uint8Array;
  /** Address of its first byte. */
  readonly base: Word;
  readonly traced: Word;
  /** Addresses by the names that a plan uses. */
  readonly symbols: ReadonlyMap<string, Word>;
  /** Hexadecimal addresses that it branches to and that have no known name. */
  readonly nameless: ReadonlySet<string>;
}

/**
 * Generates an image at its address and compares it byte for byte. Unknown values (addresses of program and image
 * structures) are taken from the first place where they appear; they have to be the same at every later place, and
 * different for different things.
 */
export function compareImage({ request, bytes, base, symbols, nameless }: Located): Identity {
  const generated = generate(planImage(request), base, (symbol) => symbols.get(symbol));
  const bound = new Map<string, Word>();
  if ('refused' in generated)
    return { difference: `the model refuses it with ${generated.refused}`, at: undefined, bound };
  const { image } = generated;
  const problem = bindUnknown(image, bytes, symbols, bound, nameless);
  if (problem !== undefined) return { difference: problem, at: undefined, bound };
  return { ...firstDifference(image.bytes, bytes), bound };
}

/** The image of a record. */
export function locateRecorded(record: RecordedImage, request: PlanRequest): Located {
  const named = Object.entries(record.symbols ?? {});
  const base = fromHex(record.image_addr!);
  const traced = fromHex(record.func_addr);
  const symbols = basicSymbols(base, traced, request.ibt);
  for (const [address, name] of named) {
    const program = /^bpf_prog_[0-9a-f]+_p([0-9]+)\+0x0\//.exec(name);
    if (program !== null) symbols.set(`prog#${programNumber(Number(program[1]))}`, fromHex(address));
    else if (/\+0x0\//.test(name)) symbols.set(item(name.split('+'), 0), fromHex(address));
  }
  const nameless = new Set(named.flatMap(([address, name]) => (name === '?' ? [address] : [])));
  const bytes = Uint8Array.from(Buffer.from(record.image_hex!, 'hex'));
  return { request, bytes, base, traced, symbols, nameless };
}

/** The addresses that follow from those of the image and the traced function. */
export function basicSymbols(base: Word, traced: Word, ibt: boolean): Map<string, Word> {
  return new Map([
    [TRACED, traced],
    [ORIGINAL, plus(traced, siteOffset(ibt) + SITE_BYTES)],
    [IMAGE, base],
  ]);
}

/** Fills the fields of unknown symbols from the recorded bytes; a contradiction is a problem. */
function bindUnknown(
  image: Image,
  recorded: Uint8Array,
  symbols: ReadonlyMap<string, Word>,
  bound: Map<string, Word>,
  nameless: ReadonlySet<string>,
): string | undefined {
  const view = new DataView(recorded.buffer, recorded.byteOffset, recorded.byteLength);
  for (const relocation of image.relocations) {
    const { symbol, offset, size } = relocation;
    if (symbols.has(symbol) || offset + size > recorded.length) continue;
    const value = fieldValue(view, relocation, present(symbols.get(IMAGE), IMAGE));
    const mayBind = symbol.startsWith('&') || symbol === CALL_DEPTH || nameless.has(toHex(value));
    if (!mayBind) return `the model calls ${symbol}, the recorded image does not`;
    const before = bound.get(symbol);
    if (before !== undefined && !equal(before, value))
      return `${symbol} is ${toHex(before)} first and ${toHex(value)} at tramp#1+0x${offset.toString(16)}`;
    bound.set(symbol, value);
    image.bytes.set(recorded.subarray(offset, offset + size), offset);
  }
  return sharedValue(bound);
}

/** The address in a field of the recorded bytes. */
function fieldValue(view: DataView, { offset, size, kind, end }: Relocation, base: Word): Word {
  if (kind === 'relative') return plus(plus(base, end), view.getInt32(offset, true));
  const lo = view.getInt32(offset, true);
  return { lo, hi: size === 8 ? view.getInt32(offset + 4, true) : lo >> 31 };
}

/** Two names for one address would hide that the generated code confuses them. */
function sharedValue(bound: Map<string, Word>): string | undefined {
  const owners = new Map<string, string>();
  for (const [symbol, word] of bound) {
    const other = owners.get(toHex(word));
    if (other !== undefined) return `${other} and ${symbol} would both be ${toHex(word)}`;
    owners.set(toHex(word), symbol);
  }
  return undefined;
}

function firstDifference(generated: Uint8Array, recorded: Uint8Array): Pick<Identity, 'difference' | 'at'> {
  const length = Math.min(generated.length, recorded.length);
  for (let index = 0; index < length; index++) {
    if (generated[index] === recorded[index]) continue;
    const hex = (byte: number | undefined) => byte!.toString(16).padStart(2, '0');
    return {
      difference: `tramp#1+0x${index.toString(16)} is ${hex(recorded[index])}, the model writes ${hex(generated[index])}`,
      at: index,
    };
  }
  if (generated.length === recorded.length) return { difference: undefined, at: undefined };
  return { difference: `it has ${recorded.length} bytes, the model writes ${generated.length}`, at: length };
}
