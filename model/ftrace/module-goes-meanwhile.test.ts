import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { callOf } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import type { Operation } from '../core/run.ts';
import { blockedOn, startOperation, stepOperation } from '../core/run.ts';
import type { Ended } from '../core/world.ts';
import type { Kernel } from '../kernel.ts';
import { bootKernel } from '../kernel.ts';
import { isMisuse } from '../misuse.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { moduleFunction, tracedFunction } from '../trampoline/traced-function.ts';

/*
 * A module comes or goes while an operation on a function of it is under way: after each instruction of the operation
 * that leaves the locks free which the other call takes.
 */

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), moduleFunction('f5', 5, 'u64 -> u64', 'm1')];
const UNLOAD = { do: 'delete_module', module: 'm1' } as const;
const LOAD = { do: 'init_module', module: 'm1' } as const;

function booted(profile: string, before: readonly Action[]): Kernel {
  const k = bootKernel({ profile, boot: 'default', functions: FUNCTIONS });
  for (const action of before) expect(apply(k, action).errno).toBe(0);
  return k;
}

function begun(k: Kernel, action: Action): Operation {
  const { service } = callOf(action);
  if (service.by !== 'routine') throw new Error(`${action.do} is no operation`);
  const { routine, args } = service.request(action, k);
  return startOperation(KERNEL_PROGRAM, routine, args);
}

/** Runs instructions of the operation, up to a number: its answer, if it has ended. */
function run(k: Kernel, operation: Operation, instructions: number): Ended | undefined {
  for (let left = instructions; left > 0; left--) {
    const ended = stepOperation(KERNEL_PROGRAM, k, operation, {});
    if (ended !== undefined) return ended;
  }
  return undefined;
}

/** The kernel and the answer for each state of the operation in which the module can be unloaded. */
function unloadedDuring(profile: string, before: readonly Action[], action: Action) {
  const ends: { k: Kernel; errno: Ended | undefined }[] = [];
  for (let instructions = 1; ; instructions++) {
    const k = booted(profile, before);
    const operation = begun(k, action);
    if (run(k, operation, instructions) !== undefined) return ends;
    if (k.locks['ftrace_lock'] !== undefined) continue;
    const { errno, died } = apply(k, UNLOAD);
    expect([errno, died]).toEqual([0, undefined]);
    ends.push({ k, errno: run(k, operation, 10_000) });
  }
}

const TABLE = { f5: 'my_tramp1' };
const ADD = { do: 'update_ftrace_direct_add', ops: 'direct#1', hash: TABLE } as const;
const REGISTER = { do: 'register_ftrace_direct(ip)', ip: 'f5', addr: 'my_tramp1' } as const;
const OPERATIONS: readonly (readonly [string, readonly Action[], Action])[] = [
  ['6.1', [], REGISTER],
  ['6.1', [REGISTER], { do: 'unregister_ftrace_direct(ip)', ip: 'f5', addr: 'my_tramp1' }],
  [
    '6.1',
    [REGISTER],
    { do: 'modify_ftrace_direct(ip)', ip: 'f5', oldAddr: 'my_tramp1', newAddr: 'my_tramp2' },
  ],
  ['7.2', [], ADD],
  ['7.2', [ADD], { do: 'update_ftrace_direct_del', ops: 'direct#1', hash: TABLE }],
  ['7.2', [ADD], { do: 'update_ftrace_direct_mod', ops: 'direct#1', hash: { f5: 'my_tramp2' } }],
  ['6.12', [filterOn('ops#1', 'f1')], filterOn('ops#1', 'f5')],
];

describe.each(OPERATIONS)('on %s, a module goes after %j, during %j', (profile, before, action) => {
  const ends = unloadedDuring(profile, before, action);

  test('and no table, no filter has its address by the name of a function that can be called', () => {
    expect(ends.length).toBeGreaterThan(3);
    for (const { k } of ends) {
      const { ops, directFunctions } = k.ftrace;
      const named = [...Object.keys(directFunctions), ...Object.values(ops).flatMap(({ filter }) => filter)];
      expect(named).not.toContain('f5');
    }
  });

  test('and a registration that is refused leaves no direct call', () => {
    for (const { k, errno } of ends)
      if (before.length === 0 && errno !== 0) expect(k.ftrace.directFunctions).toEqual({});
  });
});

test('a direct call that goes meanwhile leaves the table, whatever the name of its site, 6.1', () => {
  const leave = { do: 'unregister_ftrace_direct(ip)', ip: 'f5', addr: 'my_tramp1' } as const;
  const answers = unloadedDuring('6.1', [REGISTER], leave).filter(({ errno }) => errno === 'EINVAL');
  expect(answers.length).toBeGreaterThan(0);
  for (const { k } of answers) expect(k.ftrace.directFunctions).toEqual({});
});

test('a table names no function of a module before its sites are enabled, 7.2', () => {
  const k = booted('7.2', [UNLOAD]);
  const loading = begun(k, LOAD);
  const seen = new Set<boolean>();
  while (run(k, loading, 1) === undefined) {
    const isNamed = !isMisuse(k, ADD);
    seen.add(isNamed);
    if (isNamed) expect(k.locks['module_mutex']).toBeUndefined();
    if (isNamed) expect(k.ftrace.records['f5']).toEqual({ count: 0, flags: 0 });
  }
  expect(seen.has(false)).toBe(true);
  expect(isMisuse(k, ADD)).toBe(false);
  expect(blockedOn(KERNEL_PROGRAM, k, begun(k, ADD))).toBeUndefined();
});
