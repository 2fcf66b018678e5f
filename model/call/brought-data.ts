import { item } from '../core/present.ts';
import type { MemoryObject, ReadsMemory } from '../text/memory-object.ts';
import type { MachineFault } from '../x86/machine.ts';
import { regionNamed } from '../x86/machine.ts';
import type { Region, RegionSpec } from '../x86/memory.ts';
import { READ, writeWord } from '../x86/memory.ts';
import { ZERO } from '../x86/word.ts';
import type { Room } from './machine-room.ts';

/*
 * Data that machine code reads is loaded from the state when it is read: an object, or a part of it, is put into one of
 * a few windows, and is forgotten as soon as another actor may have changed the state.
 */

/** Windows that a machine has, and the bytes of each. */
const WINDOWS = 16;
const WINDOW_BYTES = 128;

export const WINDOW_SPECS: readonly RegionSpec[] = Array.from({ length: WINDOWS }, (_, i) => ({
  name: `window ${i}`,
  base: ZERO,
  size: WINDOW_BYTES,
  permission: READ,
}));

/**
 * The windows of a machine, and which of them is used next, in turn: an instruction reads at most one object,
 * so that the one that it needs is never replaced before it has been read.
 */
export interface Windows {
  readonly empty: readonly Region[];
  next: number;
  /** Windows that hold something. */
  used: number;
}

/** The windows among a machine's regions; nothing is in them. */
export function createWindows(regions: Region[]): Windows {
  // A region of no size contains no address: that is what "empty" means here and for pages.
  const empty = WINDOW_SPECS.map(({ name }) => ({
    ...regionNamed({ regions }, name),
    size: 0,
  }));
  for (const window of empty) regions[window.number] = window;
  return { empty, next: 0, used: 0 };
}

/**
 * Whether an access was to data that was not in the machine yet: it is now, and the instruction has to be
 * tried again. Windows are read-only: code that is executed here writes to its own stack only, everything
 * else is done by functions in C on the state itself.
 */
export function bringData<K>(
  room: Room,
  k: K,
  memory: ReadsMemory<K> | undefined,
  { access, kind, address, at: place }: MachineFault,
): boolean {
  if (access !== 'read' || kind !== 'unmapped' || memory === undefined) return false;
  const object = memory(k, address);
  if (object === undefined) return false;
  put(room, object);
  // It was counted, and faults again.
  room.machine.steps--;
  Object.assign(room.machine.rip, place);
  return true;
}

function put({ windows, regions }: Room, { base, words }: MemoryObject): void {
  const index = windows.next;
  const size = 8 * words.length;
  if (size > WINDOW_BYTES) throw new Error(`${size} bytes do not fit a window`);
  const window = item(windows.empty, index);
  const region = { ...window, base, size };
  words.forEach((word, i) => {
    writeWord(region, 8 * i, word);
  });
  regions[window.number] = region;
  windows.next = (index + 1) % WINDOWS;
  windows.used = Math.min(windows.used + 1, WINDOWS);
}

/** The state may have changed: the next read loads it again. */
export function forgetData({ windows, regions }: Room): void {
  if (windows.used === 0) return;
  for (const window of windows.empty) regions[window.number] = window;
  windows.next = 0;
  windows.used = 0;
}
