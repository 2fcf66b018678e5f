import { item } from '../../../model/core/present.ts';
import type { BoardSection } from './kernel-board.ts';
import type { Placed, SequenceWalk } from './sequence-walk.ts';
import type { FindingWalk, NextMove, WalkStand } from './stand.ts';

/** One of the two kernels, by the name of its design. */
interface Side {
  readonly name: string;
  readonly walk: SequenceWalk;
}

/** A stand, and the stand of the first kernel from which it is possible to choose; undefined: of neither. */
interface Shown {
  readonly stand: WalkStand;
  readonly at: number | undefined;
}

/**
 * The same calls in two kernels: each call in the first one, then in the second. What makes them differ is said at the
 * end of the saved order; of another order the reader is the judge.
 */
export class SideBySide implements FindingWalk {
  private isSaved = true;
  private all: readonly Shown[];

  constructor(
    private readonly sides: readonly [Side, Side],
    private readonly difference: string,
  ) {
    this.all = this.shown();
  }

  get stands(): readonly WalkStand[] {
    return this.all.map(({ stand }) => stand);
  }

  get actors(): readonly string[] {
    return this.sides.map(({ name }) => name);
  }

  choices(stand: number): readonly NextMove[] {
    const { at: own } = item(this.all, stand);
    if (own === undefined) return [{ actor: '', turn: '', does: 'the call runs on', isSaved: true }];
    return this.sides[0].walk.choices(own).map((choice) => ({ ...choice, actor: 'both' }));
  }

  choose(stand: number, choice: number): void {
    const { at: own } = item(this.all, stand);
    if (own === undefined) return;
    const over = item(this.sides[0].walk.all, own).over;
    this.isSaved = this.isSaved && item(this.sides[0].walk.choices(own), choice).isSaved;
    for (const { walk } of this.sides)
      walk.choose(
        walk.all.findIndex((placed) => placed.over === over),
        choice,
      );
    this.all = this.shown();
  }

  reset(): void {
    this.isSaved = true;
    for (const { walk } of this.sides) walk.reset();
    this.all = this.shown();
  }

  /** The stands of both, call by call. */
  private shown(): Shown[] {
    const [first, second] = this.sides;
    const last = Math.max(...first.walk.all.map(({ over = 0 }) => over));
    const all: Shown[] = [];
    for (let over = 0; over <= last; over++) {
      const before = precedingStand(second.walk, over);
      for (const { stand } of groupOf(first.walk, over))
        all.push({ stand: both(first, stand, second, before), at: undefined });
      const after = precedingStand(first.walk, over + 1);
      for (const { stand } of groupOf(second.walk, over))
        all.push({ stand: both(second, stand, first, after), at: undefined });
      const end = first.walk.all.findIndex((placed) => placed.over === over);
      all.push({ ...all.pop()!, at: end });
    }
    return this.isSaved ? withDifference(all, this.difference) : all;
  }
}

/** The stands of a call: those within it, and the one after it. */
function groupOf({ all }: SequenceWalk, over: number): readonly Placed[] {
  const from = all.findIndex((placed) => placed.over === over - 1);
  const to = all.findIndex((placed) => placed.over === over);
  return all.slice(from + 1, to + 1);
}

/** The last one of the calls before a call. */
function precedingStand({ all }: SequenceWalk, over: number): WalkStand {
  const found = all.find((placed) => placed.over === Math.max(0, over - 1)) ?? item(all, 0);
  return found.stand;
}

function both(own: Side, stand: WalkStand, other: Side, its: WalkStand): WalkStand {
  const told = stand.told && { ...stand.told, actor: own.name };
  return {
    ...stand,
    told,
    board: [...named(own.name, stand.board), ...named(other.name, its.board)].sort((a, b) =>
      a.title < b.title ? -1 : Number(a.title > b.title),
    ),
    machines: stand.machines.map((machine) => ({ ...machine, task: `${own.name}: ${machine.task}` })),
  };
}

function named(name: string, board: readonly BoardSection[]): BoardSection[] {
  return board.map((section) => ({ ...section, title: `${section.title}: ${name}` }));
}

function withDifference(all: readonly Shown[], observed: string): Shown[] {
  return all.map((shown, i) => {
    if (i < all.length - 1) return shown;
    const verdict = { is: 'differs', observed } as const;
    return { ...shown, stand: { ...shown.stand, verdict } };
  });
}
