import type { UpdateFtraceDirectAdd } from '../../../model/client/update-ftrace-direct-add.ts';
import { actions } from '../draw/weighed.ts';
import { TABLE, tables } from './drawn-names.ts';
import { isAmongDirect } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { TABLE_LIFE, tableWeight } from './table-life.ts';

export const searchedUpdateFtraceDirectAdd: SearchedCall<UpdateFtraceDirectAdd> = {
  ...TABLE_LIFE,
  draw: ({ profile, ip }) => [
    actions(tableWeight(profile), 'update_ftrace_direct_add', { ops: TABLE, hash: tables(ip) }),
  ],
  isLikely: (p, { hash }) => isAmongDirect(p, hash, 'none'),
};
