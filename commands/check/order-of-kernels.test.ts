import { expect, test } from 'vitest';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { sequenceJob } from './attach-job.ts';

/** The answer of a search in kernels in this order. */
function answered(profiles: readonly string[]) {
  const { json, exit } = toEnd(
    sequenceJob({
      profiles,
      laws: ATTACH_LAWS,
      unasked: [],
      planted: undefined,
      known: KNOWN_ATTACH,
      seed: 2,
      sequences: THOROUGH ? 400 : 6,
      sites: [],
      reachesSites: false,
      printsSites: false,
    }),
  );
  const { kernels, laws } = json as Readonly<Record<'kernels' | 'laws', readonly Record<string, unknown>[]>>;
  return {
    exit,
    laws,
    kernels: kernels.toSorted((a, b) => (String(a['kernel']) < String(b['kernel']) ? -1 : 1)),
  };
}

test('a kernel is searched alike, whichever was searched before it', { timeout: 600_000 }, () => {
  const forth = answered(KERNELS);
  expect(forth.kernels.map(({ kernel }) => kernel)).toEqual([...KERNELS].sort());
  expect(answered(KERNELS.toReversed())).toEqual(forth);
  const alone = KERNELS.map((kernel) => answered([kernel]).kernels[0]);
  expect(forth.kernels).toEqual(expect.arrayContaining(alone));
});
