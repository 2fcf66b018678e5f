import type { SearchedWorld, Worlds } from './worlds.ts';

/*
 * Memoised steps. This leaves out no state: a step is executed once for each combination of the parts that it
 * reads.
 *
 * The model is deterministic, and a step sees the kernel only through a facade that records each part it reads or
 * writes. Two worlds that agree in the recorded parts take the same path through the step, and so the same writes
 * and the same result follow. A part that is assigned counts as read too, because whether it changes depends on
 * its value.
 */

/**
 * The effect of a step in every world with the same values in the parts that it reads: it writes other parts to some
 * places.
 */
export interface Effect<R> {
  /** Places and the numbers of the parts there that were read: place, number, place, number … */
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  readonly result: R;
}

/** An effect in one world: the world that results. */
export interface Applied<R> {
  readonly world: number;
  readonly result: R;
  /** Places and the parts that were put there. */
  readonly writes: readonly number[];
}

/** Effects that read the same places, by a hash of the parts there. */
interface Alike<R> {
  readonly places: readonly number[];
  readonly byHash: Map<number, Effect<R>[]>;
}

/**
 * The effects of one step that have been computed so far. In a world the step reads the same places whenever it is
 * executed, so that at most one of them fits.
 */
export class Effects<R> {
  private readonly alike: Alike<R>[] = [];
  private readonly applied = new Map<number, Applied<R>>();

  /** The effect of the step in a world; `workOut` computes it when it is not known. */
  in(worlds: Worlds, world: number, workOut: (world: SearchedWorld) => Effect<R>): Applied<R> {
    let applied = this.applied.get(world);
    if (applied === undefined) {
      applied = this.inOnce(worlds, world, workOut);
      this.applied.set(world, applied);
    }
    return applied;
  }

  /** The same, where the caller keeps the answer for the world. */
  inOnce(worlds: Worlds, world: number, workOut: (world: SearchedWorld) => Effect<R>): Applied<R> {
    const parts = worlds.get(world);
    let effect = this.find(parts);
    if (effect === undefined) {
      effect = workOut(parts);
      this.keep(effect);
    }
    const { writes, result } = effect;
    return { world: worldAfter(worlds, world, parts, writes), result, writes };
  }

  private find(world: SearchedWorld): Effect<R> | undefined {
    for (const { places, byHash } of this.alike) {
      const found = byHash.get(hashAt(places, world));
      if (found === undefined) continue;
      for (const effect of found) if (fits(effect.reads, world)) return effect;
    }
    return undefined;
  }

  private keep(effect: Effect<R>): void {
    const { reads } = effect;
    const places = reads.filter((_, i) => i % 2 === 0);
    let alike = this.alike.find((other) => isSameList(other.places, places));
    if (alike === undefined) {
      alike = { places, byHash: new Map() };
      this.alike.push(alike);
    }
    let hash = 0;
    for (let i = 1; i < reads.length; i += 2) hash = mixed(hash, reads[i]!);
    const found = alike.byHash.get(hash);
    if (found === undefined) alike.byHash.set(hash, [effect]);
    else found.push(effect);
  }
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function hashAt(places: readonly number[], world: SearchedWorld): number {
  let hash = 0;
  for (let i = 0; i < places.length; i++) hash = mixed(hash, world[places[i]!]!);
  return hash;
}

/** In 30 bits: such a number is a key of a Map without an object of its own. */
function mixed(hash: number, value: number): number {
  const h = Math.imul(hash ^ value, 0x9e3779b1);
  return (h ^ (h >>> 15)) & 0x3fffffff;
}

function fits(reads: readonly number[], world: SearchedWorld): boolean {
  for (let i = 0; i < reads.length; i += 2) if (world[reads[i]!] !== reads[i + 1]) return false;
  return true;
}

function worldAfter(worlds: Worlds, number: number, world: SearchedWorld, writes: readonly number[]): number {
  if (writes.length === 0) return number;
  const after = world.slice();
  for (let i = 0; i < writes.length; i += 2) after[writes[i]!] = writes[i + 1]!;
  return worlds.numberOf(after);
}
