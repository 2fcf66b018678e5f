import { entry, item } from '../../model/core/present.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { WorldParts } from '../interleavings/world-parts.ts';
import type { Read } from './read-watch.ts';
import { answerOf } from './read-watch.ts';

/** The reads of one part of a kernel. */
interface PartReads {
  readonly part: number;
  readonly reads: readonly Numbered[];
}

interface Numbered {
  readonly read: Read;
  /** Its number among all reads. */
  readonly number: number;
  /** The read that reached the part itself: the path of its parent, empty for the kernel. */
  readonly room: string | undefined;
}

/** The reads of a kernel, part by part: only changed parts have to be read again. */
export class ReadsByPart {
  private readonly parts: readonly PartReads[];

  constructor(reads: readonly Read[], layout: WorldParts) {
    const parts = new Map<number, Numbered[]>();
    const partAt: (number | undefined)[] = [];
    reads.forEach((read, i) => {
      const room = roomOf(reads, read);
      const part = room === undefined ? partAt[read.of] : layout.find(room + read.key);
      partAt[i + 1] = part;
      if (part === undefined) return;
      const own = parts.get(part) ?? [];
      own.push({ read, number: i + 1, room: room?.slice(0, -1) });
      parts.set(part, own);
    });
    this.parts = [...parts].map(([part, own]) => ({ part, reads: own }));
  }

  /** Their numbers. */
  get numbers(): number[] {
    return this.parts.map(({ part }) => part);
  }

  /** Whether a kernel that may have changed in some parts has the same values. */
  hold(k: KernelView, touched: Uint8Array): boolean {
    for (const { part, reads } of this.parts) if (touched[part] === 1 && !areFound(reads, k)) return false;
    return true;
  }
}

/**
 * The path of the parent of a part that is read, with a dot after it; undefined when the read is not of a part
 * itself.
 */
function roomOf(reads: readonly Read[], { of }: Read): string | undefined {
  if (of === 0) return '';
  const room = item(reads, of - 1);
  return room.of === 0 ? `${room.key}.` : undefined;
}

function areFound(reads: readonly Numbered[], k: KernelView): boolean {
  const values: unknown[] = [];
  for (const { read, number, room } of reads) {
    const object = objectOf(k, room, values[read.of]);
    if (answerOf(object, read.ask, read.key) !== read.found) return false;
    values[number] = object[read.key];
  }
  return true;
}

function objectOf(k: KernelView, room: string | undefined, value: unknown): Record<string, unknown> {
  if (room === undefined) return value as Record<string, unknown>;
  const kernel = k as unknown as Record<string, Record<string, unknown>>;
  return room === '' ? kernel : entry(kernel, room);
}
