import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import { bootKernel } from '../kernel.ts';
import { apply } from '../step.ts';
import { BUSY_FUNCTIONS } from '../testing/busy-sequence.ts';
import { GRAPH_OPS } from './ops.ts';
import { hashesOf } from './subops-hashes.ts';

/** The functions that a manager has after these calls, as `filter` and `! notrace`. */
function manager(profile: string, ...actions: readonly Action[]): string {
  const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
  for (const action of actions) expect(apply(k, action).errno).toBe(0);
  const { filter, notrace } = hashesOf(k, GRAPH_OPS);
  return `${filter.join(' ') || 'all'}${notrace.map((ip) => ` !${ip}`).join('')}`;
}

const user = (n: number): Action => ({ do: 'register_ftrace_graph', gops: `gops#${n}` });
const leave = (n: number): Action => ({ do: 'unregister_ftrace_graph', gops: `gops#${n}` });
const filter = (n: number, ip: string): Action => filterOn(`gops#${n}.ops`, ip);
const notrace = (n: number, ip: string, reset = false): Action => ({
  do: 'ftrace_set_notrace',
  ops: `gops#${n}.ops`,
  ip,
  reset,
});

/** Rows that tracefs shows as well (`enabled_functions` on 6.12.117 and 7.2.13) are marked so. */
const ROWS: readonly (readonly [string, readonly Action[], string, string])[] = [
  ['two filters', [filter(1, 'f1'), user(1), filter(2, 'f2'), user(2)], 'f1 f2', 'f1 f2'],
  ['one that leaves', [filter(1, 'f1'), user(1), filter(2, 'f2'), user(2), leave(1)], 'f2', 'f2'],
  ['everything', [filter(1, 'f1'), user(1), user(2)], 'all', 'all'],
  [
    'notrace before (tracefs)',
    [filter(1, 'f1'), filter(1, 'f2'), notrace(1, 'f1'), user(1)],
    'f1 f2 !f1',
    'f2',
  ],
  [
    'notrace while registered (tracefs)',
    [filter(1, 'f1'), filter(1, 'f2'), user(1), notrace(1, 'f1')],
    'f1 f2',
    'f2',
  ],
  [
    'another notrace while registered (tracefs)',
    [filter(1, 'f1'), filter(1, 'f2'), notrace(1, 'f1'), user(1), notrace(1, 'f2', true)],
    'f1 f2 !f1',
    'f1',
  ],
  ['nothing left of a filter (tracefs)', [filter(1, 'f1'), notrace(1, 'f1'), user(1)], 'f1 !f1', 'all'],
  [
    'nothing left of the second filter (tracefs)',
    [filter(1, 'f1'), user(1), filter(2, 'f2'), notrace(2, 'f2'), user(2)],
    'f1 f2',
    'all',
  ],
  [
    'what both keep out',
    [notrace(1, 'f1'), user(1), notrace(2, 'f1'), notrace(2, 'f2'), user(2)],
    'all !f1',
    'all !f1',
  ],
];

describe.each(ROWS)('the manager of %s', (_, actions, merged, rebuilt) => {
  test('traces what the kernel makes of it', () => {
    expect([manager('6.12', ...actions), manager('7.2', ...actions)]).toEqual([merged, rebuilt]);
  });
});
