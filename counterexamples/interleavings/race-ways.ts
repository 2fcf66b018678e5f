import type { Scenario } from '../../properties/observed/scenario.ts';
import type { Fit } from './columns.ts';
import { raceSetups } from './race-setup.ts';
import type { RaceStep, Weight } from './race-steps.ts';
import { WEIGHT } from './race-steps.ts';

/** The printed part of the setup, the moves and changes that are not folded, and the columns. */
export interface Way {
  readonly setup: readonly string[];
  readonly shown: (step: RaceStep, i: number) => boolean;
  readonly fit: Fit;
  /** All changes, those that stay where lines are short, or none. */
  readonly changes: 'all' | 'kept' | 'none';
  /** A fold and the move after it share a line. */
  readonly isTight: boolean;
  /** Undefined: the most that fit. */
  readonly columns: number | undefined;
  /** Background work is named above its moves as well. */
  readonly listsWork: boolean;
}

/** Ways to draw it, the longest first: what says least is dropped first, and earlier moves before later ones. */
export function waysOf(
  scenario: Scenario,
  steps: readonly RaceStep[],
  actors: readonly { readonly name: string }[],
): Way[] {
  const [full, dense, short] = raceSetups(scenario, actors);
  const way = (setup: readonly string[], shown: Way['shown'], other: Partial<Way> = {}): Way => ({
    ...{ setup, shown, fit: 'loose', changes: 'all', isTight: false, columns: undefined, listsWork: true },
    ...other,
  });
  /** All heavier ones, and of this weight one less each time. */
  const fewer = (setup: readonly string[], weight: Weight, other: Partial<Way> = {}): Way[] =>
    steps.flatMap((step, i) =>
      step.weight === weight
        ? [way(setup, (shown, j) => shown.weight > weight || (shown.weight === weight && j > i), other)]
        : [],
    );
  const most = Math.min(actors.length, COLUMNS_MOST);
  const tight = (setup: readonly string[], changes: Way['changes'], least: number): Way[] =>
    Array.from({ length: Math.max(1, most - least + 1) }, (_, i) =>
      way(setup, above(WEIGHT.shows), { changes, isTight: true, columns: most - i }),
    );
  const last = { changes: 'none', isTight: true, columns: 1, listsWork: false } as const;
  return [
    way(full, above(WEIGHT.nothing), { fit: 'strict' }),
    way(dense, above(WEIGHT.nothing), { fit: 'strict' }),
    way(dense, above(WEIGHT.nothing)),
    ...fewer(dense, WEIGHT.changes),
    way(short, above(WEIGHT.changes)),
    ...fewer(short, WEIGHT.shows),
    way(short, above(WEIGHT.shows), { changes: 'kept' }),
    ...tight(short, 'kept', 2),
    ...tight([], 'kept', 2),
    ...tight([], 'none', 2),
    ...tight([], 'none', 1).slice(-1),
    way([], above(WEIGHT.shows), last),
    ...fewer([], WEIGHT.decides, last),
  ];
}

function above(least: Weight): Way['shown'] {
  return ({ weight }) => weight > least;
}

/** The moves with some of their changes. */
export function withChanges(steps: readonly RaceStep[], changes: Way['changes']): readonly RaceStep[] {
  if (changes === 'all') return steps;
  return steps.map((step) => ({ ...step, changes: changes === 'kept' ? step.kept : [] }));
}

/** Columns at most, by default. */
export const COLUMNS_MOST = 3;
