import { describe, expect, test } from 'vitest';
import { KERNELS } from '../core/profile.ts';
import type { Kernel } from '../kernel.ts';
import { CLIENT, callInSteps, inFrontOf, seenBy, succeed, withClients } from '../testing/call-steps-rig.ts';

const { ops } = CLIENT;
const unregister = (name: string) => (k: Kernel) => succeed(k, 'unregister_ftrace_function', { ops: name });

describe.each(KERNELS)('in %s, the walk over ftrace_ops_list', (kernel) => {
  const three = () => withClients(kernel, ...ops('ops#1'), ...ops('ops#2'), ...ops('ops#3')).k;
  const [WALK, NEXT] = ['arch_ftrace_ops_list_func', 'there is a next ops'];

  test('calls an ops that was unregistered after it no more', () => {
    expect(seenBy(three(), inFrontOf(WALK, NEXT, unregister('ops#1')))).toEqual(['ops#3', 'ops#2', 'f1']);
  });

  test('continues after an ops that is unregistered while the walk is on it', () => {
    expect(seenBy(three(), inFrontOf(WALK, NEXT, unregister('ops#2'), 2))).toEqual([
      'ops#3',
      'ops#2',
      'ops#1',
      'f1',
    ]);
  });

  test.each([
    ['calls an ops that was unlinked after the one that it is on', ['ops#2', 'ops#1'], ['ops#1']],
    ['does not call an ops that was unlinked before the one that it is on', ['ops#1', 'ops#2'], []],
  ])('%s', (_, gone, called) => {
    const leave = (k: Kernel) => {
      for (const name of gone) unregister(name)(k);
    };
    expect(seenBy(three(), inFrontOf(WALK, NEXT, leave, 2))).toEqual(['ops#3', 'ops#2', ...called, 'f1']);
  });

  test('crashes where an ops is freed while the walk is on it', () => {
    const freed = (k: Kernel) => {
      unregister('ops#2')(k);
      delete k.ftrace.ops['ops#2'];
    };
    expect(() => callInSteps(three(), 'f1', inFrontOf(WALK, NEXT, freed, 2))).toThrow(
      'use after free: ops#2 has been freed (arch_ftrace_ops_list_func)',
    );
  });

  test('crashes where an ops loses its func between the test and the call', () => {
    const lost = (k: Kernel) => {
      k.ftrace.ops['ops#2']!.func = '';
    };
    expect(() => callInSteps(three(), 'f1', inFrontOf(WALK, 'ops->func', lost, 2))).toThrow(
      'NULL pointer: ops#2 has no func any more',
    );
  });

  test('reaches an ops that is registered again from where it stands now', () => {
    const again = (k: Kernel) => {
      unregister('ops#1')(k);
      succeed(k, 'register_ftrace_function', { ops: 'ops#1' });
      expect(k.ftrace.unlinked).toEqual({});
    };
    expect(seenBy(three(), inFrontOf(WALK, NEXT, again, 3))).toEqual([
      'ops#3',
      'ops#2',
      'ops#1',
      'ops#3',
      'ops#2',
      'f1',
    ]);
  });

  test('leaves nothing of an ops that was unregistered while no walk was under way', () => {
    const rig = withClients(kernel, ...ops('ops#1'), ...ops('ops#2'));
    rig.answer({ do: 'unregister_ftrace_function', ops: 'ops#1' });
    expect(rig.k.ftrace.unlinked).toEqual({});
  });
});
