import { Judge } from '../judge.ts';
import type { Scenario } from '../scenario.ts';
import { Space } from '../space.ts';
import type { Same } from './shrink-schedule.ts';
import { optionsOf } from './walk.ts';

/** A move by who makes it and how: it can be looked for in another state. */
interface Told {
  readonly who: string;
  readonly move: number;
}

/**
 * The same moves in another order, with fewer changes of who moves: each move is tried earlier, next to the last one of
 * its own, and stays there if the moves can still be made and break the law.
 */
export function fewestSwitches(scenario: Scenario, same: Same, path: readonly number[]): readonly number[] {
  const space = new Space(scenario, { program: same.program, symmetric: false });
  const told = tell(space, path);
  if (told === undefined) return path;
  let best: readonly Told[] = told;
  for (let changed = true; changed; ) {
    changed = false;
    for (const other of reorderings(best)) {
      if (switches(other) >= switches(best) || !breaks(space, scenario, same, other)) continue;
      best = other;
      changed = true;
      break;
    }
  }
  return best.map(({ move }) => move);
}

function switches(told: readonly Told[]): number {
  return told.reduce((count, { who }, i) => (i > 0 && told[i - 1]!.who !== who ? count + 1 : count), 0);
}

/** A run of one actor moved in front of the run that is between it and the actor's run before. */
function* reorderings(told: readonly Told[]): Generator<readonly Told[]> {
  const runs: Told[][] = [];
  for (const one of told) {
    const last = runs.at(-1);
    if (last !== undefined && last[0]!.who === one.who) last.push(one);
    else runs.push([one]);
  }
  for (let i = 2; i < runs.length; i++)
    for (let j = i - 2; j >= 0; j--) {
      if (runs[j]![0]!.who !== runs[i]![0]!.who) continue;
      const between = runs.slice(j + 1, i);
      yield [...runs.slice(0, j + 1), runs[i]!, ...between, ...runs.slice(i + 1)].flat();
      yield [...runs.slice(0, j), ...between, runs[j]!, runs[i]!, ...runs.slice(i + 1)].flat();
      break;
    }
}

function tell(space: Space, path: readonly number[]): Told[] | undefined {
  const told: Told[] = [];
  let state = space.initial();
  for (const move of path) {
    const option = optionsOf(space, state).find((one) => one.move === move);
    if (option === undefined) return undefined;
    told.push({ who: option.who, move });
    if (option.next !== undefined) state = option.next;
  }
  return told;
}

/** Whether the moves can be made in this order, and the last one breaks the law. */
function breaks(
  space: Space,
  scenario: Scenario,
  { laws, program, isSame }: Same,
  told: readonly Told[],
): boolean {
  const judge = new Judge(space, laws, program);
  let state = space.initial();
  for (const { who, move } of told) {
    const option = optionsOf(space, state).find((one) => one.who === who && one.move === move);
    if (option === undefined) return false;
    const breach = option.event === undefined ? undefined : judge.event(state, option.next, option.event);
    if (breach !== undefined) return isSame(breach, scenario);
    if (option.next === undefined) return false;
    state = option.next;
  }
  const final = optionsOf(space, state).length === 0 ? judge.final(state) : undefined;
  return final !== undefined && isSame(final, scenario);
}
