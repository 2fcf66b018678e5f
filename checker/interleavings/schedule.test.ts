import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KERNELS } from '../../model/core/profile.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { placeAfter } from './actors.ts';
import { concretePath } from './concrete.ts';
import { pairs, withSleepers } from './family.ts';
import { unpackMove } from './move.ts';
import type { PlayedSchedule } from './play.ts';
import { movesOf, playRuns, turnOf } from './play.ts';
import type { Run } from './schedule.ts';
import { parseRun, printRun, runsOf, turnsOf } from './schedule.ts';
import { explore } from './search.ts';
import { Space } from './space.ts';

function scenarioOf(name: string, profile: string, cpus = 1, callers = 1): Scenario {
  return pairs(withSleepers(profile), cpus, callers).find((scenario) => scenario.name === name)!.scenario;
}

/** Goes where the choices lead, each taken as an index into the moves that are possible there. */
function walk(space: Space, choices: readonly number[]): PlayedSchedule[] {
  const played: PlayedSchedule[] = [];
  let before = space.initial();
  for (const choice of choices) {
    const moves = movesOf(space, before);
    const chosen = moves[choice % Math.max(moves.length, 1)];
    if (chosen === undefined) break;
    const { move, next: after, event } = chosen;
    const unpacked = unpackMove(move);
    const to = placeAfter(space, before, unpacked, after);
    played.push({ turn: turnOf(space, before, unpacked), move, before, after, event, to });
    if (after === undefined) break;
    before = after;
  }
  return played;
}

const drawn = fc.record({
  profile: fc.constantFrom(...KERNELS),
  name: fc.constantFrom('attach f1, detach f1', 'attach f1, live patch off f1', 'register f1, attach f2'),
  choices: fc.array(fc.nat(63), { minLength: 20, maxLength: 120 }),
});

describe('a schedule', () => {
  test('is printed, read back and played again move by move, whatever was drawn', () => {
    let crossings = 0;
    fc.assert(
      fc.property(drawn, ({ profile, name, choices }) => {
        const found = pairs(withSleepers(profile), 2, 2).find((scenario) => scenario.name === name);
        if (found === undefined) return;
        const space = new Space(found.scenario, { reduce: false, symmetric: false });
        const played = walk(space, choices);
        const runs = runsOf(played);
        expect(runs.map(printRun).map(parseRun)).toEqual(runs);
        expect(runs.flatMap(turnsOf)).toEqual(played.map(({ turn }) => turn));
        const again = playRuns(space, runs);
        expect(again.diverged).toBeUndefined();
        expect(again.played.map(({ move }) => move)).toEqual(played.map(({ move }) => move));
        crossings += runs.length;
      }),
      { seed: 1, numRuns: THOROUGH ? 20 : 7 },
    );
    expect(crossings).toBeGreaterThan(THOROUGH ? 300 : 100);
  });

  test('that gets elsewhere has diverged at the run that says so', () => {
    const space = new Space(scenarioOf('attach f1, register f1', '6.12'));
    const runs: Run[] = [
      { actor: 'task#1', does: 'runs on cpu 0', steps: 0, to: '' },
      { actor: 'task#1', does: 'runs', steps: 1, to: 'f2+0x9' },
    ];
    expect(playRuns(space, runs).diverged).toMatch(/^run 2, "task#1 runs 1 step, to f2\+0x9": it gets to /);
    expect(playRuns(space, [{ ...runs[1]!, actor: 'task#7' }]).diverged).toBe(
      'run 1, "task#7 runs 1 step, to f2+0x9": task#7 cannot do that',
    );
  });

  test.each([
    '',
    'client#1',
    'client#1 runs',
    'client#1 sleeps, 2 steps to f1',
    'task#1 runs 0 steps, to f1',
  ])('"%s" is not a run', (line) => {
    expect(parseRun(line)).toBeUndefined();
  });
});

test('a run in the words of former files is read', () => {
  const former = ['client#1 goes', 'on, 3 steps to its end, 0'].join(' ');
  const run = parseRun(former);
  expect(run).toEqual({ actor: 'client#1', does: 'runs', steps: 3, to: 'its end, 0' });
  expect(printRun(run!)).toBe('client#1 runs 3 steps, to its end, 0');
  expect(parseRun(printRun(run!))).toEqual(run);
});

test('a path that was found among states without names is possible with names, and as long', () => {
  const scenario = scenarioOf('attach f1, unregister f2', '6.12', THOROUGH ? 2 : 1, 2);
  const space = new Space(scenario);
  const { breaches } = explore(space, { laws: TASK_LAWS, states: 250_000, stopsAt: () => false });
  const named = new Space(scenario, { reduce: false, symmetric: false });
  expect(breaches.length).toBeGreaterThan(0);
  for (const { path } of breaches) {
    const played = concretePath(space, path);
    expect(played).toHaveLength(path.length);
    expect(playRuns(named, runsOf(played)).diverged).toBeUndefined();
  }
});
