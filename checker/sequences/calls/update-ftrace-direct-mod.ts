import type { UpdateFtraceDirectMod } from '../../../model/client/update-ftrace-direct-mod.ts';
import { actions } from '../draw/weighed.ts';
import { ANY_TABLE, tables } from './drawn-names.ts';
import { isAmongDirect } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { TABLE_LIFE, tableWeight } from './table-life.ts';

export const searchedUpdateFtraceDirectMod: SearchedCall<UpdateFtraceDirectMod> = {
  ...TABLE_LIFE,
  draw: ({ profile, ip }) => [
    actions(tableWeight(profile), 'update_ftrace_direct_mod', { ops: ANY_TABLE, hash: tables(ip) }),
  ],
  isLikely: (p, { hash }) => isAmongDirect(p, hash, 'site'),
};
