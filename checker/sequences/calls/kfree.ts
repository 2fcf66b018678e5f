import type { Kfree } from '../../../model/client/kfree.ts';
import { readObjectName } from '../../../model/core/object-name.ts';
import type { SearchedCall } from './searched-call.ts';
import { always, notDrawn } from './searched-call.ts';

export const searchedKfree: SearchedCall<Kfree> = {
  draw: notDrawn,
  isLikely: always,
  effort: 4,
  lifeOf: ({ object }) => object,
  objectsOf: ({ object }) => [`${kindOf(object)} ${object}`],
};

/** The field by which other actions name an object: `ops` of `direct#1`. */
function kindOf(object: string): string {
  const { kind } = readObjectName(object);
  return kind === 'direct' ? 'ops' : kind;
}
