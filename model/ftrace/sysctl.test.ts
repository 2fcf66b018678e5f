import { expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';

const TRACED = 'ops#1 = ftrace_ops(); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1)';

test.each(['6.1', '6.12', '7.2'])(
  'kernel.ftrace_enabled takes all calls away and brings them back, %s',
  (profile) => {
    const off = ask(profile, `${TRACED}; sysctl kernel.ftrace_enabled=0`).rig;
    expect(off.site('f1')).toBe('nop5');
    expect(off.call('f1').who).toEqual(['f1']);
    const on = ask(profile, `${TRACED}; sysctl kernel.ftrace_enabled=0; sysctl kernel.ftrace_enabled=1`).rig;
    expect(on.call('f1').who).toEqual(['ops#1', 'f1']);
  },
);
