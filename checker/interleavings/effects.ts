import type { AspectId, Aspects } from './aspects.ts';
import type { PartWrite } from './part-write.ts';
import type { Worlds } from './worlds.ts';

/*
 * Memoised steps. This leaves out no state: a step is executed once for each combination of the values that it reads.
 *
 * The model is deterministic, and a step sees the kernel only through a facade that records what it reads or writes: a
 * part, an entry of a table, the answer to a query. Two worlds that agree in all of these take the same path through
 * the step, and so the same writes and the same result follow. An assignment counts as a read too, because whether it
 * changes anything depends on the value before.
 */

/** Worlds, and the aspects of them that steps read. */
export interface WorldTables {
  readonly worlds: Worlds;
  readonly aspects: Aspects;
}

/** The effect of a step in every world that agrees in all aspects that it reads: it writes to some parts. */
export interface Effect<R> {
  /** The aspects in the order of their reads, and the numbers of the values: aspect, number, aspect, number … */
  readonly reads: readonly number[];
  readonly writes: readonly PartWrite[];
  readonly result: R;
}

/** An effect in one world: the world that results. */
export interface Applied<R> {
  readonly world: number;
  readonly result: R;
  readonly writes: readonly PartWrite[];
}

/**
 * Effects that have read the same so far, by what they have read next. That is the same for all of them: a step is
 * deterministic.
 */
class Node<R> {
  /** The effect that has read nothing more. */
  effect: Effect<R> | undefined;
  /** The aspect that all others have read next. */
  aspect = NOTHING;
  /** The first value that it had, and what comes after that: most nodes know no other. */
  private value: number | undefined;
  private next: Node<R> | undefined;
  private others: Map<number, Node<R>> | undefined;

  /** The node after a value of the aspect, if it has come up. */
  known(value: number): Node<R> | undefined {
    return value === this.value ? this.next : this.others?.get(value);
  }

  /** The node after another read. */
  after(aspect: AspectId, value: number): Node<R> {
    if (this.aspect === NOTHING && this.effect === undefined) this.aspect = aspect;
    if (this.aspect !== aspect) throw new Error('a step has read something else than before');
    return this.known(value) ?? this.add(value);
  }

  private add(value: number): Node<R> {
    const after = new Node<R>();
    if (this.next !== undefined) (this.others ??= new Map()).set(value, after);
    else [this.value, this.next] = [value, after];
    return after;
  }
}

const NOTHING: AspectId = -1;

/** The effects of one step that have been computed so far. */
export class Effects<R> {
  private readonly root = new Node<R>();
  private readonly applied = new Map<number, Applied<R>>();

  /** The effect of the step in a world, if it is known. The answer for the world is kept. */
  in(tables: WorldTables, world: number): Applied<R> | undefined {
    const kept = this.applied.get(world);
    if (kept !== undefined) return kept;
    const known = this.known(tables, world);
    if (known !== undefined) this.applied.set(world, known);
    return known;
  }

  /** Adds an effect that was computed in a world, and keeps the answer for the world. */
  addIn(tables: WorldTables, world: number, effect: Effect<R>): Applied<R> {
    const applied = this.add(tables, world, effect);
    this.applied.set(world, applied);
    return applied;
  }

  /** The same, if an effect is known that has read what the world has. */
  known({ worlds, aspects }: WorldTables, world: number): Applied<R> | undefined {
    const parts = worlds.get(world);
    let node: Node<R> | undefined = this.root;
    while (node !== undefined && node.aspect !== NOTHING)
      node = node.known(aspects.valueIn(node.aspect, parts));
    const effect = node?.effect;
    return effect === undefined ? undefined : appliedIn(worlds, world, effect);
  }

  /** Adds an effect that was computed in a world. */
  add({ worlds }: WorldTables, world: number, effect: Effect<R>): Applied<R> {
    this.keep(effect);
    return appliedIn(worlds, world, effect);
  }

  private keep(effect: Effect<R>): void {
    const { reads } = effect;
    let last = this.root;
    for (let i = 0; i < reads.length; i += 2) last = last.after(reads[i]!, reads[i + 1]!);
    last.effect = effect;
  }
}

function appliedIn<R>(worlds: Worlds, world: number, { writes, result }: Effect<R>): Applied<R> {
  return { world: worldAfter(worlds, world, writes), result, writes };
}

function worldAfter(worlds: Worlds, number: number, writes: readonly PartWrite[]): number {
  if (writes.length === 0) return number;
  const after = worlds.draftOf(number);
  for (const { place, after: partAfter } of writes) after[place] = partAfter(after[place]!);
  return worlds.numberOfDraft();
}
