import type { Space } from './space.ts';
import type { State } from './state.ts';
import { CALLERS, conditionIn, processorIn, sinceIn, standing, WORLD } from './state.ts';

/**
 * States that differ only in the names of processors, or of tasks that make the same call, count as one: each is
 * brought into an order that depends on nothing but how they stand.
 */
export class Symmetry {
  private readonly orders = new Map<string, number>();
  /** What the processors of each world see, as text. */
  private readonly spelled: (readonly string[])[] = [];
  private readonly isAlike: boolean;

  constructor(private readonly space: Space) {
    const [first, ...others] = space.scenario.callers.map((caller) => JSON.stringify(caller));
    this.isAlike = others.length > 0 && others.every((other) => other === first);
  }

  /** The state that stands for all that are like this one. It may be the same, changed. */
  canonical(state: State): State {
    if (this.isAlike) this.sortCallers(state);
    if (this.space.layout.processors > 1) this.sortProcessors(state);
    return state;
  }

  /** Callers by what they do and how they stand, whatever processor they are on. */
  private sortCallers(state: State): void {
    const { callers } = this.space.layout;
    const keys: [number, number, number][] = [];
    for (let i = 0; i < callers; i++) {
      const now = state[CALLERS + 2 * i + 1]!;
      keys.push([state[CALLERS + 2 * i]!, standing(conditionIn(now), -1, sinceIn(now)), i]);
    }
    const sorted = [...keys].sort(
      (a, b) => a[0] - b[0] || a[1] - b[1] || this.orderOf(state, a[2], b[2]) || a[2] - b[2],
    );
    if (sorted.every(([, , from], to) => from === to)) return;
    const before = state.slice();
    sorted.forEach(([, , from], to) => {
      state[CALLERS + 2 * to] = before[CALLERS + 2 * from]!;
      state[CALLERS + 2 * to + 1] = before[CALLERS + 2 * from + 1]!;
    });
    this.space.renameHoldouts(
      state,
      sorted.map(([, , from]) => from),
    );
  }

  /** The order of two callers that do the same and stand alike: by what their processors see, and by who waits for them. */
  private orderOf(state: State, one: number, other: number): number {
    const cpu = processorIn(state[CALLERS + 2 * one + 1]!);
    const otherCpu = processorIn(state[CALLERS + 2 * other + 1]!);
    if (cpu !== otherCpu) {
      const spelled = this.spelledIn(state[WORLD]!);
      const sees = spelled[cpu] ?? '';
      const otherSees = spelled[otherCpu] ?? '';
      if (sees !== otherSees) return sees < otherSees ? -1 : 1;
    }
    for (const holdouts of this.space.allHoldouts(state)) {
      const difference = ((holdouts >> one) & 1) - ((holdouts >> other) & 1);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private spelledIn(world: number): readonly string[] {
    return (this.spelled[world] ??= this.space.spellProcessors(world));
  }

  /** Processors by the first caller that is on them or has to come back; those without one by what they see. */
  private sortProcessors(state: State): void {
    const { processors, callers } = this.space.layout;
    const first = Array.from({ length: processors }, () => callers);
    for (let i = callers - 1; i >= 0; i--) {
      const cpu = processorIn(state[CALLERS + 2 * i + 1]!);
      if (cpu >= 0) first[cpu] = i;
    }
    const isOrdered = first.every((caller, cpu) => cpu === 0 || first[cpu - 1]! < caller);
    if (isOrdered) return;
    const spelled = this.spelledIn(state[WORLD]!);
    const order = first.map((_, cpu) => cpu);
    order.sort(
      (a, b) =>
        first[a]! - first[b]! || (spelled[a]! < spelled[b]! ? -1 : spelled[a]! > spelled[b]! ? 1 : a - b),
    );
    if (order.every((from, to) => from === to)) return;
    const key = `${state[WORLD]} ${order.join()}`;
    let world = this.orders.get(key);
    if (world === undefined) {
      world = this.space.worldWithProcessors(state[WORLD]!, order);
      this.orders.set(key, world);
    }
    state[WORLD] = world;
    for (let i = 0; i < callers; i++) {
      const at = CALLERS + 2 * i + 1;
      const now = state[at]!;
      const cpu = processorIn(now);
      if (cpu >= 0) state[at] = standing(conditionIn(now), order.indexOf(cpu), sinceIn(now));
    }
  }
}
