import { expect, test } from 'vitest';
import type { AttachSearched } from '../../checker/sequences/search.ts';
import type { ReturnSite } from '../../counterexamples/sequences/sites.ts';
import type { SequenceSearch } from './attach-search.ts';
import { sitesText } from './attach-search.ts';

const SITES: readonly ReturnSite[] = [
  { site: 'a', reached: ['6.1', '6.12', '7.2'] },
  { site: 'b', reached: ['6.12'], seldom: ['7.2'] },
  { site: 'c', reached: ['7.2'] },
  { site: 'd', reached: [], never: 'an ops that is enabled is on the list' },
];

const SEARCH: SequenceSearch = {
  ...{ profiles: [], laws: [], unasked: [], planted: undefined, known: [], seed: 1, sequences: 1 },
  ...{ sites: SITES, reachesSites: false, printsSites: false },
};

const SEARCHED: AttachSearched = {
  ...{
    sequences: 1,
    actions: 1,
    calls: 0,
    died: 0,
    witnesses: new Map(),
    known: new Map(),
    behindKnown: new Set<string>(),
  },
  found: undefined,
};

function missed(taken: Readonly<Record<string, readonly string[]>>): string[] {
  const parts = Object.entries(taken).map(([profile, sites]) => ({
    profile,
    searched: SEARCHED,
    sites: new Map(sites.map((site) => [site, 1])),
  }));
  return sitesText(SEARCH, parts);
}

test('return sites are counted in each kernel that has a way there', () => {
  expect(missed({ '6.1': ['a'], '6.12': ['a', 'b'], '7.2': ['a', 'b', 'c'] })).toEqual([]);
  expect(missed({ '6.1': [], '6.12': ['a', 'b'], '7.2': ['a'] })).toEqual([
    '1 of 1 return site of 6.1',
    '2 of 3 of 7.2',
  ]);
});

test('a kernel with another behaviour has the sites of its version', () => {
  expect(missed({ '6.12, imageLifecycle = C': ['a'] })).toEqual([
    '1 of 2 return sites of 6.12, imageLifecycle = C',
  ]);
});
