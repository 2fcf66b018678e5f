import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import type { OpsId } from '../core/ids.ts';
import { waitTable, waitTableOfRefused } from '../testing/wait-table.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from './ops.ts';

const OPS: readonly Action[] = [
  { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false },
  filterOn('ops#1', 'f1'),
];
const REGISTERED: readonly Action[] = [...OPS, { do: 'register_ftrace_function', ops: 'ops#1' }];
const DIRECT: readonly Action[] = [
  { do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true },
  filterOn('direct#1', 'f1'),
];
const CALLED: readonly Action[] = [
  ...DIRECT,
  { do: 'register_ftrace_direct', ops: 'direct#1', addr: 'my_tramp1' },
];
const GRAPH: readonly Action[] = [
  filterOn('gops#1.ops', 'f1'),
  { do: 'register_ftrace_graph', gops: 'gops#1' },
];

describe('ops', () => {
  test('a filter of one that is registered', () => {
    expect(waitTable(...REGISTERED, filterOn('ops#1', 'f2'))).toMatchInlineSnapshot(`
      "6.1  –; free_ftrace_hash_rcu: rcu
      6.12 –; free_ftrace_hash_rcu: rcu
      7.2  –; free_ftrace_hash_rcu: rcu"
    `);
  });

  test('unregister_ftrace_function()', () => {
    expect(
      waitTable(...REGISTERED, { do: 'unregister_ftrace_function', ops: 'ops#1' }),
    ).toMatchInlineSnapshot(`
      "6.1  rude tasks rcu
      6.12 rude tasks rcu
      7.2  rude tasks rcu"
    `);
  });

  test('register_ftrace_function() of a second live patch, which is refused', () => {
    const patch = (ops: OpsId): Action[] => [
      { do: 'ftrace_ops', ops, flags: FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY, direct: false },
      filterOn(ops, 'f1'),
      { do: 'register_ftrace_function', ops },
    ];
    expect(waitTableOfRefused('EBUSY', ...patch('ops#1'), ...patch('ops#2'))).toMatchInlineSnapshot(`
      "6.1  rcu
      6.12 rcu
      7.2  rcu"
    `);
  });
});

describe('direct calls', () => {
  test('the first one', () => {
    expect(waitTable(...CALLED)).toMatchInlineSnapshot(`
      "6.1  tasks
      6.12 –
      7.2  –"
    `);
  });

  test('the second one', () => {
    const second: readonly Action[] = [
      { do: 'ftrace_ops', ops: 'direct#2', flags: 0, direct: true },
      filterOn('direct#2', 'f2'),
      { do: 'register_ftrace_direct', ops: 'direct#2', addr: 'my_tramp2' },
    ];
    expect(waitTable(...CALLED, ...second)).toMatchInlineSnapshot(`
      "6.1  –
      6.12 –; register_ftrace_direct_cb: tasks
      7.2  –; register_ftrace_direct_cb: tasks"
    `);
  });

  test('another address', () => {
    expect(
      waitTable(...CALLED, { do: 'modify_ftrace_direct', ops: 'direct#1', addr: 'my_tramp2' }),
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
    expect(waitTable(...CALLED, leave)).toMatchInlineSnapshot(`
      "6.1  rude tasks
      6.12 rude tasks
      7.2  rude tasks"
    `);
  });

  test('unregister_ftrace_direct(ip)', () => {
    const come = { do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' } as const;
    expect(
      waitTable(come, { do: 'unregister_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' }),
    ).toMatchInlineSnapshot(`
      "6.1  tasks; free_ftrace_hash_rcu: rcu
      6.12 not here
      7.2  not here"
    `);
  });

  test('update_ftrace_direct_del()', () => {
    const come = { do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f1: 'my_tramp1' } } as const;
    const ops = { do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true } as const;
    expect(waitTable(ops, come, { ...come, do: 'update_ftrace_direct_del' })).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 not here
      7.2  rude tasks; register_ftrace_direct_cb: tasks"
    `);
  });
});

describe('probes', () => {
  test('unregister_ftrace_graph()', () => {
    expect(waitTable(...GRAPH, { do: 'unregister_ftrace_graph', gops: 'gops#1' })).toMatchInlineSnapshot(`
      "6.1  –
      6.12 –
      7.2  –"
    `);
  });

  test('unregister_kprobe()', () => {
    const come = { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false } as const;
    expect(waitTable(come, { do: 'unregister_kprobe', kprobe: 'kprobe#1' })).toMatchInlineSnapshot(`
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
    expect(waitTable(come, { do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' })).toMatchInlineSnapshot(`
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
    expect(waitTable(come, { do: 'unregister_fprobe', fprobe: 'fprobe#1' })).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 rude tasks rcu; rethook_free_rcu: rcu
      7.2  rcu"
    `);
  });
});

test('a module is unloaded', () => {
  expect(waitTable({ do: 'delete_module', module: 'm1' })).toMatchInlineSnapshot(`
    "6.1  rcu rcu
    6.12 rcu rcu
    7.2  rcu rcu"
  `);
});
