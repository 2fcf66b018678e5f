import { expect, test } from 'vitest';
import { searchToEnd } from '../../checker/sequences/search.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { detachingNeedsNoMemory } from '../../properties/ftrace/detaching-needs-no-memory.ts';
import { KNOWN_ATTACH } from './attach-all.ts';

test('random sequences of 300 put each law but one to the test, and break none in a way that is not listed', () => {
  const seen = new Set<string>();
  for (const profile of KERNELS) {
    const search = { profile, seed: 1, sequences: 300, laws: ATTACH_LAWS, known: KNOWN_ATTACH };
    const { witnesses, found } = searchToEnd(search);
    expect(found?.breach.finding).toBeUndefined();
    for (const law of witnesses.keys()) seen.add(law);
  }
  const rare = detachingNeedsNoMemory;
  expect(ATTACH_LAWS.filter((law) => law !== rare && !seen.has(law.name)).map(({ name }) => name)).toEqual(
    [],
  );
});
