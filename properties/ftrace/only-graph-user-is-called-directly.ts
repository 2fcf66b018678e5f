import type { Promises } from '../../model/contract/promises.ts';
import type { GraphOpsId } from '../../model/core/ids.ts';
import type { Profile } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { gopsOf } from '../../model/ftrace/fgraph.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** A dead ftrace changes no text; static branch and static calls are text of their own. */
export const onlyGraphUserIsCalledDirectly: AttachLaw = {
  name: 'ftrace/only-graph-user-is-called-directly',
  sentence:
    'Function graph calls its only user directly, at the entry and at the return; several users it finds in fgraph_array.',
  source:
    'kernel/trace/fgraph.c  register_ftrace_graph, unregister_ftrace_graph, function_graph_enter, __ftrace_return_to_handler',
  witness: 'a user of function graph',
  settled: true,
  lacks: (profile) => (hasOneUser(profile) ? 'function graph has one user at a time' : undefined),
  judge: ({ outcome, promises, after }) => {
    if (outcome.died !== undefined || hasOneUser(profileNamed(after.profile))) return 'not applicable';
    const users = usersOf(promises, after);
    if (users.length === 0) return 'not applicable';
    const direct = directUsers(after);
    const owed = users.length === 1 ? users : undefined;
    if (owed?.join() === direct?.join()) return 'held';
    return { is: 'graph-path-differs', users, direct: direct ?? null };
  },
};

function hasOneUser({ fgraph }: Profile): boolean {
  return fgraph === 'single';
}

/** Those that clients have registered, and the kernel's own, which no client registers. */
function usersOf({ clients }: Promises, k: KernelView): GraphOpsId[] {
  const own = k.fgraph.array.filter((name) => name !== '' && gopsOf(k, name).kind !== 'client');
  return [...clients.flatMap(({ kind, object }) => (kind === 'graph' ? [object] : [])), ...own];
}

/** What a call finds that does not walk the array: one user, unless its parts are of several; undefined: it walks. */
function directUsers({ fgraph }: KernelView): GraphOpsId[] | undefined {
  const { doDirect, directGops, directEntryfunc, directRetfunc } = fgraph;
  return doDirect ? [...new Set([directGops, directEntryfunc, directRetfunc])] : undefined;
}
