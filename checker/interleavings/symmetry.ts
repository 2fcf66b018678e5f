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

/** CPUs in another order, and the world in which they stand so. */
interface Reordered {
  readonly world: number;
  readonly order: readonly number[];
}

/**
 * States that differ only in the names of CPUs, or of tasks that make the same call, count as one: each is
 * brought into an order that depends on nothing but how they stand.
 */
export class Symmetry {
  private readonly orders = new Map<number, Reordered>();
  /** What the CPUs of each world see, as text. */
  private readonly spelled: (readonly string[])[] = [];
  private readonly isAlike: boolean;
  /** For each CPU the first caller that is on it or has to come back. */
  private readonly first: number[];

  constructor(private readonly space: Space) {
    const [first, ...others] = space.scenario.callers.map((caller) => JSON.stringify(caller));
    this.isAlike = others.length > 0 && others.every((other) => other === first);
    this.first = Array.from({ length: space.layout.cpus }, () => 0);
  }

  /** The state that stands for all that are like this one: the very state, changed if need be. */
  canonical(state: PackedState): PackedState {
    if (this.isAlike) this.sortCallers(state);
    if (this.space.layout.cpus > 1) this.sortCpus(state);
    return state;
  }

  /** Callers by what they do and how they stand, whatever CPU they are on. */
  private sortCallers(state: PackedState): void {
    const { callers } = this.space.layout;
    const keys: [number, number, number][] = [];
    for (let i = 0; i < callers; i++) {
      const now = standingIn(state, i);
      keys.push([callerIn(state, i), standing(conditionIn(now), -1, sinceIn(now)), i]);
    }
    const sorted = [...keys].sort(
      (a, b) => a[0] - b[0] || a[1] - b[1] || this.orderOf(state, a[2], b[2]) || a[2] - b[2],
    );
    if (sorted.every(([, , from], to) => from === to)) return;
    const before = state.slice();
    sorted.forEach(([, , from], to) => {
      state[CALLERS + 2 * to] = callerIn(before, from);
      state[CALLERS + 2 * to + 1] = standingIn(before, from);
    });
    this.space.grace.rename(
      state,
      sorted.map(([, , from]) => from),
    );
  }

  /** The order of two callers that do the same and stand alike: by what their CPUs see, and by who waits for them. */
  private orderOf(state: PackedState, n: number, other: number): number {
    const cpu = cpuIn(standingIn(state, n));
    const otherCpu = cpuIn(standingIn(state, other));
    if (cpu !== otherCpu) {
      const spelled = this.spelledIn(worldIn(state));
      const order = compareText(spelled[cpu] ?? '', spelled[otherCpu] ?? '');
      if (order !== 0) return order;
    }
    for (const holdouts of this.space.allHoldouts(state)) {
      const difference = ((holdouts >> n) & 1) - ((holdouts >> other) & 1);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private spelledIn(world: number): readonly string[] {
    return (this.spelled[world] ??= this.space.spellCpus(world));
  }

  /** CPUs by the first caller that is on them or has to come back; those without one by what they see. */
  private sortCpus(state: PackedState): void {
    const { cpus, callers } = this.space.layout;
    const { first } = this;
    let key = worldIn(state);
    let isOrdered = true;
    first.fill(callers);
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

  /** The order of the CPUs; empty when they stand in it. */
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

function rename(state: PackedState, world: number, order: readonly number[], callers: number): void {
  state[WORLD] = world;
  for (let i = 0; i < callers; i++) {
    const now = standingIn(state, i);
    const cpu = cpuIn(now);
    if (cpu >= 0) state[CALLERS + 2 * i + 1] = standing(conditionIn(now), order.indexOf(cpu), sinceIn(now));
  }
}
