import { expect, test } from 'vitest';
import { linkKernel } from '../../model/step.ts';
import { PLANTED_LOCKS } from '../../properties/planted/interleavings/locks.ts';
import { lively } from './liveness.ts';
import { Space } from './space.ts';

function spaceOf(name: string): Space {
  const { edits, profile, scenario } = PLANTED_LOCKS.find((planted) => planted.name === name)!;
  return new Space({ profile, ...scenario }, { program: linkKernel(edits) });
}

/** The state that moves reach. */
function follow(space: Space, moves: readonly number[]): number[] | undefined {
  let state: number[] | undefined = space.initial();
  for (const wanted of moves) {
    let after: number[] | undefined;
    space.visit(state!, (move, next) => {
      if (move === wanted) after = next;
    });
    state = after;
  }
  return state;
}

test('where no actor can move there is no cycle, and the path ends there', () => {
  const space = spaceOf('counter-never-falls');
  const { trap, complete } = lively(space);
  expect(complete).toBe(true);
  expect(trap?.cycle).toEqual([]);
  expect(space.symmetric).toBe(true);
  expect(follow(space, trap!.path)).toEqual(trap!.state);
});

test('who is refused again and again goes round in a cycle, which leads back', () => {
  const space = spaceOf('trampoline-is-always-busy');
  const { trap } = lively(space);
  expect(trap?.cycle.length).toBe(2);
  expect(follow(space, trap!.path)).toEqual(trap!.state);
  expect(follow(space, [...trap!.path, ...trap!.cycle])).toEqual(trap!.state);
});

test('where all can finish there is no trap', () => {
  const { scenario } = PLANTED_LOCKS.find(({ name }) => name === 'trampoline-is-always-busy')!;
  const found = lively(new Space({ profile: '6.12', ...scenario }));
  expect(found).toEqual({ states: found.states, complete: true, trap: undefined });
  expect(found.states).toBeGreaterThan(100);
});

test('of a space that is larger than the bound nothing is said', () => {
  const { complete, trap } = lively(spaceOf('counter-never-falls'), 20);
  expect({ complete, trap }).toEqual({ complete: false, trap: undefined });
});
