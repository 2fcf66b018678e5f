import { describe, expect, test } from 'vitest';
import type { Action } from './action.ts';
import { BACKGROUND } from './api.ts';
import { BUSY_FUNCTIONS, filter, kprobeMulti, link, load } from './busy-sequence.ts';
import type { Instruction } from './core/link.ts';
import { DO } from './core/link.ts';
import { KERNELS } from './core/profile.ts';
import { bootKernel } from './kernel.ts';
import { apply, KERNEL_PROGRAM } from './step.ts';

const IN_BACKGROUND = BACKGROUND.map(({ name }) => name);

/** Flavours in few letters. */
const SHORT: Readonly<Record<string, string>> = {
  rcu: 'rcu',
  rcu_tasks: 'tasks',
  rcu_tasks_rude: 'rude',
  rcu_tasks_trace: 'trace',
  percpu_ref: 'ref',
  workqueue: 'work',
};

/**
 * What the last of these actions waits for, and behind it what goes on in the background, until nothing waits any more.
 * Each grace period that is passed counts once.
 */
function waitsOf(profile: string, ...actions: readonly Action[]): string {
  const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
  const before = actions.slice(0, -1);
  for (const action of [...before, { do: 'settle' } as const])
    if (apply(k, action).errno !== 0) return 'not here';
  const waits: string[] = [];
  const later: Record<string, string[]> = {};
  const step = (one: Instruction): void => {
    if (one.do !== DO.WAIT) return;
    const list = IN_BACKGROUND.includes(one.routine) ? (later[one.routine] ??= []) : waits;
    list.push(SHORT[one.flavour!]!);
  };
  if (apply(k, actions.at(-1)!, KERNEL_PROGRAM, { step }).errno !== 0) return 'not here';
  apply(k, { do: 'settle' }, KERNEL_PROGRAM, { step });
  const background = Object.entries(later).map(([name, list]) => `${name}: ${list.join(' ')}`);
  return [waits.join(' ') || '–', ...background.sort()].join('; ');
}

/** One line for each kernel. */
function table(...actions: readonly Action[]): string {
  return KERNELS.map((profile) => `${profile.padEnd(4)} ${waitsOf(profile, ...actions)}`).join('\n');
}

const OPS: readonly Action[] = [
  { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false },
  filter('ops#1', 'f1'),
];
const REGISTERED: readonly Action[] = [...OPS, { do: 'register_ftrace_function', ops: 'ops#1' }];
const DIRECT: readonly Action[] = [
  { do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true },
  filter('direct#1', 'f1'),
];
const CALLED: readonly Action[] = [
  ...DIRECT,
  { do: 'register_ftrace_direct', ops: 'direct#1', addr: 'my_tramp1' },
];
const GRAPH: readonly Action[] = [
  filter('gops#1.ops', 'f1'),
  { do: 'register_ftrace_graph', gops: 'gops#1' },
];

describe('ops', () => {
  test('a filter of one that is registered', () => {
    expect(table(...REGISTERED, filter('ops#1', 'f2'))).toMatchInlineSnapshot(`
      "6.1  –; free_ftrace_hash_rcu: rcu
      6.12 –; free_ftrace_hash_rcu: rcu
      7.2  –; free_ftrace_hash_rcu: rcu"
    `);
  });

  test('unregister_ftrace_function()', () => {
    expect(table(...REGISTERED, { do: 'unregister_ftrace_function', ops: 'ops#1' })).toMatchInlineSnapshot(`
      "6.1  rude tasks
      6.12 rude tasks
      7.2  rude tasks"
    `);
  });
});

describe('direct calls', () => {
  test('the first one', () => {
    expect(table(...CALLED)).toMatchInlineSnapshot(`
      "6.1  tasks
      6.12 –
      7.2  –"
    `);
  });

  test('the second one', () => {
    const second: readonly Action[] = [
      { do: 'ftrace_ops', ops: 'direct#2', flags: 0, direct: true },
      filter('direct#2', 'f2'),
      { do: 'register_ftrace_direct', ops: 'direct#2', addr: 'my_tramp2' },
    ];
    expect(table(...CALLED, ...second)).toMatchInlineSnapshot(`
      "6.1  –
      6.12 –; register_ftrace_direct_cb: tasks
      7.2  –; register_ftrace_direct_cb: tasks"
    `);
  });

  test('another address', () => {
    expect(
      table(...CALLED, { do: 'modify_ftrace_direct', ops: 'direct#1', addr: 'my_tramp2' }),
    ).toMatchInlineSnapshot(`
      "6.1  –
      6.12 –
      7.2  –"
    `);
  });

  test('unregister_ftrace_direct()', () => {
    const leave = {
      do: 'unregister_ftrace_direct',
      ops: 'direct#1',
      addr: 'my_tramp1',
      freeFilters: true,
    } as const;
    expect(table(...CALLED, leave)).toMatchInlineSnapshot(`
      "6.1  rude tasks
      6.12 rude tasks
      7.2  rude tasks"
    `);
  });

  test('unregister_ftrace_direct(ip)', () => {
    const come = { do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' } as const;
    expect(
      table(come, { do: 'unregister_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' }),
    ).toMatchInlineSnapshot(`
      "6.1  tasks; free_ftrace_hash_rcu: rcu
      6.12 not here
      7.2  not here"
    `);
  });

  test('update_ftrace_direct_del()', () => {
    const come = { do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f1: 'my_tramp1' } } as const;
    const ops = { do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true } as const;
    expect(table(ops, come, { ...come, do: 'update_ftrace_direct_del' })).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 not here
      7.2  rude tasks; register_ftrace_direct_cb: tasks"
    `);
  });
});

describe('probes', () => {
  test('unregister_ftrace_graph()', () => {
    expect(table(...GRAPH, { do: 'unregister_ftrace_graph', gops: 'gops#1' })).toMatchInlineSnapshot(`
      "6.1  –
      6.12 –
      7.2  –"
    `);
  });

  test('unregister_kprobe()', () => {
    const come = { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false } as const;
    expect(table(come, { do: 'unregister_kprobe', kprobe: 'kprobe#1' })).toMatchInlineSnapshot(`
      "6.1  rcu; free_ftrace_hash_rcu: rcu
      6.12 rcu; free_ftrace_hash_rcu: rcu
      7.2  rcu; free_ftrace_hash_rcu: rcu"
    `);
  });

  test('unregister_kretprobe()', () => {
    const come = {
      do: 'register_kretprobe',
      kretprobe: 'kretprobe#1',
      ip: 'f1',
      maxactive: 2,
      entryHandler: true,
    } as const;
    expect(table(come, { do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' })).toMatchInlineSnapshot(`
      "6.1  rcu; free_ftrace_hash_rcu: rcu; rethook_free_rcu: rcu
      6.12 rcu; free_ftrace_hash_rcu: rcu; rethook_free_rcu: rcu
      7.2  rcu; free_ftrace_hash_rcu: rcu; rethook_free_rcu: rcu"
    `);
  });

  test('unregister_fprobe()', () => {
    const come = {
      do: 'register_fprobe_ips',
      fprobe: 'fprobe#1',
      ips: ['f1'],
      entry: true,
      exit: true,
    } as const;
    expect(table(come, { do: 'unregister_fprobe', fprobe: 'fprobe#1' })).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 rude tasks; rethook_free_rcu: rcu
      7.2  rcu"
    `);
  });
});

describe('BPF', () => {
  test('the last link of a function is closed', () => {
    expect(
      table(load(1, 'fexit', 'f1'), link(1), { do: 'close(link)', link: 'link#1' }),
    ).toMatchInlineSnapshot(`
      "6.1  rude tasks; __bpf_tramp_image_put: tasks ref tasks work
      6.12 rude tasks; __bpf_tramp_image_put: tasks ref tasks work
      7.2  –; __bpf_tramp_image_put: tasks ref tasks work; register_ftrace_direct_cb: tasks"
    `);
  });

  test('one of two links is closed', () => {
    const two = [load(1, 'fentry', 'f1'), link(1), load(2, 'fentry', 'f1'), link(2)];
    expect(table(...two, { do: 'close(link)', link: 'link#2' })).toMatchInlineSnapshot(`
      "6.1  –; __bpf_tramp_image_put: trace tasks work
      6.12 –; __bpf_tramp_image_put: trace tasks work
      7.2  –; __bpf_tramp_image_put: trace tasks work"
    `);
  });

  test('a program that was attached goes', () => {
    const gone = [load(1, 'fentry', 'f1'), link(1), { do: 'close(link)', link: 'link#1' }] as const;
    expect(table(...gone, { do: 'close(prog)', prog: 1 })).toMatchInlineSnapshot(`
      "6.1  –; __bpf_prog_put: rcu
      6.12 –; __bpf_prog_put: rcu
      7.2  –; __bpf_prog_put: tasks rcu"
    `);
  });

  test('one that may sleep goes', () => {
    const gone = [load(1, 'fentry', 'f1', { sleepable: true }), link(1)];
    const close = { do: 'close(link)', link: 'link#1' } as const;
    expect(table(...gone, close, { do: 'close(prog)', prog: 1 })).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 –; __bpf_prog_put: trace
      7.2  –; __bpf_prog_put: tasks trace"
    `);
  });

  test('a kprobe.multi link is closed', () => {
    expect(
      table(kprobeMulti(1), link(1, 'f1'), { do: 'close(link)', link: 'link#1' }),
    ).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 rude tasks; bpf_link_dealloc: rcu
      7.2  –; bpf_link_dealloc: rcu"
    `);
  });

  test('a tracing-multi link is closed', () => {
    const two = [load(1, 'fentry', '', { multi: true }), link(1, 'f1', 'f2')];
    expect(table(...two, { do: 'close(link)', link: 'link#1' })).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 not here
      7.2  –; __bpf_tramp_image_put: trace trace tasks tasks work work; bpf_link_dealloc: rcu; register_ftrace_direct_cb: tasks"
    `);
  });
});

test('a module is unloaded', () => {
  expect(table({ do: 'delete_module', module: 'm1' })).toMatchInlineSnapshot(`
    "6.1  rcu rcu
    6.12 rcu rcu
    7.2  rcu rcu"
  `);
});
