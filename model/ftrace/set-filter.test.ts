import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';

const ALL = 'ops#1 = ftrace_ops(); register_ftrace_function(ops#1)';

describe.each(['6.1', '6.12', '7.2'])('a filter, %s', (profile) => {
  test('that is empty means all functions', () => {
    const { rig } = ask(profile, ALL);
    expect(['f1', 'f2'].map((fn) => rig.call(fn).who.length)).toEqual([2, 2]);
  });

  test('is changed while its ops is registered: sites follow', () => {
    const { rig } = ask(profile, `${ALL}; ftrace_set_filter_ip(ops#1, f2)`);
    expect([rig.site('f1'), rig.site('f2')]).toEqual(['nop5', 'call ops#1.trampoline']);
  });
});
