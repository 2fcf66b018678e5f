import { describe, expect, it, test } from 'vitest';
import { KERNELS } from '../core/profile.ts';
import { opsOf } from '../ftrace/ops.ts';
import { Rig } from '../testing/attach-rig.ts';
import { BUSY_FUNCTIONS, link, load } from '../testing/busy-sequence.ts';
import type { Action } from './all.ts';
import { filterOn } from './ftrace-set-filter-ip.ts';

const OPS = { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false } as const;

/** How each object comes and goes. */
const OBJECTS: readonly (readonly [string, Action, Action])[] = [
  [
    'ops#1',
    { do: 'register_ftrace_function', ops: 'ops#1' },
    { do: 'unregister_ftrace_function', ops: 'ops#1' },
  ],
  [
    'gops#1',
    { do: 'register_ftrace_graph', gops: 'gops#1' },
    { do: 'unregister_ftrace_graph', gops: 'gops#1' },
  ],
  [
    'kprobe#1',
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
    { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
  ],
  [
    'kretprobe#1',
    { do: 'register_kretprobe', kretprobe: 'kretprobe#1', ip: 'f1', maxactive: 0, entryHandler: false },
    { do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' },
  ],
  [
    'fprobe#1',
    { do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1'], entry: true, exit: true },
    { do: 'unregister_fprobe', fprobe: 'fprobe#1' },
  ],
];

function rig(profile: string): Rig {
  const rig = new Rig(profile, BUSY_FUNCTIONS);
  for (const action of [OPS, filterOn('ops#1', 'f1'), filterOn('gops#1.ops', 'f1')]) rig.answer(action);
  return rig;
}

describe.each(KERNELS)('%s: kfree()', (profile) => {
  it.each(OBJECTS)(
    'of %s is its owner’s mistake while it is registered, and after it was freed',
    (object, come, go) => {
      const fixture = rig(profile);
      if (fixture.answer(come) === 'EOPNOTSUPP') return expect(profile).toBe('6.1');
      const free = { do: 'kfree', object } as const;
      expect(fixture.answer(free)).toBe('EBADF');
      expect(fixture.call('f1').who.length).toBeGreaterThan(1);
      expect([go, free, free, come].map((action) => fixture.answer(action))).toEqual([
        0,
        0,
        'EBADF',
        'EBADF',
      ]);
      expect(fixture.call('f1').who).toEqual(['f1']);
    },
  );

  test('leaves nothing of the object, and any later use crashes', () => {
    const fixture = rig(profile);
    fixture.answer({ do: 'kfree', object: 'ops#1' });
    expect(Object.keys(fixture.k.ftrace.ops).filter((name) => name.startsWith('ops#1'))).toEqual([]);
    expect(() => opsOf(fixture.k, 'ops#1')).toThrow('use after free: ops#1 has been freed');
  });

  test('is not for what the kernel has', () => {
    const fixture = rig(profile);
    for (const action of [load(1, 'fentry', 'f1'), link(1)]) fixture.answer(action);
    const objects = ['direct_ops', 'graph_ops', 'tr(f1).fops', 'link#1', 'prog#1', 'tramp#1', 'gops#1.ops'];
    expect(objects.map((object) => fixture.answer({ do: 'kfree', object }))).toEqual(
      objects.map(() => 'EBADF'),
    );
  });

  test('makes room for an ops of the same name', () => {
    const fixture = rig(profile);
    const register = { do: 'register_ftrace_function', ops: 'ops#1' } as const;
    const again = [
      { do: 'kfree', object: 'ops#1' } as const,
      register,
      OPS,
      filterOn('ops#1', 'f1'),
      register,
    ];
    expect(again.map((action) => fixture.answer(action))).toEqual([0, 'EBADF', 0, 0, 0]);
    expect(fixture.call('f1').who).toEqual(['ops#1', 'f1']);
  });
});
