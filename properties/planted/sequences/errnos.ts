import { refusalsHaveTheirErrno } from '../../ftrace/refusals-have-their-errno.ts';
import { directAdd } from './actions.ts';
import { edit, refusing } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs in which errno a refusal has. */
export const PLANTED_ERRNOS: readonly AttachPlanted[] = [
  {
    name: 'taken-site-is-busy',
    sentence: 'update_ftrace_direct_add() answers EBUSY for a site with a direct call.',
    history: undefined,
    law: refusalsHaveTheirErrno,
    profile: '7.2',
    edits: [edit('update_ftrace_direct_add', 'a site has a direct call', refusing('EBUSY'))],
    smallest: [directAdd(1), directAdd(1)],
    finding: 'update_ftrace_direct_add returns EINVAL: a site has a direct call / it returns EBUSY',
  },
];
