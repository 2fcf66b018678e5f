import fc from 'fast-check';
import type { UnregisterFtraceDirect } from '../../../model/client/unregister-ftrace-direct.ts';
import { actions } from '../draw/weighed.ts';
import { DIRECT_LIFE } from './direct-life.ts';
import { ADDR, DIRECT } from './drawn-names.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedUnregisterFtraceDirect: SearchedCall<UnregisterFtraceDirect> = {
  ...DIRECT_LIFE,
  draw({ profile }) {
    const freeFilters = profile.directApi === 'ip and multi' ? fc.constant(false) : fc.boolean();
    return [actions(4, 'unregister_ftrace_direct', { ops: DIRECT, addr: ADDR, freeFilters })];
  },
  isLikely: (p, { ops, addr }) => p.clients.some(({ object, who }) => object === ops && who === addr),
  rashness: 3,
  optionEffort: ({ freeFilters }) => count(freeFilters),
  plainer: (action) => [{ ...action, freeFilters: false }],
  next: ({ ops }) => ({ word: 'free', action: { do: 'kfree', object: ops } }),
  givesBack: ({ ops }) => ({ do: 'kfree', object: ops }),
};
