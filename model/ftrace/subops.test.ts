import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import { bootKernel } from '../kernel.ts';
import { apply } from '../step.ts';
import { BUSY_FUNCTIONS } from '../testing/busy-sequence.ts';
import { GRAPH_OPS } from './ops.ts';
import { hashesOf } from './subops-hashes.ts';

const user = (n: number): Action => ({ do: 'register_ftrace_graph', gops: `gops#${n}` });
const leave = (n: number): Action => ({ do: 'unregister_ftrace_graph', gops: `gops#${n}` });
const filter = (n: number, ip: string): Action => filterOn(`gops#${n}.ops`, ip);
const lacks = (where: string): Action => ({ do: 'fail', fault: { what: 'allocation', where } });

/** Two users of function graph, one of f1 and one of f2, and then these calls: their errnos, and the kernel. */
function afterTwoUsers(profile: string, ...actions: readonly Action[]) {
  const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
  for (const action of [filter(1, 'f1'), user(1), filter(2, 'f2'), user(2)]) {
    expect(apply(k, action).errno).toBe(0);
  }
  const errnos = actions.map((action) => apply(k, action).errno);
  const { warnings } = k;
  return {
    errnos: errnos.slice(1),
    warnings,
    subops: k.fgraph.subops,
    manager: hashesOf(k, GRAPH_OPS).filter,
  };
}

describe('without memory for the hashes of the manager', () => {
  /** Errnos of users that are registered without memory, each with a filter or without. */
  const registered = (profile: string, ...users: readonly ('filter' | 'all')[]) => {
    const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
    return users.map((own, i) => {
      if (own === 'filter') apply(k, filter(i + 1, 'f1'));
      if (i === users.length - 1) apply(k, lacks('ftrace_startup_subops'));
      return apply(k, user(i + 1)).errno;
    });
  };

  test('the first user is refused if it has a filter; what traces every function needs none', () => {
    for (const profile of ['6.12', '7.2']) {
      expect(registered(profile, 'filter')).toEqual(['ENOMEM']);
      expect(registered(profile, 'all')).toEqual([0]);
    }
  });

  test('the second is refused by 6.12 if both have filters, and by 7.2 always', () => {
    expect(registered('6.12', 'filter', 'filter')).toEqual([0, 'ENOMEM']);
    expect(registered('6.12', 'all', 'filter')).toEqual([0, 0]);
    expect(registered('6.12', 'filter', 'all')).toEqual([0, 0]);
    expect(registered('7.2', 'all', 'all')).toEqual([0, 'ENOMEM']);
  });

  test('a new filter is refused by 7.2, and answered 0 by 6.12, where the manager traces everything', () => {
    const kernels: [string, string][] = [
      ['6.12', 'append_hashes'],
      ['7.2', 'rebuild_hashes'],
    ];
    const after = kernels.map(([profile, where]) => afterTwoUsers(profile, lacks(where), filter(1, 'f2')));
    expect(after.map(({ errnos, manager }) => [errnos, manager])).toEqual([
      [[0], []],
      [['ENOMEM'], ['f1', 'f2']],
    ]);
  });

  test('a user that unregisters stays on the list of 6.12, and is off that of 7.2', () => {
    const merged = afterTwoUsers('6.12', lacks('intersect_hashes'), leave(1));
    const rebuilt = afterTwoUsers('7.2', lacks('rebuild_hashes'), leave(1));
    expect([merged.subops, rebuilt.subops]).toEqual([['gops#1.ops', 'gops#2.ops'], ['gops#2.ops']]);
    expect([merged.manager, rebuilt.manager]).toEqual([
      ['f1', 'f2'],
      ['f1', 'f2'],
    ]);
  });

  test('6.12 follows the second notrace hash, which it does not check, if a function is left out by all', () => {
    const leaveOut = (n: number): Action => ({
      do: 'ftrace_set_notrace',
      ops: `gops#${n}.ops`,
      ip: 'f1',
      reset: false,
    });
    const left = (...out: number[]) => {
      const k = bootKernel({ profile: '6.12', boot: 'default', functions: BUSY_FUNCTIONS });
      for (const n of [1, 2, 3]) {
        if (out.includes(n)) apply(k, leaveOut(n));
        apply(k, user(n));
      }
      apply(k, { do: 'fail', fault: { what: 'allocation', where: 'intersect_hashes', nth: 2 } });
      return apply(k, leave(3)).died;
    };
    expect(left(1, 2, 3)).toEqual({ is: 'hash without memory' });
    expect([left(1, 2), left(1, 3), left()]).toEqual([undefined, undefined, undefined]);
  });

  test('and cannot register again: its ops is still enabled', () => {
    const { errnos, warnings } = afterTwoUsers('7.2', lacks('rebuild_hashes'), leave(1), user(1));
    expect(errnos).toEqual([0, 'EBUSY']);
    expect(warnings).toContainEqual({ is: 'enabled subops started' });
  });

  test('the manager of 7.2 ends with the last user on its list', () => {
    const { errnos, subops, manager } = afterTwoUsers('7.2', lacks('rebuild_hashes'), leave(1), leave(2));
    expect([errnos, subops, manager]).toEqual([[0, 0], [], []]);
  });
});

describe('a user of 7.2 that could not be registered', () => {
  test('is taken for a registered one, until it is unregistered', () => {
    const third = [filter(3, 'f2'), user(3), user(3), leave(3), user(3)];
    const { errnos, warnings } = afterTwoUsers('7.2', lacks('ftrace_startup_subops'), ...third);
    expect(errnos).toEqual([0, 'ENOMEM', 'EBUSY', 0, 0]);
    expect(warnings).toEqual([]);
  });
});
