import type { Profile } from '../../../model/core/profile.ts';
import type { DirectHash } from '../../../model/ftrace/direct-hash.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';

/**
 * The part common to every call that changes an ops' table of direct calls: each entry of it is one more thing to
 * read.
 */
export const TABLE_LIFE = {
  effort: 8,
  optionEffort: ({ hash }: { readonly hash: DirectHash }) => Object.keys(hash).length,
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
};

/** How often such calls are drawn: only the newest kernels have them. */
export function tableWeight({ directApi }: Profile): number {
  return directApi === 'ops and hash' ? 3 : 0;
}
