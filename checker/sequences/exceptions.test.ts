import { describe, expect, test } from 'vitest';
import { NotModelled } from '../../model/core/not-modelled.ts';
import { linkKernel } from '../../model/step.ts';
import { recordCountsMatchOps } from '../../properties/ftrace/record-counts-match-ops.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { edit, followedBy } from '../../properties/planted/sequences/edits.ts';
import { searchToEnd } from './search.ts';
import { UnmodelledSequence } from './unmodelled.ts';

/** Registering an ops, where another is registered, ends in what `thrown` throws. */
function searched(thrown: () => never, laws: readonly AttachLaw[] = [recordCountsMatchOps]) {
  const fault = followedBy((k) => {
    const { opsList } = (k as unknown as { ftrace: { opsList: string[] } }).ftrace;
    if (opsList.length > 1) thrown();
  });
  const program = linkKernel([edit('ftrace_startup', 'mark enabled and adding', fault)]);
  return searchToEnd({ profile: '6.12', seed: 2, sequences: 200, laws, known: [], program });
}

describe('an exception of a routine', () => {
  test('is a shrunk breach, whichever law is checked', () => {
    const { found } = searched(() => {
      throw new TypeError('nothing has flags');
    });
    expect(found?.breach.law.name).toBe('ftrace/operations-neither-oops-nor-hang');
    expect(found?.breach.finding).toMatchObject({
      is: 'operation-dies',
      died: { is: 'exception', error: 'TypeError: nothing has flags', file: 'exceptions.test' },
    });
    expect(found?.case.actions.length).toBeLessThan(5);
  });

  test('in what a law tries is a breach of that law', () => {
    const law: AttachLaw = {
      ...recordCountsMatchOps,
      judge: ({ after }) => {
        if (after.ftrace.opsList.length > 0) throw new RangeError('no copy');
        return 'held';
      },
    };
    const { found } = searchToEnd({ profile: '6.12', seed: 1, sequences: 200, laws: [law], known: [] });
    expect(found?.breach.finding).toMatchObject({ is: 'operation-dies', died: { is: 'exception' } });
    expect(found?.case.actions.length).toBeLessThan(4);
  });
});

test('what is not modelled is no breach, and comes with the simplest sequence that meets it', () => {
  const error = catching(() =>
    searched(() => {
      throw new NotModelled('a second ops: not modelled');
    }),
  );
  expect(error).toBeInstanceOf(UnmodelledSequence);
  const { sequence: c, drawn, message } = error as UnmodelledSequence;
  expect(message).toBe('a second ops: not modelled');
  expect(c.actions.length).toBeLessThan(5);
  expect(c.actions.length).toBeLessThanOrEqual(drawn);
});

function catching(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
