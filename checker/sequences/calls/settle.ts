import fc from 'fast-check';
import type { Settle } from '../../../model/client/settle.ts';
import { weighed } from '../draw/weighed.ts';
import type { SearchedCall } from './searched-call.ts';
import { always, noObjects } from './searched-call.ts';

export const searchedSettle: SearchedCall<Settle> = {
  draw: () => [weighed(3, fc.constant({ do: 'settle' }))],
  drawHits: () => [weighed(3, fc.constant({ do: 'settle' }))],
  isLikely: always,
  effort: 0,
  lifeOf: () => undefined,
  objectsOf: noObjects,
};
