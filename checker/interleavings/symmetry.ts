import { item } from '../../model/core/present.ts';
import { compareText } from '../../model/core/text-order.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';
import {
  CALLERS,
  callerIn,
  conditionIn,
  cpuIn,
  sinceIn,
  standing,
  standingIn,
  WORLD,
  worldIn,
} from './state.ts';

/*
 * Reduction: states that differ only by a permutation of CPUs, or of tasks that run the same script, are merged;
 * one representative of each orbit is stored.
 *
 * The model never compares names of CPUs or tasks: a step does the same on each of them, and tasks are permuted
 * only if their scripts are equal. A permutation is therefore an automorphism of the state graph: it maps each
 * path to a path with the same operations, answers, calls and findings, up to names. Laws do not distinguish CPUs or equal tasks either, so a law is broken in a state exactly if it is broken in its representative. The
 * representative is the state itself, sorted by keys that depend on how its actors stand and not on their names: all
 * states of an orbit have the same one. Merging is always along a permutation, so that no state represents one that
 * behaves differently.
 */

/** A permutation of CPUs, and the world under it. */
interface Reordered {
  readonly world: number;
  readonly order: readonly number[];
}

/**
 * Permutes the CPUs of a state, and its callers if all scripts are equal, into an order that depends only on their
 * behaviour and their views.
 */
export class Symmetry {
  private readonly orders = new Map<number, Reordered>();
  /** The views of the CPUs of each world, as text. */
  private readonly spelled: (readonly string[])[] = [];
  private readonly isAlike: boolean;
  /** The old place of each caller of the latest state, if that has changed any: until the next state. */
  order: readonly number[] | undefined;
  /** Room for the places of callers, and for their numbers. */
  private readonly places: number[];
  private readonly before: number[];
  /** For each CPU the first caller that runs on it or is bound to it. */
  private readonly first: number[];

  constructor(
    private readonly space: Space,
    /** The rank of a caller by its number. */
    private readonly rankOf = (caller: number) => caller,
  ) {
    const [first, ...others] = space.scenario.callers.map((caller) => JSON.stringify(caller));
    this.isAlike = others.length > 0 && others.every((other) => other === first);
    this.places = space.scenario.callers.map((_, i) => i);
    this.before = this.places.flatMap((i) => [i, i]);
    this.first = Array.from({ length: space.layout.cpus }, () => 0);
  }

  /** What a search stores of a state: its representative, or where states are not merged the state itself. */
  merged(state: PackedState): PackedState {
    return this.space.symmetric ? this.canonical(state) : state;
  }

  /** The representative of a state: the same array, changed if necessary. */
  canonical(state: PackedState): PackedState {
    this.order = undefined;
    if (this.isAlike) this.sortCallers(state);
    if (this.space.layout.cpus > 1) this.sortCpus(state);
    return state;
  }

  /** Callers by program counter and condition, whatever CPU they are on; holdouts of grace periods follow. */
  private sortCallers(state: PackedState): void {
    const { callers } = this.space.layout;
    let isSorted = true;
    for (let i = 1; i < callers && isSorted; i++) isSorted = this.compare(state, i - 1, i) <= 0;
    if (isSorted) return;
    const order = this.sorted(state);
    const { before } = this;
    for (let i = 0; i < before.length; i++) before[i] = state[CALLERS + i]!;
    for (let to = 0; to < callers; to++) {
      const from = 2 * order[to]!;
      state[CALLERS + 2 * to] = before[from]!;
      state[CALLERS + 2 * to + 1] = before[from + 1]!;
    }
    this.order = order;
    this.space.grace.rename(state, order);
  }

  /** The callers in their order; those that stand alike keep theirs. They are few, and most are in order already. */
  private sorted(state: PackedState): readonly number[] {
    const { places: order } = this;
    for (let i = 0; i < order.length; i++) {
      let to = i;
      for (; to > 0 && this.compare(state, order[to - 1]!, i) > 0; to--) order[to] = order[to - 1]!;
      order[to] = i;
    }
    return order;
  }

  /** The order of two callers; 0: they stand alike. */
  private compare(state: PackedState, a: number, b: number): number {
    return this.compareConditions(state, a, b) || this.orderOf(state, a, b);
  }

  /** The order of two callers by where they are, then by their conditions. */
  private compareConditions(state: PackedState, a: number, b: number): number {
    const first = callerIn(state, a);
    const second = callerIn(state, b);
    if (first !== second) return this.rankOf(first) - this.rankOf(second);
    return conditionKey(standingIn(state, a)) - conditionKey(standingIn(state, b));
  }

  /**
   * The order of two callers in the same condition: by the views of their CPUs, then by the grace periods that wait, then
   * by the callers that have the same CPUs.
   */
  private orderOf(state: PackedState, n: number, other: number): number {
    const cpu = cpuIn(standingIn(state, n));
    const otherCpu = cpuIn(standingIn(state, other));
    if (cpu === otherCpu) return this.compareWaits(state, n, other);
    const spelled = this.spelledIn(worldIn(state));
    return (
      compareText(spelled[cpu] ?? '', spelled[otherCpu] ?? '') ||
      this.compareWaits(state, n, other) ||
      this.compareCpus(state, cpu, otherCpu)
    );
  }

  /** The order of two CPUs that see the same: of those whose callers stand alike the one with the smaller number is first. */
  private compareCpus(state: PackedState, cpu: number, otherCpu: number): number {
    const own = this.callersOn(state, cpu);
    const others = this.callersOn(state, otherCpu);
    for (let i = 0; i < Math.min(own.length, others.length); i++) {
      const order = this.compareApart(state, item(own, i), item(others, i));
      if (order !== 0) return order;
    }
    return own.length - others.length || cpu - otherCpu;
  }

  /** The callers that are on a CPU or bound to it, in their order. */
  private callersOn(state: PackedState, cpu: number): number[] {
    return [...this.places.keys()]
      .filter((i) => cpuIn(standingIn(state, i)) === cpu)
      .sort((a, b) => this.compareApart(state, a, b));
  }

  /** The order of two callers, whatever CPUs they have. */
  private compareApart(state: PackedState, a: number, b: number): number {
    return this.compareConditions(state, a, b) || this.compareWaits(state, a, b);
  }

  /** The order of two callers by the grace periods that wait for them. */
  private compareWaits(state: PackedState, n: number, other: number): number {
    for (const holdouts of this.space.allHoldouts(state)) {
      const difference = ((holdouts >> n) & 1) - ((holdouts >> other) & 1);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private spelledIn(world: number): readonly string[] {
    return (this.spelled[world] ??= this.space.spellCpus(world));
  }

  /** CPUs by the first caller on them or bound to them; idle CPUs by what they see. */
  private sortCpus(state: PackedState): void {
    const { cpus, callers } = this.space.layout;
    const { first } = this;
    let key = worldIn(state);
    let isOrdered = true;
    // A loop: fill() is a call out of compiled code, for two numbers.
    for (let cpu = 0; cpu < cpus; cpu++) first[cpu] = callers;
    for (let i = callers - 1; i >= 0; i--) {
      const cpu = cpuIn(standingIn(state, i));
      if (cpu >= 0) first[cpu] = i;
    }
    for (let cpu = 0; cpu < cpus; cpu++) {
      key = key * (callers + 1) + first[cpu]!;
      if (cpu > 0 && first[cpu - 1]! >= first[cpu]!) isOrdered = false;
    }
    if (isOrdered) return;
    let reordered = this.orders.get(key);
    if (reordered === undefined) {
      reordered = this.reorder(worldIn(state));
      this.orders.set(key, reordered);
    }
    const { world, order } = reordered;
    if (order.length > 0) rename(state, world, order, callers);
  }

  /** The permutation of the CPUs; empty when they are in order. */
  private reorder(world: number): Reordered {
    const { first, space } = this;
    const spelled = this.spelledIn(world);
    const order = first.map((_, cpu) => cpu);
    order.sort(
      (a, b) => item(first, a) - item(first, b) || compareText(item(spelled, a), item(spelled, b)) || a - b,
    );
    if (order.every((from, to) => from === to)) return { world, order: [] };
    return { world: space.worldWithCpus(world, order), order };
  }
}

/** The condition of a caller, whatever CPU it is on. */
function conditionKey(now: number): number {
  return standing(conditionIn(now), -1, sinceIn(now));
}

function rename(state: PackedState, world: number, order: readonly number[], callers: number): void {
  state[WORLD] = world;
  for (let i = 0; i < callers; i++) {
    const now = standingIn(state, i);
    const cpu = cpuIn(now);
    if (cpu >= 0) state[CALLERS + 2 * i + 1] = standing(conditionIn(now), order.indexOf(cpu), sinceIn(now));
  }
}
