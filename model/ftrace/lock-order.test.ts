import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DISPATCHER, ETH0, runsOn } from '../../properties/planted/sequences/actions.ts';
import type { Action } from '../client/all.ts';
import { xdpLoad } from '../client/bpf-prog-load.ts';
import type { Instruction } from '../core/instruction.ts';
import { DO } from '../core/instruction.ts';
import { KERNELS } from '../core/profile.ts';
import type { World } from '../core/world.ts';
import { bootKernel } from '../kernel.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { BUSY_FUNCTIONS, busySequence } from '../testing/busy-sequence.ts';
import { IN_BACKGROUND } from '../testing/wait-table.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';

/** The orders as the README has them, the outermost lock first; a line that ends with ▸ continues. */
const ORDERS = /```text\nlocks {2}([\s\S]*?)\n```/
  .exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))![1]!
  .split(/(?<!▸)\n/)
  .map((order) => order.split('▸').map((lock) => lock.trim()));

interface Asked {
  readonly functions: readonly TracedFunction[];
  readonly actions: readonly Action[];
}

/** Programs on a device come and go. */
const XDP: Asked = {
  functions: [ETH0, DISPATCHER],
  actions: [xdpLoad(1), runsOn(0, 1), runsOn(0, 0)],
};

/** Locks of one kind under one name. */
function kindOf(lock: string): string {
  return lock
    .replace(/^mutex of tr\(.*|^trampoline_locks\[.*/, 'tr lock')
    .replace(/^dst_mutex of .*/, 'dst_mutex')
    .replace(/^.*\.regex_lock$/, 'regex_lock');
}

/** The locks that were held while a sequence ran. */
interface Seen {
  /** `direct_mutex ▸ ftrace_lock`: the second was taken, and waited for if need be, with the first held. */
  readonly pairs: Set<string>;
  /** `rcu_tasks: direct_mutex, ftrace_lock`: what a client holds while it waits for a grace period. */
  readonly waits: Set<string>;
  /** Pairs of locks of one kind. */
  readonly same: Set<string>;
}

/** Takes notes before each instruction; a lock that is new since the last one was taken by that. */
function watching(seen: Seen) {
  let held: string[] = [];
  let last: Instruction | undefined;
  return (instruction: Instruction, { locks }: World) => {
    const taken = Object.keys(locks).find((lock) => !held.includes(lock));
    if (taken !== undefined && last?.do === DO.LOCK) for (const outer of held) note(seen, outer, taken);
    held = Object.keys(locks);
    last = instruction;
    if (instruction.do === DO.WAIT && !IN_BACKGROUND.includes(instruction.routine))
      seen.waits.add(`${instruction.flavour}: ${[...new Set(held.map(kindOf))].join(', ')}`);
  };
}

function note({ pairs, same }: Seen, outer: string, inner: string): void {
  if (kindOf(outer) === kindOf(inner)) same.add(`${outer} ▸ ${inner}`);
  else pairs.add(`${kindOf(outer)} ▸ ${kindOf(inner)}`);
}

function run(profile: string, { functions, actions }: Asked): Seen {
  const seen: Seen = { pairs: new Set(), waits: new Set(), same: new Set() };
  const k = bootKernel({ profile, boot: 'default', functions });
  const step = watching(seen);
  for (const action of actions) {
    const { died } = apply(k, action, KERNEL_PROGRAM, { step });
    expect(died).toBeUndefined();
    expect(k.locks).toEqual({});
    // Background work that runs while an operation waits has its own locks.
    apply(k, { do: 'settle' }, KERNEL_PROGRAM, { step });
  }
  return seen;
}

function busy(profile: string): Seen {
  return run(profile, { functions: BUSY_FUNCTIONS, actions: busySequence(profile) });
}

describe.each(KERNELS)('%s', (profile) => {
  const { pairs, waits, same } = busy(profile);
  const all = [...pairs, ...run(profile, XDP).pairs];

  test('every lock is taken after those that precede it in the order', () => {
    const wrong = all.filter((pair) => {
      const [outer = '', inner = ''] = pair.split(' ▸ ');
      return !ORDERS.some((order) => order.includes(outer) && order.indexOf(outer) < order.indexOf(inner));
    });
    expect(pairs.size).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  });

  test('of two locks of one kind the one with the smaller number comes first', () => {
    const numbers = [...same].map((pair) => pair.match(/\d+(?=\])/g)!.map(Number));
    expect(numbers.length > 0).toBe(profile === '7.2');
    expect(numbers.filter(([outer = 0, inner = 0]) => outer >= inner)).toEqual([]);
  });

  test('no operation waits for a grace period with text_mutex or trampoline_mutex held', () => {
    const wrong = [...waits].filter((wait) => /text_mutex|trampoline_mutex/.test(wait));
    expect(waits.size).toBeGreaterThan(4);
    expect(wrong).toEqual([]);
  });
});

test('each lock of the order is taken in some kernel, and there is no other', () => {
  const pairs = KERNELS.flatMap((profile) => [...busy(profile).pairs, ...run(profile, XDP).pairs]);
  const seen = new Set(pairs.flatMap((pair) => pair.split(' ▸ ')));
  expect([...seen].sort()).toEqual([...new Set(ORDERS.flat())].sort());
});

test('what clients hold while they wait for a grace period', () => {
  const table = KERNELS.map((profile) => `${profile}\n  ${[...busy(profile).waits].sort().join('\n  ')}`);
  expect(table.join('\n')).toMatchInlineSnapshot(`
    "6.1
      rcu: 
      rcu: ftrace_lock
      rcu: module_mutex
      rcu_tasks: 
      rcu_tasks: cgroup_mutex, tr lock, direct_mutex, ftrace_lock
      rcu_tasks: direct_mutex
      rcu_tasks: direct_mutex, ftrace_lock
      rcu_tasks: dst_mutex, tr lock
      rcu_tasks: ftrace_lock
      rcu_tasks: tr lock, direct_mutex, ftrace_lock
      rcu_tasks_rude: cgroup_mutex, tr lock, direct_mutex, ftrace_lock
      rcu_tasks_rude: direct_mutex, ftrace_lock
      rcu_tasks_rude: ftrace_lock
      rcu_tasks_rude: tr lock, direct_mutex, ftrace_lock
    6.12
      rcu: 
      rcu: ftrace_lock
      rcu: module_mutex
      rcu_tasks: direct_mutex, ftrace_lock
      rcu_tasks: ftrace_lock
      rcu_tasks: tr lock, direct_mutex, ftrace_lock
      rcu_tasks_rude: direct_mutex, ftrace_lock
      rcu_tasks_rude: ftrace_lock
      rcu_tasks_rude: tr lock, direct_mutex, ftrace_lock
    7.2
      rcu: 
      rcu: ftrace_lock
      rcu: module_mutex
      rcu_tasks: direct_mutex, ftrace_lock
      rcu_tasks: ftrace_lock
      rcu_tasks_rude: direct_mutex, ftrace_lock
      rcu_tasks_rude: ftrace_lock"
  `);
});
