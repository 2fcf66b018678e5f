import type { UpdateFtraceDirectMod } from '../../../model/client/update-ftrace-direct-mod.ts';
import { actions } from '../draw/weighed.ts';
import { ANY_TABLE, tables } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { isAmongDirect } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { tableWeight } from './site-life.ts';

export const searchedUpdateFtraceDirectMod: SearchedCall<UpdateFtraceDirectMod> = {
  draw: ({ profile, ip }) => [
    actions(tableWeight(profile), 'update_ftrace_direct_mod', { ops: ANY_TABLE, hash: tables(ip) }),
  ],
  isLikely: (p, { hash }) => isAmongDirect(p, hash, 'site'),
  effort: 8,
  optionEffort: ({ hash }) => Object.keys(hash).length,
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
};
