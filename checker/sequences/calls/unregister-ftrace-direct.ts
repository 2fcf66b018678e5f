import fc from 'fast-check';
import type { UnregisterFtraceDirect } from '../../../model/client/unregister-ftrace-direct.ts';
import { actions } from '../draw/weighed.ts';
import { ADDR, DIRECT } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedUnregisterFtraceDirect: SearchedCall<UnregisterFtraceDirect> = {
  draw({ profile }) {
    const freeFilters = profile.directApi === 'ip and multi' ? fc.constant(false) : fc.boolean();
    return [actions(4, 'unregister_ftrace_direct', { ops: DIRECT, addr: ADDR, freeFilters })];
  },
  isLikely: (p, { ops, addr }) => p.clients.some(({ object, who }) => object === ops && who === addr),
  rashness: 3,
  effort: 4,
  optionEffort: ({ freeFilters }) => count(freeFilters),
  plainer: (action) => [{ ...action, freeFilters: false }],
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
  next: ({ ops }) => ({ word: 'free', action: { do: 'kfree', object: ops } }),
  givesBack: ({ ops }) => ({ do: 'kfree', object: ops }),
};
