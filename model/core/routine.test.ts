import { describe, expect, it, test } from 'vitest';
import type { Instruction } from './instruction.ts';
import type { Linkage } from './link.ts';
import { linkProgram } from './link.ts';
import type { Routine } from './part.ts';
import { routine } from './routine.ts';
import { Hung } from './run.ts';
import { perform, settle } from './schedule.ts';
import type { World } from './world.ts';

/** A world that notes what happened, and answers what the test wants. */
interface Notes extends World {
  log: string[];
  refuses: boolean;
}

function world(more: Partial<Notes> = {}): Notes {
  return {
    profile: '6.12',
    locks: {},
    warnings: [],
    fault: null,
    deferred: [],
    log: [],
    refuses: false,
    ...more,
  };
}

const note = (text: string) => (k: Notes) => {
  k.log.push(
    `${text}${Object.keys(k.locks)
      .map((lock) => ` [${lock}]`)
      .join('')}`,
  );
};

function linked(routines: readonly Routine<Notes, never>[], more: Partial<Linkage> = {}) {
  return linkProgram({ routines: routines as unknown as Linkage['routines'], upcalls: {}, ...more });
}

const inner = routine<Notes, { name: string }>('inner', ({ step, refuse }) => [
  step('work', (k, { name }) => k.log.push(`inner ${name}`)),
  refuse('EBUSY', 'it refuses', (k) => k.refuses),
  step('done', note('inner done')),
]);

const outer = routine<Notes, { errno?: string | 0 }>('outer', ({ step, holding, attempt, call }) => [
  holding('mutex', [
    step('begin', note('begin')),
    attempt(
      [call(inner, () => ({ name: 'one' })), step('after', note('after'))],
      [step('undo', note('undo'))],
    ),
  ]),
  step('end', note('end')),
]);

describe('a routine', () => {
  it('runs its parts in order, and holds the lock around those that are inside', () => {
    const k = world();
    expect(perform(linked([outer]), k, 'outer', {})).toBe(0);
    expect(k.log).toEqual(['begin [mutex]', 'inner one', 'inner done [mutex]', 'after [mutex]', 'end']);
    expect(k.locks).toEqual({});
  });

  it('leaves at a refusal: what was attempted is undone under the lock, the lock is released', () => {
    const k = world({ refuses: true });
    expect(perform(linked([outer]), k, 'outer', {})).toBe('EBUSY');
    expect(k.log).toEqual(['begin [mutex]', 'inner one', 'undo [mutex]']);
    expect(k.locks).toEqual({});
  });

  it('continues after a refusal of a routine whose errno it takes', () => {
    const lenient = routine<Notes, { errno?: string | 0 }>('lenient', ({ call, step }) => [
      call(
        inner,
        () => ({ name: 'two' }),
        (_, locals, errno) => {
          locals.errno = errno;
        },
      ),
      step('look', (k, { errno }) => k.log.push(`took ${errno}`)),
    ]);
    const k = world({ refuses: true });
    expect(perform(linked([lenient]), k, 'lenient', {})).toBe(0);
    expect(k.log.at(-1)).toBe('took EBUSY');
  });

  it('undoes nothing when it finishes early', () => {
    const early = routine<Notes, object>('early', ({ attempt, finish, step }) => [
      attempt([finish('nothing to do', () => true)], [step('undo', note('undo'))]),
      step('never', note('never')),
    ]);
    const k = world();
    expect(perform(linked([early]), k, 'early', {})).toBe(0);
    expect(k.log).toEqual([]);
  });

  it('takes a list at its start, each item once', () => {
    const loop = routine<Notes, { items: string[]; item?: string }>('loop', ({ each, step }) => [
      each(
        'the items',
        (_, { items }) => items,
        (locals, item) => (locals.item = item),
        [
          step('note it', (k, locals) => {
            k.log.push(locals.item!);
            locals.items = [];
          }),
        ],
      ),
    ]);
    const k = world();
    perform(linked([loop]), k, 'loop', { items: ['a', 'b', 'c'] });
    expect(k.log).toEqual(['a', 'b', 'c']);
  });

  it('repeats its parts while the condition holds', () => {
    const twice = routine<Notes, object>('twice', ({ again, step }) => [
      again('not yet', (k) => k.log.length < 2, [step('once', note('once'))]),
    ]);
    const k = world();
    perform(linked([twice]), k, 'twice', {});
    expect(k.log).toEqual(['once', 'once']);
  });

  it('does something else when a lock that it tries is held', () => {
    const tries = routine<Notes, object>('tries', ({ trying, step }) => [
      trying('mutex', [step('got it', note('got it'))], [step('busy', note('busy'))]),
    ]);
    const free = world();
    perform(linked([tries]), free, 'tries', {});
    const held = world({ locks: { mutex: 'another' } });
    perform(linked([tries]), held, 'tries', {});
    expect([free.log, held.log]).toEqual([['got it [mutex]'], ['busy [mutex]']]);
  });

  it('hangs on a lock that it holds already, and says who holds it', () => {
    const again = routine<Notes, object>('again', ({ holding, call }) => [
      holding('mutex', [call(outer, () => ({}))]),
    ]);
    expect(() => perform(linked([again]), world(), 'again', {})).toThrow(Hung);
    expect(() => perform(linked([again]), world(), 'again', {})).toThrow(
      'outer waits for mutex, which again holds',
    );
  });

  it('finds no memory once when that was ordered', () => {
    const takes = routine<Notes, object>('takes', ({ allocate }) => [allocate('a page')]);
    const k = world({ fault: { what: 'allocation', where: 'takes' } });
    expect(perform(linked([takes]), k, 'takes', {})).toBe('ENOMEM');
    expect(perform(linked([takes]), k, 'takes', {})).toBe(0);
  });
});

describe('work that is handed over', () => {
  const later = routine<Notes, { name: string }>('later', ({ step, wait }) => [
    wait('rcu_tasks'),
    step('first', (k, { name }) => k.log.push(`${name} first`)),
    wait('rcu_tasks'),
    step('second', (k, { name }) => k.log.push(`${name} second`)),
  ]);
  const hands = routine<Notes, { name: string }>('hands', ({ defer, step }) => [
    defer('hand it over', later, (_, { name }) => ({ name })),
    step('done', note('done')),
  ]);
  const waits = routine<Notes, object>('waits', ({ wait, step }) => [
    wait('rcu_tasks'),
    step('waited', note('waited')),
  ]);

  it('resumes when a client waits for a grace period of its flavour, up to its next wait', () => {
    const program = linked([hands, waits, later]);
    const k = world();
    perform(program, k, 'hands', { name: 'a' });
    expect(k.log).toEqual(['done']);
    perform(program, k, 'waits', {});
    expect(k.log).toEqual(['done', 'a first', 'waited']);
    perform(program, k, 'waits', {});
    expect(k.log.slice(3)).toEqual(['a second', 'waited']);
    expect(k.deferred).toEqual([]);
  });

  it('is all done when time passes', () => {
    const program = linked([hands, later]);
    const k = world();
    perform(program, k, 'hands', { name: 'a' });
    settle(program, k);
    expect(k.log).toEqual(['done', 'a first', 'a second']);
  });

  it('is plain data while it waits', () => {
    const k = world();
    const program = linked([hands, later]);
    perform(program, k, 'hands', { name: 'a' });
    const copy = structuredClone(k);
    settle(program, copy);
    expect(copy.log).toContain('a second');
    expect(k.log).toEqual(['done']);
  });
});

describe('linking', () => {
  it('puts a planted part in the place of the one that it names', () => {
    const program = linked([outer], {
      edits: [{ routine: 'outer', id: 'undo', replace: () => [] }],
    });
    const k = world({ refuses: true });
    perform(program, k, 'outer', {});
    expect(k.log).toEqual(['begin [mutex]', 'inner one']);
  });

  it('refuses an edit of a part that is not there', () => {
    expect(() => linked([outer], { edits: [{ routine: 'outer', id: 'undone', replace: () => [] }] })).toThrow(
      'outer has no part undone',
    );
  });

  it('refuses two routines of one name, and an upcall that nothing is bound to', () => {
    const other = routine<Notes, object>('outer', () => []);
    expect(() => linked([outer, other])).toThrow('two routines are called outer');
    const calls = routine<Notes, object>('calls', ({ upcall }) => [upcall('ops_func', () => ({}))]);
    expect(() => linked([calls])).toThrow('nothing is bound to ops_func');
  });
});

test('a watch sees every instruction and the return site that was taken', () => {
  const steps: string[] = [];
  const refused: string[] = [];
  const name = ({ routine: of, id }: Instruction) => `${of}: ${id}`;
  perform(
    linked([outer]),
    world({ refuses: true }),
    'outer',
    {},
    {
      watch: {
        step: (instruction) => steps.push(name(instruction)),
        refused: (instruction, errno) => refused.push(`${name(instruction)} ${errno}`),
      },
    },
  );
  expect(refused).toEqual(['inner: it refuses EBUSY']);
  expect(steps).toEqual(
    expect.arrayContaining(['outer: begin', 'inner: work', 'outer: undo', 'outer: unlock mutex']),
  );
});
