import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../model/client/all.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { AttachCase } from './attach-case.ts';
import type { SequencePlayer } from './run-sequence.ts';
import { playVariation, variationsOf } from './variations.ts';

const OWN: readonly Action[] = [
  { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
  { do: 'register_kprobe', kprobe: 'kprobe#2', ip: 'f1', post: true },
  { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
];

const CASE: AttachCase = {
  profile: '6.12',
  functions: [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 x2 -> u64')],
  actions: OWN,
};

/** The sequences that some variations come to. */
function played(c: AttachCase, count: number): SequencePlayer[] {
  const drawn = fc.sample(variationsOf(c), { seed: 1, numRuns: count });
  return drawn.map((commands) => playVariation(c, commands));
}

const PLAYED = played(CASE, 200);
const DRAWN = PLAYED.map(({ actions }) => actions);

/** The actions but for calls at the end. */
function withoutCalls(actions: readonly Action[]): readonly Action[] {
  const last = actions.findLastIndex((action) => action.do !== 'call');
  return actions.slice(0, last + 1);
}

function isSame(actions: readonly Action[], others: readonly Action[]): boolean {
  return JSON.stringify(actions) === JSON.stringify(others);
}

describe('a sequence near another one', () => {
  test.each<[string, (actions: readonly Action[]) => boolean]>([
    ['leaves an action out', (actions) => isSame(withoutCalls(actions), OWN.slice(0, 2))],
    ['exchanges two actions', (actions) => isSame(withoutCalls(actions), [OWN[1]!, OWN[0]!, OWN[2]!])],
    ['has one that fails', (actions) => actions.some((action) => action.do === 'fail')],
    [
      'has an action of the others twice',
      (actions) => actions.filter(({ do: own }) => own === 'unregister_kprobe').length > 1,
    ],
    [
      'has actions that the other one lacks',
      (actions) =>
        actions.some(
          ({ do: own }) => !['register_kprobe', 'unregister_kprobe', 'call', 'fail'].includes(own),
        ),
    ],
  ])('%s, now and then', (_, holds) => {
    const often = DRAWN.filter(holds).length;
    expect(often).toBeGreaterThan(0);
    expect(often).toBeLessThan(DRAWN.length);
  });

  test('ends with a call of each function', () => {
    for (const actions of DRAWN)
      expect(actions.slice(-2).map((action) => action.do === 'call' && action.fn)).toEqual(['f1', 'f2']);
  });

  test('has no action of the other one that no client makes any more', () => {
    const outcomes = PLAYED.flatMap((player) =>
      player.actions.map((action, i) => [action.do, player.outcomes[i]!.errno]),
    );
    expect(outcomes).not.toContainEqual(['register_kprobe', 'EBADF']);
    expect(outcomes).not.toContainEqual(['unregister_kprobe', 'EBADF']);
  });

  test('has drawn actions at the end of a long one, too', () => {
    const long = { ...CASE, actions: Array.from({ length: 60 }, (_, i) => OWN[i % 2 === 0 ? 0 : 2]!) };
    const isDrawn = ({ do: name }: Action) =>
      !['register_kprobe', 'unregister_kprobe', 'call', 'fail'].includes(name);
    const places = played(long, 60).map(({ actions }) => actions.findLastIndex(isDrawn));
    expect(Math.max(...places)).toBeGreaterThan(45);
  });

  test('has most actions of the other one', () => {
    const all = DRAWN.filter((actions) =>
      OWN.every((own) => actions.some((action) => isSame([action], [own]))),
    );
    expect(all.length).toBeGreaterThan(DRAWN.length / 2);
  });
});
