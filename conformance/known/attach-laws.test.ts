import { expect, test } from 'vitest';
import { searchToEnd } from '../../checker/sequences/search.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { detachNeedsNoMemory } from '../../properties/ftrace/detach-needs-no-memory.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { KNOWN_ATTACH } from './attach-all.ts';

/** The default run draws 400 with another seed. */
const SEQUENCES = THOROUGH ? 300 : 20;

test(`random sequences of ${SEQUENCES} break no law in an unlisted way`, () => {
  const seen = new Set<string>();
  for (const profile of KERNELS) {
    const search = { profile, seed: 2, sequences: SEQUENCES, laws: ATTACH_LAWS, known: KNOWN_ATTACH };
    const { witnesses, found } = searchToEnd(search);
    expect(found?.breach.finding).toBeUndefined();
    for (const law of witnesses.keys()) seen.add(law);
  }
  const unseen = ATTACH_LAWS.filter((law) => law !== detachNeedsNoMemory && !seen.has(law.name));
  expect(unseen.length).toBeLessThan(THOROUGH ? 1 : 16);
});
