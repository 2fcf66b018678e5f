import { describe, expect, it, test } from 'vitest';
import type { Edit } from '../../../model/core/link.ts';
import { linkKernel } from '../../../model/step.ts';
import { ATTACH_LAWS } from '../../../properties/attach-laws.ts';
import { onlyGraphUserIsCalledDirectly } from '../../../properties/ftrace/only-graph-user-is-called-directly.ts';
import type { AttachLaw } from '../../../properties/law/sequence-law.ts';
import { F1, graph, kprobe } from '../../../properties/planted/sequences/actions.ts';
import { ATTACH_PLANTED } from '../../../properties/planted/sequences/all.ts';
import type { SequencePlayer } from '../run-sequence.ts';
import { alphabetOf } from './alphabet.ts';
import { scopeOf } from './scope.ts';
import type { ExhaustiveSearch } from './search.ts';
import { exhausted, searchExhaustively } from './search.ts';

const START = { profile: '6.12', functions: [F1] };

function searchOf(
  laws: readonly AttachLaw[],
  actions: Parameters<typeof scopeOf>[0]['actions'],
  edits: readonly Edit[] = [],
): ExhaustiveSearch {
  const alphabet = alphabetOf(scopeOf({ ...START, actions }));
  return {
    start: START,
    alphabet,
    fails: false,
    depth: 3,
    states: 5000,
    laws,
    known: [],
    program: linkKernel(edits),
  };
}

/** No two sequences end in one state. */
function everySequence({ actions }: SequencePlayer): string {
  return JSON.stringify(actions);
}

describe('every sequence of some calls', () => {
  it('without a bug holds every law, up to the depth that was asked for', () => {
    const { end, depth, states } = exhausted(searchOf([onlyGraphUserIsCalledDirectly], [graph(1)]));
    expect({ end, depth, states }).toMatchObject({ end: 'depth', depth: 3 });
    expect(states).toBeGreaterThan(5);
  });

  it('ends where no call makes a new state', () => {
    const search = searchOf([onlyGraphUserIsCalledDirectly], [kprobe(1)]);
    const call = search.alphabet.filter(({ do: name }) => name === 'call');
    expect(exhausted({ ...search, alphabet: call })).toMatchObject({
      end: 'no state is new',
      states: 1,
      depth: 1,
    });
  });

  it('ends where there are more states than were asked for', () => {
    const search = { ...searchOf([onlyGraphUserIsCalledDirectly], [graph(1), kprobe(1)]), states: 10 };
    expect(exhausted(search)).toMatchObject({ end: 'states', depth: 1 });
  });

  it('is stopped between two states', () => {
    const steps = searchExhaustively(searchOf([onlyGraphUserIsCalledDirectly], [graph(1)]));
    steps.next(false);
    expect(steps.next(true)).toMatchObject({ done: true, value: { end: 'stopped' } });
  });

  it('has the objects of a kind in turn: the second after the first', () => {
    const { alphabet } = searchOf([], [graph(1)]);
    expect(alphabet.filter(({ do: name }) => name === 'register_ftrace_graph')).toEqual([graph(1), graph(2)]);
    const first = { ...searchOf([], []), alphabet: [graph(2)] };
    expect(exhausted(first)).toMatchObject({ end: 'no state is new', moves: 0 });
  });
});

/** Planted bugs that few calls show. */
const SHORT = ATTACH_PLANTED.filter(
  ({ profile, smallest, functions, tracepoints }) =>
    profile === '6.12' && smallest.length === 2 && functions === undefined && tracepoints === undefined,
);

test.each(SHORT.map((planted) => [planted.name, planted] as const))(
  '%s: the first breach is as short with the reductions as without',
  (_, { law, edits, smallest }) => {
    const search = { ...searchOf([law], smallest, edits), depth: 2 };
    const fails = smallest.some((action) => action.do === 'fail');
    const reduced = exhausted({ ...search, fails });
    const whole = exhausted({ ...search, fails, states: 100_000, key: everySequence });
    expect(reduced).toMatchObject({ end: 'found', depth: 2 });
    expect(whole).toMatchObject({ end: 'found', depth: 2 });
    expect(reduced.found?.breach.finding).toEqual(whole.found?.breach.finding);
  },
);

test('the same laws hold and break with the reductions as without, in all sequences of three calls', () => {
  const search = { ...searchOf(ATTACH_LAWS, [graph(1)]), states: 100_000 };
  expect(exhausted(search).end).toBe('depth');
  expect(exhausted({ ...search, key: everySequence }).end).toBe('depth');
});
