/** The parts of one world, by number; a world is a kernel and what its CPUs count. */
export type SearchedWorld = readonly number[];

/** Worlds and their parts, in the order of their numbers. */
export interface SavedWorlds {
  readonly worlds: readonly SearchedWorld[];
  readonly parts: readonly unknown[];
}

/**
 * Worlds by number, made of parts by number: equal parts have one number, and so have worlds of equal parts. A part
 * that a step has not touched is the same object as before, and need not be spelled again.
 */
export class Worlds {
  /** The numbers of worlds, plus 1, by their hashes; 0: the slot is free. */
  private slots = new Int32Array(1024);
  private readonly worlds: SearchedWorld[] = [];
  private readonly partNumbers = new Map<string, number>();
  private readonly parts: unknown[] = [];
  private readonly known = new WeakMap<object, number>();
  /** A world that is being made: most turn out to be known. */
  private readonly draft: number[] = [];

  /** The number of a world. */
  numberOf(world: SearchedWorld): number {
    const slot = this.slotOf(world);
    const seen = this.slots[slot]!;
    if (seen !== 0) return seen - 1;
    const count = this.worlds.push(world);
    this.slots[slot] = count;
    if (count * 2 > this.slots.length) this.grow();
    return count - 1;
  }

  /** A copy of a world to change, until the next one. */
  draftOf(number: number): number[] {
    const { draft } = this;
    const world = this.worlds[number]!;
    for (let i = 0; i < world.length; i++) draft[i] = world[i]!;
    return draft;
  }

  /** The number of the draft, which is kept if it is new. */
  numberOfDraft(): number {
    const seen = this.slots[this.slotOf(this.draft)]!;
    return seen !== 0 ? seen - 1 : this.numberOf(this.draft.slice());
  }

  /** The slot of a world, or the free one where it belongs. */
  private slotOf(world: SearchedWorld): number {
    const mask = this.slots.length - 1;
    let slot = hashOf(world) & mask;
    while (this.slots[slot] !== 0 && !isSameWorld(this.worlds[this.slots[slot]! - 1]!, world))
      slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    this.worlds.forEach((world, number) => {
      this.slots[this.slotOf(world)] = number + 1;
    });
  }

  get(number: number): SearchedWorld {
    return this.worlds[number]!;
  }

  get size(): number {
    return this.worlds.length;
  }

  /** The number of a part. */
  partNumber(part: unknown): number {
    const isObject = typeof part === 'object' && part !== null;
    const seen = isObject ? this.known.get(part) : undefined;
    if (seen !== undefined) return seen;
    const key = JSON.stringify(part);
    let number = this.partNumbers.get(key);
    if (number === undefined) {
      number = this.parts.push(part) - 1;
      this.partNumbers.set(key, number);
    }
    if (isObject) this.known.set(part, number);
    return number;
  }

  part(number: number): unknown {
    return this.parts[number];
  }

  get partCount(): number {
    return this.parts.length;
  }

  /** The parts of a world, in their order. */
  partsOf(world: SearchedWorld): unknown[] {
    return world.map((part) => this.parts[part]);
  }

  /** All worlds and parts, each under its number, as plain data. */
  saved(): SavedWorlds {
    return { worlds: this.worlds, parts: this.parts };
  }

  /** Gives the worlds and parts of another table their numbers there; none may have another one yet. */
  restore({ worlds, parts }: SavedWorlds): void {
    parts.forEach((part, number) => {
      requireSame(this.partNumber(part), number);
    });
    worlds.forEach((world, number) => {
      requireSame(this.numberOf(world), number);
    });
  }
}

function hashOf(world: SearchedWorld): number {
  let hash = 0;
  for (let i = 0; i < world.length; i++) {
    hash = Math.imul(hash ^ world[i]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function isSameWorld(a: SearchedWorld, b: SearchedWorld): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A saved state refers to existing parts. */
export function requireSame(number: number, saved: number): void {
  if (number !== saved) throw new Error(`what was saved under ${saved} is ${number} here`);
}
