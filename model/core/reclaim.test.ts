import { describe, expect, it } from 'vitest';
import { linkProgram } from './link.ts';
import type { Routine } from './part.ts';
import { routine } from './routine.ts';
import { perform, settle } from './schedule.ts';
import type { World } from './world.ts';

interface Notes extends World {
  log: string[];
}

const note = (text: string) => (k: Notes) => {
  k.log.push(text);
};

const last = routine<Notes, object>('last', ({ step, wait }) => [
  wait('rcu_tasks'),
  step('last', note('last')),
]);

const memory = routine<Notes, object>('memory', ({ step, when, wait, defer }) => [
  when('it is read', () => true, [wait('rcu')]),
  step('free it', note('freed')),
  defer('and more', last, () => ({})),
]);

const other = routine<Notes, object>('other', ({ step, wait }) => [
  wait('rcu'),
  step('other', note('other')),
]);

const outer = routine<Notes, { nothing: boolean }>('outer', ({ step, reclaim, defer, wait }) => [
  reclaim('give memory back', memory, (_, { nothing }) => (nothing ? undefined : {})),
  defer('another thing', other, () => ({})),
  step('work', note('work')),
  wait('percpu_ref'),
  step('end', note('end')),
]);

const PROGRAM = linkProgram({
  routines: [outer, memory, other, last] as unknown as readonly Routine[],
  upcalls: {},
});

function world(): Notes {
  return { profile: '6.12', locks: {}, warnings: [], fault: null, deferred: [], log: [] };
}

describe('memory that only calls read', () => {
  it('is given back when the operation is over, and what else was deferred waits for its grace period', () => {
    const k = world();
    perform(PROGRAM, k, 'outer', { nothing: false });
    expect(k.log).toEqual(['work', 'end', 'freed']);
    expect(k.deferred.map(({ routine: name }) => name)).toEqual(['other', 'last']);
    settle(PROGRAM, k);
    expect(k.log).toEqual(['work', 'end', 'freed', 'other', 'last']);
  });

  it('may be none', () => {
    const k = world();
    perform(PROGRAM, k, 'outer', { nothing: true });
    expect(k.log).toEqual(['work', 'end']);
    expect(k.deferred.map(({ routine: name }) => name)).toEqual(['other']);
  });
});
