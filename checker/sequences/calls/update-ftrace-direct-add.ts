import type { UpdateFtraceDirectAdd } from '../../../model/client/update-ftrace-direct-add.ts';
import { actions } from '../draw/weighed.ts';
import { TABLE, tables } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { isAmongDirect } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { tableWeight } from './site-life.ts';

export const searchedUpdateFtraceDirectAdd: SearchedCall<UpdateFtraceDirectAdd> = {
  draw: ({ profile, ip }) => [
    actions(tableWeight(profile), 'update_ftrace_direct_add', { ops: TABLE, hash: tables(ip) }),
  ],
  isLikely: (p, { hash }) => isAmongDirect(p, hash, 'none'),
  effort: 8,
  optionEffort: ({ hash }) => Object.keys(hash).length,
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
};
