import { describe, expect, test } from 'vitest';
import { runSequence } from '../checker/sequences/run-sequence.ts';
import { searchToEnd } from '../checker/sequences/search.ts';
import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { exampleOf } from '../conformance/known/attach-example.ts';
import { replaySchedule } from '../counterexamples/interleavings/task-replay.ts';
import { parseTaskTrace } from '../counterexamples/interleavings/task-trace.ts';
import { KERNELS } from '../model/core/profile.ts';
import { ensureOps, opsOf } from '../model/ftrace/ops.ts';
import { bootKernel } from '../model/kernel.ts';
import { isMisuse } from '../model/misuse.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import type { AttachLaw } from '../properties/law/sequence-law.ts';
import { ALL_TASK_LAWS } from '../properties/task-laws.ts';
import { deepFreeze, onFrozenKernels, onFrozenMoments } from './frozen.ts';
import { sources } from './sources.ts';
import { someOf, THOROUGH } from './thorough.ts';

const LAWS = ATTACH_LAWS.map(onFrozenMoments);

describe('looking does not write', () => {
  test.each(KERNELS)('no law writes into the kernels of random sequences on %s', (profile) => {
    const search = { profile, seed: 3, sequences: THOROUGH ? 30 : 8, laws: LAWS, known: KNOWN_ATTACH };
    expect(searchToEnd(search).found?.breach.finding).toBeUndefined();
  });

  test.each(someOf(KNOWN_ATTACH, 8).map((entry) => [entry.name, entry] as const))(
    'laws and lists find %s in kernels that cannot change',
    (_, entry) => {
      const laws = LAWS.filter(({ name }) => name === entry.law);
      expect(runSequence(exampleOf(entry), { laws, known: [entry] }).known).toBe(entry);
    },
  );

  const traces = sources('.trace').filter(({ path }) => path.startsWith('counterexamples/corpus/task/'));

  test.each(someOf(traces, 15).map(({ path, text }) => [path, text]))(
    'the trace %s is replayed alike on kernels that cannot change',
    (_, text) => {
      const trace = parseTaskTrace(text);
      const law = ALL_TASK_LAWS.find(({ name }) => name === trace.law);
      expect(law && replaySchedule(trace, onFrozenKernels(law)).kind).toBe('same');
    },
  );

  test('a law that writes is found out', () => {
    const writes: AttachLaw = onFrozenMoments({
      name: 'ftrace/writes',
      sentence: 'A law writes.',
      source: 'none',
      witness: 'a call was made',
      judge: ({ after }) => {
        Object.assign(after.ftrace, { enabled: false });
        return 'held';
      },
    });
    const [entry] = KNOWN_ATTACH;
    const { breach } = runSequence(exampleOf(entry!), { laws: [writes] });
    expect(breach?.finding).toMatchObject({ is: 'operation-dies', died: { is: 'exception' } });
  });
});

describe('a look-up', () => {
  const boot = () =>
    bootKernel({ profile: '6.12', boot: 'default', functions: exampleOf(KNOWN_ATTACH[0]!).functions });

  test('does not make what it looks for', () => {
    const k = deepFreeze(boot());
    expect(opsOf(k, 'ops#77').flags).toBe(0);
    expect(isMisuse(k, { do: 'register_ftrace_function', ops: 'ops#77' })).toBe(true);
    expect(k.ftrace.ops['ops#77']).toBeUndefined();
  });

  test('gives nothing that could be changed in vain', () => {
    expect(Object.isFrozen(opsOf(boot(), 'ops#77'))).toBe(true);
  });

  test('that makes what it is asked for says so by its name', () => {
    const k = boot();
    ensureOps(k, 'ops#77').flags = 1;
    expect(opsOf(k, 'ops#77').flags).toBe(1);
  });
});
