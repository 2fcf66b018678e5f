import type { Played } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { codePlace } from '../../model/call/code-place.ts';
import type { Whereabouts } from '../../model/core/crash.ts';
import type { Kernel } from '../../model/kernel.ts';
import { describeBranch } from '../../model/text/branch.ts';
import { addressOfPlace } from '../../model/text/int3.ts';
import { pageAddress } from '../../model/text/space.ts';
import { allocatedOn } from '../../model/text/text.ts';
import { INT3, placeKey } from '../../model/text/view.ts';
import { disassemble } from '../../model/x86/listing.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import { excerpt } from '../images/excerpt.ts';

/** What a breach says of bytes, and where they were. */
export interface Bytes {
  /** Lines of a listing; none: the breach is not about a place in text. */
  readonly lines: readonly string[];
  /** The finding, with the names that freed memory had. */
  readonly finding: TaskFinding;
}

/** The bytes that a breach is about: of the memory that was freed, or of the instruction that is torn. */
export function bytesOf(space: Space, played: readonly Played[], finding: TaskFinding): Bytes {
  if (finding.is !== 'crashes') return { lines: [], finding };
  const { crash } = finding;
  switch (crash.is) {
    case 'torn instruction':
      return { lines: tornLines(space.kernelOf(played.at(-1)!.before), crash.place, crash.bytes), finding };
    case 'fault':
    case 'bad address': {
      const where = crash.place.in === 'free page' ? 'place' : 'at';
      const freed = crash[where];
      if (freed.in !== 'free page') return { lines: [], finding };
      const { lines, name } = freedBytes(space, played, freed);
      const place: Whereabouts = { in: 'named', name, offset: 0 };
      return name === ''
        ? { lines, finding }
        : { lines, finding: { ...finding, crash: { ...crash, [where]: place } } };
    }
    default:
      return { lines: [], finding };
  }
}

/** What lay on a page that nobody has any more; an empty name: nothing that is known. */
function freedBytes(
  space: Space,
  played: readonly Played[],
  { page, offset }: Extract<Whereabouts, { readonly in: 'free page' }>,
): { readonly lines: readonly string[]; readonly name: string } {
  for (const { before } of played.toReversed()) {
    const k = space.kernelOf(before);
    const found = allocatedOn(k, page, offset);
    if (found === undefined) continue;
    return {
      lines: listing(k, found.name, page, offset, found.start),
      name: `${found.name}+0x${(offset - found.start).toString(16)} (freed)`,
    };
  }
  return { lines: [], name: '' };
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
