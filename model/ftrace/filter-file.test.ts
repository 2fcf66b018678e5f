import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';
import { globMatches } from './glob.ts';
import { filterOf } from './ops.ts';

const INSTANCE = 'ops#1 = ftrace_ops(); echo f1 > instances/ops#1/set_ftrace_filter';

describe.each(['6.1', '6.12', '7.2'])('a filter file of an instance, %s', (profile) => {
  test('takes what a pattern matches, and gives it back', () => {
    const { rig } = ask(profile, 'ops#1 = ftrace_ops(); echo f* > instances/ops#1/set_ftrace_filter');
    expect(filterOf(rig.k, 'ops#1')).toEqual(['f1', 'f2']);
    rig.answer({ do: 'set_ftrace_filter', glob: '*2', remove: true, ops: 'ops#1' });
    expect(filterOf(rig.k, 'ops#1')).toEqual(['f1']);
  });

  test('truncated by >, has only what is written', () => {
    const { rig } = ask(profile, `${INSTANCE}; echo f2 > instances/ops#1/set_ftrace_filter`);
    expect(filterOf(rig.k, 'ops#1')).toEqual(['f2']);
  });

  test('is emptied by > although no function matches: the tracer sees every function', () => {
    const { rig, answers } = ask(
      profile,
      `${INSTANCE}; register_ftrace_function(ops#1); echo no_such_function > instances/ops#1/set_ftrace_filter`,
    );
    expect(answers.at(-1)).toBe('EINVAL');
    expect(rig.call('f2').who).toEqual(['ops#1', 'f2']);
  });

  test('stays as it is by >> when no function matches, and when what is removed is not there', () => {
    const { rig, answers } = ask(
      profile,
      `${INSTANCE}; echo x* >> instances/ops#1/set_ftrace_filter; echo !f2 >> instances/ops#1/set_ftrace_filter`,
    );
    expect(answers.slice(-2)).toEqual(['EINVAL', 0]);
    expect(filterOf(rig.k, 'ops#1')).toEqual(['f1']);
  });

  test('answers 0 when no memory is left at close()', () => {
    const { rig, answers } = ask(
      profile,
      `${INSTANCE}; the next allocation in __ftrace_hash_move_and_update_ops fails; echo f2 > instances/ops#1/set_ftrace_filter`,
    );
    expect(answers.at(-1)).toBe(0);
    expect(filterOf(rig.k, 'ops#1')).toEqual(['f1']);
  });
});

test.each(['6.12', '7.2'])('a filter file of an instance is that of its graph tracer, %s', (profile) => {
  const { rig } = ask(
    profile,
    'echo f* > instances/gops#1/set_ftrace_filter; register_ftrace_graph(gops#1); echo !f1 >> instances/gops#1/set_ftrace_filter',
  );
  expect(rig.call('f1').who).toEqual(['f1']);
  expect(rig.call('f2').who).toEqual(['gops#1', 'f2', 'gops#1']);
});

test('set_ftrace_notrace of the tracing directory is that of the only graph tracer of 6.1', () => {
  const { rig } = ask(
    '6.1',
    'echo f* > set_ftrace_filter; echo ?1 >> set_ftrace_notrace; register_ftrace_graph(gops#1)',
  );
  expect(rig.call('f1').who).toEqual(['f1']);
  expect(rig.call('f2').who).toEqual(['gops#1', 'f2', 'gops#1']);
});

test('a pattern matches from its first to its last character', () => {
  const names = ['vfs_read', 'ksys_read', 'read', 'vfs_readv'];
  const matched = (glob: string) => names.filter((name) => globMatches(glob, name));
  expect(matched('vfs_*')).toEqual(['vfs_read', 'vfs_readv']);
  expect(matched('*read')).toEqual(['vfs_read', 'ksys_read', 'read']);
  expect(matched('*_read*')).toEqual(['vfs_read', 'ksys_read', 'vfs_readv']);
  expect(matched('read')).toEqual(['read']);
  expect(matched('v?s*r*d?')).toEqual(['vfs_readv']);
  expect(matched('**')).toEqual(names);
  expect(globMatches(`${'*a'.repeat(12)}z`, 'a'.repeat(2000))).toBe(false);
  expect(globMatches('f.c', 'fxc')).toBe(false);
});
