import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { whereabouts } from '../../model/call/code-place.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { ImageId } from '../../model/core/ids.ts';
import { last } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { Whereabouts } from '../../model/core/whereabouts.ts';
import { placeName } from '../../model/core/whereabouts.ts';
import type { KernelView } from '../../model/kernel.ts';
import { allocatedOn } from '../../model/text/allocated-on.ts';
import { describeBranch } from '../../model/text/branch.ts';
import { addressOfPlace } from '../../model/text/int3.ts';
import { pageAddress } from '../../model/text/space.ts';
import { INT3, placeKey } from '../../model/text/view.ts';
import { disassemble } from '../../model/x86/listing.ts';
import { excerpt } from '../images/excerpt.ts';

/** The bytes at which a kernel crashed, and the crash as a report tells it. */
export interface TaskBytes {
  /** Lines of a listing; none: it is not about a place in text. */
  readonly lines: readonly string[];
  /** The crash, with the names that freed memory had. */
  readonly crash: Crash;
}

/** Of the memory that was freed, or of the instruction that is torn. One switch on purpose: it names every crash. */
export function bytesOf(space: Space, played: readonly PlayedSchedule[], crash: Crash): TaskBytes {
  switch (crash.is) {
    case 'fault': {
      const of = crash.place.in === 'free page' ? 'place' : 'at';
      const { lines, place } = freedBytes(space, played, crash[of]);
      return { lines, crash: { ...crash, [of]: place } };
    }
    case 'endless':
    case 'written over':
    case 'bad address': {
      const { lines, place } = freedBytes(space, played, crash.at);
      return { lines, crash: { ...crash, at: place } };
    }
    case 'torn instruction':
      return { lines: tornLines(space.kernelOf(last(played).before), crash.place, crash.bytes), crash };
    case 'use after free':
    case 'read of freed data':
    case 'ops without func':
    case 'fprobe without exit handler':
    case 'fgraph_stub for a link':
    case 'fgraph_stub without hash':
    case 'node without fprobe':
    case 'target without BTF':
    case 'function without metadata':
    case 'trampoline without image':
    case 'reused kprobe':
    case 'reused fprobe':
    case 'no trampoline':
    case 'ops without filter hash':
    case 'run context of an event':
    case 'direct_ops without filter':
    case 'hash without memory':
    case 'unknown int3':
    case 'retired batch':
    case 'lost return':
    case 'probe without event':
    case 'kretprobe without pool':
    case 'shadow stack overflows':
    case 'lost stack':
    case 'deadlock':
    case 'exception':
      return { lines: [], crash };
    default:
      return unreachable(crash);
  }
}

/** A freed object in memory, by its last content. */
function freedBytes(
  space: Space,
  played: readonly PlayedSchedule[],
  place: Whereabouts,
): { readonly lines: readonly string[]; readonly place: Whereabouts } {
  if (place.in !== 'free page') return { lines: [], place };
  const { page, offset } = place;
  for (const { before } of played.toReversed()) {
    const k = space.kernelOf(before);
    const found = allocatedOn(k, page, offset);
    if (found === undefined) continue;
    const { name, start } = found;
    return {
      lines: listing(k, name, page, offset, start),
      place: { in: 'freed', name, offset: offset - start },
    };
  }
  return { lines: [], place };
}

/** Instructions around a place of a page, as they were while it was allocated. */
function listing(k: KernelView, image: ImageId, page: number, offset: number, start: number): string[] {
  const bytes = Buffer.from(
    Object.values(k.text.pages).find(({ at: index }) => index === page)!.bytes,
    'hex',
  );
  const nameOf = (address: Parameters<typeof whereabouts>[1]) => {
    const place = whereabouts(k, address);
    return place.in === 'named' ? placeName(place) : undefined;
  };
  const lines = disassemble(bytes, pageAddress(page), nameOf).map((line) => ({
    ...line,
    offset: line.offset - start,
    note: line.offset === offset ? 'returns here' : '',
    marked: line.offset === offset,
    image,
  }));
  return excerpt(lines, 1);
}

/** The instruction before and after, and the mix that the CPU fetched. */
function tornLines(k: KernelView, key: string, bytes: string): string[] {
  const entry = k.text.poke?.vec.find(({ place }) => placeKey(place) === key);
  if (entry === undefined) return [`▶ ${spelled(key, bytes)}executed`];
  const address = addressOfPlace(k, entry.place);
  const line = (of: string) => `${spelled(key, of)}${describeBranch(k, of, address)}`;
  return [`  ${line(entry.from)}`, `  ${line(entry.to)}`, `▶ ${spelled(key, bytes)}what is executed`];
}

function spelled(key: string, bytes: string): string {
  return `${key.padEnd(17)}${bytes.replace(/..(?=.)/g, '$& ').padEnd(INT3.length + 20)}`;
}
