import type { Nodes } from './nodes.ts';

/*
 * The order of a bounded search: by preemptions, then by moves. With each preemption more, levels begin at zero moves
 * again, and each has three parts:
 *
 * ```text
 *   switches   the moves that states of this level with one preemption less have left
 *   states     the states that were found, each with the actor that has run last
 *   others     the same states, with other actors
 * ```
 */
export const SWITCHES = 0;
export const STATES = 1;
export const OTHERS = 2;

/** Where a search is, as plain data. Of some preemptions, level `n` of states begins at the number `levels[n]`. */
export interface PreemptionPlace {
  readonly preemptions: number;
  /** The levels of one preemption less, and their end. */
  readonly earlier: readonly number[];
  readonly levels: readonly number[];
  readonly level: number;
  /** The first of the further nodes of this level, and the first after them. */
  readonly others: readonly [number, number];
  readonly part: number;
  /** The next item of the part, and its end. */
  next: number;
  readonly end: number;
  readonly over: boolean;
}

const FIRST: PreemptionPlace = {
  preemptions: 0,
  earlier: [],
  levels: [0, 1],
  level: 0,
  others: [0, 0],
  part: STATES,
  next: 0,
  end: 1,
  over: false,
};

/** Goes through the nodes of a bounded search in their order. */
export class PreemptionLevels {
  place = { ...FIRST };

  constructor(
    private readonly nodes: Nodes,
    private readonly preemptions: number,
  ) {}

  /** States before this one were found with fewer preemptions. */
  get first(): number {
    return this.place.levels[0]!;
  }

  /** The next item of the part; undefined: it has none. */
  take(): number | undefined {
    const { place } = this;
    return place.next === place.end ? undefined : place.next++;
  }

  /** To the next part, the next level, or one preemption more. */
  advance(): void {
    const { levels, level, others, part } = this.place;
    if (part === SWITCHES) this.begin(STATES, levels[level]!, levels[level + 1]!);
    else if (part === STATES) this.begin(OTHERS, ...others);
    else if (this.isNextLevel()) this.beginLevel(level + 1);
    else if (this.place.preemptions === this.preemptions || this.first === this.nodes.store.size)
      this.place = { ...this.place, over: true };
    else {
      const preemptions = this.place.preemptions + 1;
      this.place = { ...this.place, preemptions, earlier: levels, levels: [this.nodes.store.size] };
      this.beginLevel(0);
    }
  }

  private isNextLevel(): boolean {
    const { earlier, levels, level, others } = this.place;
    const { store, others: all } = this.nodes;
    return store.size > levels[level + 1]! || all > others[1] || level + 2 < earlier.length;
  }

  private beginLevel(level: number): void {
    const { earlier, levels, others } = this.place;
    this.place = {
      ...this.place,
      level,
      levels: [...levels, this.nodes.store.size],
      others: [others[1], this.nodes.others],
    };
    const [from = 0, to = from] = earlier.slice(level);
    this.begin(SWITCHES, from, to);
  }

  private begin(part: number, next: number, end: number): void {
    this.place = { ...this.place, part, next, end };
  }
}
