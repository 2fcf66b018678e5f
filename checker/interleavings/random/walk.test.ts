import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkKernel } from '../../../model/step.ts';
import { orderedFaults } from '../../../properties/observed/scenario.ts';
import { TASK_PLANTED } from '../../../properties/planted/interleavings/all.ts';
import type { TaskPlanted } from '../../../properties/planted/interleavings/planted.ts';
import {
  calls,
  directCall,
  registerDirect,
  scenario,
} from '../../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, kprobe } from '../../../properties/planted/sequences/actions.ts';
import { TASK_LAWS } from '../../../properties/task-laws.ts';
import { playRuns } from '../play.ts';
import { runsOf } from '../schedule.ts';
import { Space } from '../space.ts';
import { breaksAtomically } from './atomically.ts';
import { drawnScenarios } from './draw-scenario.ts';
import { schedules } from './schedules.ts';
import { searchSchedules } from './search-schedules.ts';
import { follow, playedBy, tell } from './told.ts';
import { Walker } from './walk.ts';

function planted(name: string): TaskPlanted {
  return TASK_PLANTED.find((taskPlanted) => taskPlanted.name === name)!;
}

describe('a walk', () => {
  test('can be replayed, move by move, and parsed back from its words', () => {
    let moves = 0;
    for (const scenario of drawnScenarios('6.12', 11, 6)) {
      const space = new Space(scenario, { symmetric: false });
      const [schedule] = fc.sample(schedules, { seed: 2, numRuns: 1 });
      const walked = new Walker(space, []).walk(schedule!(100)).moves;
      const fresh = new Space(scenario, { reduce: false, symmetric: false });
      expect(tell(fresh, walked)!.map(({ move }) => move)).toEqual(walked);
      const { played, diverged } = playRuns(fresh, runsOf(playedBy(fresh, walked)));
      expect(diverged).toBeUndefined();
      expect(played.map(({ move }) => move)).toEqual(walked);
      moves += walked.length;
    }
    expect(moves).toBeGreaterThan(200);
  });

  test('breaks the law again when it is followed', () => {
    const { edits, profile, scenario: parts, law } = planted('no-sync-after-heads');
    const program = linkKernel(edits);
    const scenario = { profile, ...parts };
    const { found } = searchSchedules(scenario, { laws: [law], seed: 1, schedules: 50, program });
    const space = new Space(scenario, { program, symmetric: false });
    const same = { laws: [law], program, isSame: () => true };
    expect(follow(space, same, tell(space, found!.moves)!, 'all')?.breach).toEqual(found!.breach);
  });

  test('continues when a breach is known', () => {
    const { edits, profile, scenario: parts, law } = planted('no-sync-after-heads');
    const search = { laws: [law], seed: 1, schedules: 50, program: linkKernel(edits) };
    const all = searchSchedules({ profile, ...parts }, { ...search, isKnown: () => true });
    expect(all).toMatchObject({ walks: 50, found: undefined });
  });

  test('ends without a finding at a breach that is the last', () => {
    const { edits, profile, scenario: parts, law } = planted('hash-add-waits-for-rcu-tasks');
    const search = { laws: [law], seed: 1, schedules: 10, program: linkKernel(edits) };
    const scenario = { profile, ...parts };
    const ended = searchSchedules(scenario, { ...search, isLast: () => true });
    expect(ended).toMatchObject({ walks: 10, found: undefined });
    expect(ended.moves).toBeLessThan(searchSchedules(scenario, { ...search, isKnown: () => true }).moves);
  });

  test('without end is stopped where no end is reachable', () => {
    const { edits, profile, scenario, law } = planted('trampoline-is-always-busy');
    const space = new Space({ profile, ...scenario }, { program: linkKernel(edits), symmetric: false });
    const [schedule] = fc.sample(schedules, { seed: 1, numRuns: 1 });
    const { breach } = new Walker(space, [law]).walk(schedule!(100));
    expect(breach?.finding).toEqual({ is: 'goes-round', unfinished: ['client#2'], moves: 2 });
  });
});

describe('what breaks a law without any interleaving', () => {
  const ask = ({ edits, profile, scenario, law }: TaskPlanted) =>
    breaksAtomically(
      { profile, ...scenario },
      { laws: [law], program: linkKernel(edits), isSame: () => true },
    );

  test('is distinguished from a breach that needs one', () => {
    expect(ask(planted('replaced-image-is-never-freed'))).toBe(true);
    expect(ask(planted('image-does-not-hold-its-trampoline'))).toBe(true);
    expect(ask(planted('peer-waits-for-the-trampoline'))).toBe(false);
    expect(ask(planted('no-sync-after-heads'))).toBe(false);
  });

  test('may be what an interrupt calls', () => {
    expect(breaksAtomically(DEAD_KPROBE, ALL)).toBe(true);
  });

  test('is nothing in kernels as they are, in the scenarios of planted bugs where nothing fails', () => {
    const sound = TASK_PLANTED.filter(
      ({ edits, profile, scenario }) =>
        edits.length > 0 &&
        orderedFaults({ profile, ...scenario }).length === 0 &&
        scenario.callers.every(({ startsAt }) => startsAt === undefined),
    );
    const broken = sound.filter((taskPlanted) =>
      breaksAtomically({ profile: taskPlanted.profile, ...taskPlanted.scenario }, ALL),
    );
    expect(broken.map(({ name }) => name)).toEqual([]);
  });
});

/** In 7.2 a kprobe that finds a direct call is registered and dead: only the interrupt comes to its function. */
const DEAD_KPROBE = {
  profile: '7.2',
  ...scenario({
    functions: [F1, F2],
    setup: [...directCall(1), registerDirect(1)],
    clients: [[kprobe(1, true)]],
    callers: [calls('f2', { interrupt: calls('f1').call })],
  }),
};

const ALL = { laws: TASK_LAWS, program: linkKernel([]), isSame: () => true };
