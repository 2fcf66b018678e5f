import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import { useAfterFree } from '../core/oops.ts';
import type { Kernel } from '../kernel.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { Rig } from '../testing/attach-rig.ts';
import { BUSY_FUNCTIONS, link, load } from '../testing/busy-sequence.ts';
import { tracedFunction } from '../trampoline/traced-function.ts';
import {
  leaveEntry,
  loadDirectFunctions,
  lookupDirect,
  passedEntries,
  publishDirectFunctions,
  restoreDirectFunctions,
} from './direct-table.ts';
import { freeOps, loadHashes, publishHash, restoreHash, testHashes } from './filter-hash.ts';
import { freeTable } from './tables.ts';

function rig(profile = '7.2'): Rig {
  return new Rig(profile, BUSY_FUNCTIONS);
}

describe('a reader of direct_functions', () => {
  test('finds in the table that it has loaded what was there, until that is freed', () => {
    const { k } = rig();
    publishDirectFunctions(k, { f1: 'my_tramp1' });
    const table = loadDirectFunctions(k);
    const replaced = publishDirectFunctions(k, { f2: 'my_tramp2' })!;
    expect(replaced).toEqual({ table });
    expect(['f1', 'f2'].map((ip) => lookupDirect(k, table, ip))).toEqual(['my_tramp1', '']);
    expect(['f1', 'f2'].map((ip) => lookupDirect(k, loadDirectFunctions(k), ip))).toEqual(['', 'my_tramp2']);
    freeTable(k, replaced);
    expect(() => lookupDirect(k, table, 'f1')).toThrow(useAfterFree({ is: 'direct_functions' }));
  });

  test('sees an address that is changed in place', () => {
    const { k } = rig();
    publishDirectFunctions(k, { f1: 'my_tramp1' });
    const table = loadDirectFunctions(k);
    k.ftrace.directFunctions['f1'] = 'my_tramp2';
    expect(lookupDirect(k, table, 'f1')).toBe('my_tramp2');
  });

  test('finds the former table again when the new one was not wanted', () => {
    const { k } = rig();
    publishDirectFunctions(k, { f1: 'my_tramp1' });
    const table = loadDirectFunctions(k);
    publishDirectFunctions(k, { f1: 'my_tramp1', f2: 'my_tramp2' });
    const failed = restoreDirectFunctions(k, table);
    expect(loadDirectFunctions(k)).toBe(table);
    expect(lookupDirect(k, failed.table, 'f2')).toBe('my_tramp2');
    expect(k.ftrace.directFunctions).toEqual({ f1: 'my_tramp1' });
  });

  test('passes the newer entry of a site in the same list, and cannot continue when that is freed', () => {
    const functions = Array.from({ length: 16 }, (_, i) => tracedFunction(`f${i + 1}`, i + 1, 'u64 -> u64'));
    const { k } = new Rig('7.2', functions);
    publishDirectFunctions(k, { f16: 'my_tramp1', f2: 'my_tramp1', f1: 'my_tramp2' });
    expect(passedEntries(k, ['f1', 'f2'])).toEqual([]);
    const passed = passedEntries(k, ['f16'])[0]!;
    expect(passed).toEqual({ table: loadDirectFunctions(k), ip: 'f1' });
    leaveEntry(k, passed);
    delete k.ftrace.directFunctions['f1'];
    expect(() => leaveEntry(k, passed)).toThrow(useAfterFree({ is: 'direct entry', ip: 'f1' }));
    publishDirectFunctions(k, { f16: 'my_tramp1' });
    expect(() => leaveEntry(k, passed)).not.toThrow();
  });

  test('passes no entry of an address at which there is nothing', () => {
    const { k } = rig();
    publishDirectFunctions(k, { f1: 'my_tramp1', not_a_site: 'my_tramp1' });
    expect(passedEntries(k, ['f1'])).toEqual([]);
  });

  test('finds nothing in the empty table, which is never freed', () => {
    const { k } = rig();
    const table = loadDirectFunctions(k);
    expect(publishDirectFunctions(k, { f1: 'my_tramp1' })).toBeUndefined();
    expect(lookupDirect(k, table, 'f1')).toBe('');
  });
});

describe('who tests a call site against the hashes of an ops', () => {
  test('goes by those that it has loaded, until one is freed', () => {
    const { k } = rig();
    publishHash(k, 'ops#1', 'filter', ['f1']);
    const hashes = loadHashes(k, 'ops#1');
    const replaced = publishHash(k, 'ops#1', 'filter', ['f2'])!;
    expect(['f1', 'f2'].map((ip) => testHashes(k, hashes, ip))).toEqual([true, false]);
    expect(['f1', 'f2'].map((ip) => testHashes(k, loadHashes(k, 'ops#1'), ip))).toEqual([false, true]);
    freeTable(k, replaced);
    expect(() => testHashes(k, hashes, 'f1')).toThrow('the filter hash of ops#1 has been freed');
  });

  test('takes an empty filter for all functions, and goes by that of before when a change failed', () => {
    const { k } = rig();
    expect(testHashes(k, loadHashes(k, 'ops#1'), 'f1')).toBe(true);
    publishHash(k, 'ops#1', 'notrace', ['f1']);
    const hashes = loadHashes(k, 'ops#1');
    const old = publishHash(k, 'ops#1', 'notrace', []);
    expect(testHashes(k, loadHashes(k, 'ops#1'), 'f1')).toBe(true);
    expect(restoreHash(k, 'ops#1', 'notrace', old)).toBeUndefined();
    expect(loadHashes(k, 'ops#1')).toEqual(hashes);
    expect(testHashes(k, hashes, 'f1')).toBe(false);
  });

  test('crashes when the ops has been given back with them', () => {
    const { k } = rig();
    publishHash(k, 'ops#1', 'filter', ['f1']);
    const hashes = loadHashes(k, 'ops#1');
    freeOps(k, 'ops#1');
    expect(() => testHashes(k, hashes, 'f1')).toThrow('the filter hash of ops#1 has been freed');
  });
});

/** The client's last call; who loaded the hashes of an ops right before this step looks into them when it is over. */
function testAfter(rig: Rig, ops: string, id: string, action: Action): () => boolean {
  let test = (): boolean => {
    throw new Error(`there was no step ${id}`);
  };
  const step = (instruction: { readonly id: string }): void => {
    if (instruction.id !== id) return;
    const hashes = loadHashes(rig.k, ops);
    test = () => testHashes(rig.k, hashes, 'f1');
  };
  expect(apply(rig.k as Kernel, action, KERNEL_PROGRAM, { step }).errno).toBe(0);
  return test;
}

describe('hashes that are freed with no grace period', () => {
  test('7.2: that of the ops of BPF trampolines, which is not waited for, when the last program is detached', () => {
    const fixture = rig();
    for (const action of [load(1, 'fentry', 'f1'), link(1)]) fixture.answer(action);
    const action = { do: 'close(link)', link: 'link#1' } as const;
    const test = testAfter(fixture, 'direct_ops', 'ftrace_free_filter', action);
    expect(test).toThrow('the filter hash of direct_ops has been freed');
  });

  test.each(['6.12', '7.2'])('%s: that of graph_ops when its last user goes', (profile) => {
    const fixture = rig(profile);
    for (const action of [
      filterOn('gops#1.ops', 'f1'),
      { do: 'register_ftrace_graph', gops: 'gops#1' } as const,
    ])
      fixture.answer(action);
    const action = { do: 'unregister_ftrace_graph', gops: 'gops#1' } as const;
    expect(testAfter(fixture, 'graph_ops', 'free the hashes', action)).toThrow(
      'the filter hash of graph_ops',
    );
  });

  test('7.2: those of the ops of fprobes when the last one goes', () => {
    const fixture = rig();
    const come = {
      do: 'register_fprobe_ips',
      fprobe: 'fprobe#1',
      ips: ['f1'],
      entry: true,
      exit: false,
    } as const;
    fixture.answer(come);
    const action = { do: 'unregister_fprobe', fprobe: 'fprobe#1' } as const;
    const test = testAfter(fixture, 'fprobe_ftrace_ops', 'free both hashes', action);
    expect(test).toThrow('the filter hash of fprobe_ftrace_ops has been freed');
  });
});

test('what replaced tables held is gone when an operation is over, and nothing waits for it', () => {
  const fixture = rig();
  fixture.answer({ do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false });
  for (const ip of ['f1', 'f2', 'f5']) fixture.answer(filterOn('ops#1', ip));
  expect(fixture.k.deferred).toEqual([]);
  expect(fixture.k.ftrace.tables.retired).toEqual({});
});
