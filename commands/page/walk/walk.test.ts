import { expect, test } from 'vitest';
import { readHistory } from '../../../counterexamples/histories/refine-trace.ts';
import { parseScenario } from '../../../counterexamples/interleavings/task-trace.ts';
import { readOwnSequence } from '../../../counterexamples/sequences/own-sequence.ts';
import { plantedIn } from '../../../counterexamples/trace-file.ts';
import { lawIn } from '../../../counterexamples/trace-kind.ts';
import { item, last } from '../../../model/core/present.ts';
import { ATTACH_LAWS } from '../../../properties/attach-laws.ts';
import { TASK_PLANTED } from '../../../properties/planted/interleavings/all.ts';
import { ATTACH_PLANTED } from '../../../properties/planted/sequences/all.ts';
import { ALL_TASK_LAWS } from '../../../properties/task-laws.ts';
import type { Source } from '../../../test/sources.ts';
import { sources } from '../../../test/sources.ts';
import { someOf } from '../../../test/thorough.ts';
import { ScheduleWalk } from './schedule-walk.ts';
import { SequenceWalk } from './sequence-walk.ts';
import { SideBySide } from './side-by-side.ts';
import type { FindingWalk } from './stand.ts';

const TRACES = sources('.trace').filter(({ path }) => path.startsWith('counterexamples/corpus/'));
const INTERLEAVINGS = TRACES.filter(({ path }) => path.includes('/task/'));
const SEQUENCES = TRACES.filter(({ path }) => path.includes('/ftrace/'));

function scheduleOf({ text }: Source): ScheduleWalk {
  const { scenario, runs, grain, planted, law } = parseScenario(text);
  return new ScheduleWalk(
    { scenario, runs, ...(grain === undefined ? {} : { grain }) },
    ALL_TASK_LAWS.find(({ name }) => name === law),
    plantedIn(TASK_PLANTED, planted),
  );
}

function sequenceOf({ text }: Source): SequenceWalk {
  const { cases, planted } = readOwnSequence(text);
  const law = ATTACH_LAWS.find(({ name }) => name === lawIn(text));
  return new SequenceWalk(cases[0], law, plantedIn(ATTACH_PLANTED, planted));
}

/** Each actor runs as long as it can. */
function toTheEnd(walk: FindingWalk, from: number): number {
  let stand = from;
  while (walk.choices(stand).length > 0 && item(walk.stands, stand).verdict === undefined) {
    walk.choose(stand, 0);
    stand++;
  }
  return stand;
}

test('a saved schedule ends with the breach of its law, and at each stand one choice is the saved move', () => {
  for (const source of someOf(INTERLEAVINGS, 8)) {
    const walk = scheduleOf(source);
    const { stands } = walk;
    expect(last(stands).verdict, source.path).toMatchObject({ is: 'broken', law: lawIn(source.text) });
    for (const number of [0, (stands.length - 1) >> 1, stands.length - 2])
      expect(
        walk.choices(number).filter(({ isSaved }) => isSaved),
        source.path,
      ).toHaveLength(1);
    expect(stands.every(({ board }) => board.length > 0)).toBe(true);
  }
});

test('another move has a verdict of its own; back is what was saved', () => {
  const walk = scheduleOf(
    item(
      INTERLEAVINGS.filter(({ path }) => path.includes('no-sync-after-int3')),
      0,
    ),
  );
  const saved = walk.stands;
  const other = walk.choices(0).findIndex(({ isSaved }) => !isSaved);
  walk.choose(0, other);
  expect(walk.stands).toHaveLength(2);
  toTheEnd(walk, 1);
  expect(last(walk.stands).verdict).toEqual({ is: 'held' });
  expect(walk.choices(walk.stands.length - 1)).toEqual([]);
  walk.reset();
  expect(walk.stands).toEqual(saved);
  const kept = walk.choices(3).findIndex(({ isSaved }) => isSaved);
  walk.choose(3, kept);
  expect(walk.stands).toEqual(saved);
});

test('a task that returns to a freed image has the listing that the image had', () => {
  const source = INTERLEAVINGS.find(({ path }) => path.includes('no-rcu-tasks-for-the-preempted'));
  const [machine] = last(scheduleOf(source!).stands).machines;
  expect(machine?.listing?.name).toBe('tramp#1');
  expect(machine?.listing?.lines.filter(({ mark }) => mark === 'returns here')).toHaveLength(1);
  expect(machine?.stack.some(({ value }) => value.endsWith(', freed'))).toBe(true);
});

test('a saved sequence ends with the breach of its law; a call is walked through with its stack', () => {
  for (const source of someOf(SEQUENCES, 8)) {
    const { stands } = sequenceOf(source);
    const broken = stands.filter(({ verdict }) => verdict?.is === 'broken');
    expect(
      broken.map(({ verdict }) => verdict),
      source.path,
    ).toMatchObject([{ law: lawIn(source.text) }]);
  }
  const source = SEQUENCES.find(({ path }) => path.includes('original-return-is-not-stored'));
  const machines = sequenceOf(source!).stands.flatMap((stand) => stand.machines);
  const names = new Set(machines.flatMap(({ stack }) => stack.map(({ name }) => name)));
  expect([...names]).toEqual(expect.arrayContaining(['ctx[0]', "the caller's rbp"]));
});

test('the actions of a sequence can be made in another order', () => {
  const walk = sequenceOf(item(SEQUENCES, 0));
  const saved = walk.stands;
  const choices = walk.choices(0);
  expect(choices.map(({ isSaved }) => isSaved)).toEqual(choices.map((_, i) => i === 0));
  walk.choose(0, choices.length - 1);
  expect(walk.stands.length).toBeLessThan(saved.length);
  walk.reset();
  expect(walk.stands).toEqual(saved);
});

test('two kernels go through a history side by side, and differ at its end', () => {
  const { history } = readHistory(
    item(
      TRACES.filter(({ path }) => path.includes('/refine/')),
      0,
    ).text,
  );
  const [first, second] = history.profiles;
  const actions = history.operations.flat();
  const sideOf = (profile: string, name: string) => {
    const c = { profile, functions: history.functions, actions };
    return { name, walk: new SequenceWalk(c, undefined, undefined) };
  };
  const walk = new SideBySide([sideOf(first, 'one'), sideOf(second, 'other')], 'they differ');
  expect(walk.stands).toHaveLength(2 * (actions.length + 1));
  expect(last(walk.stands).verdict).toEqual({ is: 'differs', observed: 'they differ' });
  expect(walk.stands.slice(2).map(({ told }) => told?.actor)).toEqual(
    actions.flatMap(() => ['one', 'other']),
  );
  walk.choose(1, walk.choices(1).length - 1);
  expect(last(walk.stands).verdict).toBeUndefined();
});
