import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import { KERNELS } from '../core/profile.ts';
import type { Operation } from '../core/run.ts';
import { blockedOn, startOperation, stepOperation } from '../core/run.ts';
import type { Ended } from '../core/world.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../ftrace/ops.ts';
import type { Kernel } from '../kernel.ts';
import { bootKernel } from '../kernel.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { BUSY_FUNCTIONS, link, load } from '../testing/busy-sequence.ts';

/*
 * Two operations at a time, and what they leave to the background, in orders that are drawn: no call is under way, so
 * that every grace period is over at once.
 */

const LIVE_PATCH = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS;

/** The clients that are registered before. Where a kernel refuses one, its operations below are refused as well. */
const BEFORE: readonly Action[] = [
  { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false },
  filterOn('ops#1', 'f1'),
  { do: 'register_ftrace_function', ops: 'ops#1' },
  { do: 'ftrace_ops', ops: 'ipmod#1', flags: LIVE_PATCH, direct: false },
  filterOn('ipmod#1', 'f1'),
  { do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true },
  filterOn('direct#1', 'f2'),
  load(1, 'fentry', 'f1'),
  link(1),
  load(2, 'fexit', 'f1'),
  { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
  { do: 'register_kprobe', kprobe: 'kprobe#2', ip: 'f5', post: false },
  { do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1'], entry: true, exit: true },
  filterOn('gops#1.ops', 'f1'),
  { do: 'register_ftrace_graph', gops: 'gops#1' },
];

const PROBE = { ip: 'f2', maxactive: 0, entryHandler: false, post: true, retprobe: '' };

/** Routines that clients call, with their arguments. */
const OPERATIONS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['link_create', { link: 'link#2', prog: 2, targets: [] }],
  ['bpf_link_release', { link: 'link#1' }],
  ['register_ftrace_function', { ops: 'ipmod#1' }],
  ['unregister_ftrace_function', { ops: 'ops#1' }],
  ['ftrace_set_filter_ip', { ops: 'ops#1', ip: 'f2', remove: false, reset: false }],
  ['register_ftrace_direct', { ops: 'direct#1', addr: 'my_tramp1' }],
  ['register_kprobe', { ...PROBE, kprobe: 'kprobe#3' }],
  ['unregister_kprobe', { kprobe: 'kprobe#1' }],
  ['register_kretprobe', { ...PROBE, kretprobe: 'kretprobe#1' }],
  ['unregister_fprobe', { fprobe: 'fprobe#1' }],
  ['unregister_ftrace_graph', { gops: 'gops#1' }],
  ['ftrace_enable_sysctl', { value: false }],
  ['delete_module', { module: 'm1' }],
];

const PAIRS = OPERATIONS.flatMap((item, i) => OPERATIONS.slice(i + 1).map((other) => [item, other] as const));

/** Numbers below a bound, the same for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

interface Task {
  readonly operation: Operation;
  ended?: Ended;
}

/** Runs tasks to their ends; each runs a few instructions when it is its turn. A deadlock ends them all. */
function interleave(k: Kernel, tasks: Task[], draw: (below: number) => number): string {
  for (;;) {
    for (const { routine, args } of k.deferred.splice(0))
      tasks.push({ operation: startOperation(KERNEL_PROGRAM, routine, args) });
    const left = tasks.filter(({ ended }) => ended === undefined);
    const able = left.filter(({ operation }) => blockedOn(KERNEL_PROGRAM, k, operation) === undefined);
    if (able.length === 0) return left.length === 0 ? '' : `a deadlock: ${JSON.stringify(k.locks)}`;
    runFor(k, able[draw(able.length)]!, draw(40) + 1);
  }
}

function runFor(k: Kernel, task: Task, instructions: number): void {
  for (let left = instructions; left > 0 && task.ended === undefined; left--) {
    if (blockedOn(KERNEL_PROGRAM, k, task.operation) !== undefined) return;
    const ended = stepOperation(KERNEL_PROGRAM, k, task.operation, {});
    if (ended !== undefined) task.ended = ended;
  }
}

describe.each(KERNELS)('%s', (profile) => {
  const start = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
  for (const action of BEFORE) apply(start, action);

  test('two clients at a time end, release every lock, and leave ftrace alive', () => {
    const answers = new Set<string>();
    for (const [i, pair] of PAIRS.entries())
      for (let seed = 1; seed <= 8; seed++) {
        const k = structuredClone(start);
        const tasks = pair.map(([name, args]) => ({ operation: startOperation(KERNEL_PROGRAM, name, args) }));
        const names = pair.map(([name]) => name).join(' and ');
        expect(interleave(k, tasks, drawing(i * 100 + seed)), names).toBe('');
        expect([k.locks, k.ftrace.disabled, k.ftrace.tables.retired], names).toEqual([{}, false, {}]);
        for (const { ended } of tasks as Task[]) answers.add(String(ended));
      }
    expect(answers.has('0') && answers.has('EAGAIN')).toBe(true);
  });
});
