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

/** The effects of one step that have been computed so far. */
export class Effects<R> {
  private readonly effects: Effect<R>[] = [];
  private readonly applied = new Map<number, Applied<R>>();

  /** The effect of the step in a world; `workOut` computes it when it is not known. */
  in(worlds: Worlds, world: number, workOut: (world: SearchedWorld) => Effect<R>): Applied<R> {
    const seen = this.applied.get(world);
    if (seen !== undefined) return seen;
    const parts = worlds.get(world);
    let effect = this.effects.find(({ reads }) => fits(reads, parts));
    if (effect === undefined) {
      effect = workOut(parts);
      this.effects.push(effect);
    }
    const { writes, result } = effect;
    const applied = { world: worldAfter(worlds, world, parts, writes), result, writes };
    this.applied.set(world, applied);
    return applied;
  }
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
