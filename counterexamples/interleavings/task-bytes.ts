import type { Played } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { codePlace } from '../../model/call/code-place.ts';
import type { Kernel } from '../../model/kernel.ts';
import { describeBranch } from '../../model/text/branch.ts';
import { addressOfPlace } from '../../model/text/int3.ts';
import { pageAddress } from '../../model/text/space.ts';
import { allocatedOn } from '../../model/text/text.ts';
import { INT3, placeKey } from '../../model/text/view.ts';
import { disassemble } from '../../model/x86/listing.ts';
import { excerpt } from '../images/excerpt.ts';

/** What a breach says of bytes, and where they were. */
export interface Bytes {
  /** Lines of a listing; none: the breach is not about a place in text. */
  readonly lines: readonly string[];
  /** The breach's words, with the names that freed memory had. */
  readonly observed: string;
}

/** The bytes that a breach is about: of the memory that was freed, or of the instruction that is torn. */
export function bytesOf(space: Space, played: readonly Played[], observed: string): Bytes {
  const freed = /\bpage (\d+)(?:\+0x([0-9a-f]+))?/.exec(observed);
  if (freed !== null)
    return freedBytes(space, played, observed, [
      freed[0],
      Number(freed[1]),
      Number.parseInt(freed[2] ?? '0', 16),
    ]);
  const torn = /(\S+) is executed as ((?:[0-9a-f]{2})+)$/.exec(observed);
  const lines = torn === null ? [] : tornLines(space.kernelOf(played.at(-1)!.before), torn[1]!, torn[2]!);
  return { lines, observed };
}

function freedBytes(
  space: Space,
  played: readonly Played[],
  observed: string,
  [text, page, offset]: readonly [string, number, number],
): Bytes {
  for (const { before } of played.toReversed()) {
    const k = space.kernelOf(before);
    const found = allocatedOn(k, page, offset);
    if (found === undefined) continue;
    const name = `${found.name}+0x${(offset - found.start).toString(16)}`;
    return {
      lines: listing(k, found.name, page, offset, found.start),
      observed: observed.replace(text, `${name} (freed)`),
    };
  }
  return { lines: [], observed };
}

/** Instructions around a place of a page, as they were while it was allocated. */
function listing(k: Kernel, image: string, page: number, offset: number, start: number): string[] {
  const bytes = Buffer.from(Object.values(k.text.pages).find(({ at }) => at === page)!.bytes, 'hex');
  const nameOf = (address: Parameters<typeof codePlace>[1]) => {
    const place = codePlace(k, address);
    return /^0x|^page /.test(place) ? undefined : place;
  };
  const lines = disassemble(bytes, pageAddress(page), nameOf).map((line) => ({
    ...line,
    offset: line.offset - start,
    note: line.offset === offset ? 'comes back here' : '',
    marked: line.offset === offset,
    image,
  }));
  return excerpt(lines, 1);
}

/** The instruction before and after, and what the processor has put together of them. */
function tornLines(k: Kernel, key: string, bytes: string): string[] {
  const entry = k.text.poke?.vec.find(({ place }) => placeKey(place) === key);
  if (entry === undefined) return [`▶ ${spelled(key, bytes)}executed`];
  const at = addressOfPlace(k, entry.place);
  const line = (of: string) => `${spelled(key, of)}${describeBranch(k, of, at)}`;
  return [`  ${line(entry.from)}`, `  ${line(entry.to)}`, `▶ ${spelled(key, bytes)}what is executed`];
}

function spelled(key: string, bytes: string): string {
  return `${key.padEnd(17)}${bytes.replace(/..(?=.)/g, '$& ').padEnd(INT3.length + 20)}`;
}
