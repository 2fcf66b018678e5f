import { describe, expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { Action } from '../../model/client/all.ts';
import { moduleFunction } from '../../model/trampoline/traced-function.ts';
import { rendered } from '../../properties/finding/render.ts';
import { callSitesMatchOps } from '../../properties/ftrace/call-sites-match-ops.ts';
import { detachingEverythingRestoresBootState } from '../../properties/ftrace/detaching-everything-restores-boot-state.ts';
import { noCallbacksWhileTracingIsOff } from '../../properties/ftrace/no-callbacks-while-tracing-is-off.ts';
import { recordFlagsMatchOps } from '../../properties/ftrace/record-flags-match-ops.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { callOf } from '../../properties/observed/sample-call.ts';
import { attached, load } from '../../properties/planted/sequences/actions.ts';
import { referenceCountsAreExact } from '../../properties/trampoline/reference-counts-are-exact.ts';
import { targetModulesStayLoaded } from '../../properties/trampoline/target-modules-stay-loaded.ts';
import { KNOWN_TARGETS } from './attach-targets.ts';

const F1 = moduleFunction('f1', 1, 'u64 -> u64', 'm1');
const UNLOAD: Action = { do: 'delete_module', module: 'm1' };
const LOAD: Action = { do: 'init_module', module: 'm1' };

function run(profile: string, law: AttachLaw, actions: readonly Action[]) {
  return runSequence({ profile, functions: [F1], actions }, { laws: [law], known: KNOWN_TARGETS });
}

describe.each(['6.1', '6.12', '7.2'])('%s', (profile) => {
  const whileOff: readonly Action[] = [
    UNLOAD,
    { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false },
    { do: 'register_ftrace_function', ops: 'ops#1' },
    { do: 'kernel.ftrace_enabled', value: false },
    LOAD,
    callOf(F1, 0),
  ];

  test.each([
    [recordFlagsMatchOps, 'count 1, ENABLED | TRAMP | TRAMP_EN'],
    [callSitesMatchOps, 'it holds call ops#1.trampoline'],
    [noCallbacksWhileTracingIsOff, 'ops#1 does'],
  ] as const)('a module that is loaded while tracing is off is traced: a known breach', (law, observed) => {
    const { breach, known } = run(profile, law, whileOff);
    expect(rendered(breach!.finding).observed).toBe(observed);
    expect(known!.name).toBe(`module-loaded-while-tracing-is-off-seen-by-${law.name.replace('ftrace/', '')}`);
  });

  test.each([referenceCountsAreExact, targetModulesStayLoaded])(
    'a program that holds its module is a witness',
    (law) => {
      const { breach, witnesses, outcomes } = run(profile, law, [...attached('fentry'), UNLOAD]);
      expect(breach).toBeUndefined();
      expect([...witnesses]).toEqual([law]);
      expect(outcomes.at(-1)!.errno).toBe('EAGAIN');
    },
  );
});

test.each(['6.1', '6.12', '7.2'])(
  '%s: a program lets go of its module with its last reference',
  (profile) => {
    const { breach } = run(profile, referenceCountsAreExact, [load(1), { do: 'close(prog)', prog: 1 }]);
    expect(breach).toBeUndefined();
  },
);

test('a direct call by (ip, addr) of an unloaded module stays: a known breach of 6.1', () => {
  const { breach, known } = run('6.1', detachingEverythingRestoresBootState, [
    { do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' },
    UNLOAD,
    { do: 'settle' },
  ]);
  expect(rendered(breach!.finding).observed).toBe('direct_ops on ftrace_ops_list is left');
  expect(known!.name).toBe('direct-call-of-an-unloaded-module-stays');
});

test('an image whose site could not be changed keeps its reference on the module: a known breach of 6.1', () => {
  const { breach, known } = run('6.1', referenceCountsAreExact, [
    ...attached('fentry'),
    { do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code' } },
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
    { do: 'close(link)', link: 'link#1' },
  ]);
  expect(breach!.finding).toEqual({
    is: 'references-differ',
    of: { is: 'module', module: 'm1' },
    expected: 0,
    observed: 1,
  });
  expect(known!.name).toBe('module-of-a-call-site-that-could-not-change');
});
