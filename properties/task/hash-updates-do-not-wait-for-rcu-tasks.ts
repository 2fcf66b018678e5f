import type { Action } from '../../model/client/all.ts';
import { multiLinksOnGraph } from '../../model/contract/on-graph.ts';
import { readObjectName } from '../../model/core/object-name.ts';
import { entry } from '../../model/core/present.ts';
import type { Profile } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { FtraceOps } from '../../model/ftrace/ops.ts';
import { FTRACE_OPS_FL_DYNAMIC, FTRACE_OPS_FL_ENABLED } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';

/**
 * I-46: what makes attaching fast. Only the interface by hashes promises it. A dynamic ops is waited for when its
 * last site is removed, like any other.
 */
export const hashUpdatesDoNotWaitForRcuTasks: TaskLaw = {
  name: 'task/hash-updates-do-not-wait-for-rcu-tasks',
  sentence:
    'Attaching, changing or detaching through a hash of sites waits for no RCU-tasks grace period, unless that frees the ops.',
  source:
    'kernel/trace/ftrace.c update_ftrace_direct_add, update_ftrace_direct_mod, update_ftrace_direct_del',
  witness: 'a direct call added or changed through a hash of sites',
  lacks: (profile) =>
    hasTables(profile) ? undefined : 'the kernel makes no direct calls by a table of sites',
  judge: ({ kernel, happening }) => {
    if (happening.is === 'operation over')
      return isByTable(kernel, happening.done.action) ? 'held' : 'not applicable';
    if (happening.is !== 'operation waits' || !isByTable(kernel, happening.action)) return 'not applicable';
    const { action, flavour } = happening;
    if (!flavour.startsWith('rcu_tasks') || mayBeFreed(kernel, action)) return 'not applicable';
    return { is: 'operation-waits', action: action.do, flavour };
  },
};

/**
 * ftrace_shutdown(): the ops is disabled, and waited for because its client may now free it. In designs with one ops
 * per trampoline, a link that takes the last function from a trampoline releases such an ops.
 */
function mayBeFreed({ ftrace }: KernelView, action: Action): boolean {
  if (action.do === 'update_ftrace_direct_del') return isLetGo(entry(ftrace.ops, action.ops));
  return Object.entries(ftrace.ops).some(
    ([name, ops]) => readObjectName(name).owner === 'trampoline' && isLetGo(ops),
  );
}

function isLetGo({ flags }: Pick<FtraceOps, 'flags'>): boolean {
  return (flags & FTRACE_OPS_FL_DYNAMIC) !== 0 && (flags & FTRACE_OPS_FL_ENABLED) === 0;
}

function hasTables({ directApi }: Profile): boolean {
  return directApi === 'ops and hash';
}

function isByTable(k: KernelView, action: Action): boolean {
  const { bpf } = k;
  if (!hasTables(profileNamed(k.profile))) return false;
  const kind = 'link' in action ? bpf.links[action.link]?.kind : undefined;
  // The link of a perf event waits for hits that run its program, and changes no site.
  if (kind === 'perf event' || (multiLinksOnGraph(k) && kind === 'tracing multi')) return false;
  if (action.do.startsWith('update_ftrace_direct_')) return true;
  const attaches = action.do === 'BPF_LINK_CREATE' || action.do === 'BPF_RAW_TRACEPOINT_OPEN';
  return (attaches && bpf.progs[action.prog]?.probe === '') || action.do === 'close(link)';
}
