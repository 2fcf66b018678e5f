import type { UpdateFtraceDirectDel } from '../../../model/client/update-ftrace-direct-del.ts';
import { actions } from '../draw/weighed.ts';
import { ANY_TABLE, tables } from './drawn-names.ts';
import { isAmongDirect } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { TABLE_LIFE, tableWeight } from './table-life.ts';

export const searchedUpdateFtraceDirectDel: SearchedCall<UpdateFtraceDirectDel> = {
  ...TABLE_LIFE,
  draw: ({ profile, ip }) => [
    actions(tableWeight(profile), 'update_ftrace_direct_del', { ops: ANY_TABLE, hash: tables(ip) }),
  ],
  isLikely: (p, { hash }) => isAmongDirect(p, hash, 'site and address'),
};
