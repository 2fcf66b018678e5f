import { profileNamed } from '../../model/core/profile.ts';
import { FTRACE_OPS_FL_ENABLED, GRAPH_OPS } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import { SITE_BYTES } from '../../model/text/text.ts';
import { INT3 } from '../../model/text/view.ts';
import type { Counter } from '../finding/state-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { hasFlag } from '../observed/tracing-ops.ts';

/** I-10. */
export const userCountsMatchUsers: AttachLaw = {
  name: 'ftrace/user-counts-match-users',
  sentence:
    'Each user count equals the number of users: of ftrace, of function graph, of kprobes and of fprobes; function graph is notified of suspends exactly while it has users, and its filter counts a function once.',
  source:
    'kernel/trace/ftrace.c  ftrace_start_up; kernel/trace/fgraph.c  ftrace_graph_active, ftrace_suspend_notifier; kernel/kprobes.c  kprobe_ftrace_enabled; kernel/trace/fprobe.c  nr_fgraph_fprobes',
  witness: 'a user of ftrace, function graph, kprobes or fprobes',
  settled: true,
  judge: (moment) => {
    if (!isAlive(moment)) return 'not applicable';
    let witness = false;
    for (const [counter, counted, users] of counters(moment.after)) {
      witness ||= users > 0;
      if (counted !== users) return { is: 'counter-differs', counter, expected: users, observed: counted };
    }
    return witness ? 'held' : 'not applicable';
  },
};

/** Each counter, its value, and the number of its users. */
function counters(k: KernelView): [Counter, number, number][] {
  const { ftrace, fgraph, probes } = k;
  const enabled = ftrace.opsList.filter((name) => hasFlag(ftrace.ops[name], FTRACE_OPS_FL_ENABLED));
  const single = profileNamed(k.profile).fgraph === 'single';
  const listed = single ? [fgraph.directGops] : fgraph.array;
  const users = listed.filter((name) => name !== '').length;
  const sites = Object.values(probes.kprobeTable).filter(({ disabled }) => !disabled);
  const inBodies = Object.values(k.text.probed).filter(isArmed).length;
  const fprobes = Object.values(probes.fprobes);
  const functions = (exit: boolean) =>
    fprobes.reduce((n, fprobe) => (fprobe.exit === exit ? n + fprobe.ips.length : n), 0);
  const onGraph = Object.keys(probes.fprobeTable).length > 0;
  return [
    ['ftrace_start_up', ftrace.startUp, enabled.length],
    ['ftrace_ops_list', ftrace.opsList.length, enabled.length],
    ['ftrace_graph_active', fgraph.active, users],
    ['ftrace_suspend_notifier', Number(fgraph.suspendNotifier), Math.min(1, fgraph.active)],
    ['subops of graph_ops', fgraph.subops.length, single ? 0 : users],
    ['functions of graph_ops', filterLength(k, GRAPH_OPS), new Set(k.ftrace.ops[GRAPH_OPS]?.filter).size],
    ['kprobe_ftrace_enabled', probes.armed.kprobe_ftrace_ops!, filterLength(k, 'kprobe_ftrace_ops')],
    ['kprobe_ipmodify_enabled', probes.armed.kprobe_ipmodify_ops!, filterLength(k, 'kprobe_ipmodify_ops')],
    [
      'armed kprobes',
      inBodies + probes.armed.kprobe_ftrace_ops! + probes.armed.kprobe_ipmodify_ops!,
      sites.length,
    ],
    ['nr_fgraph_fprobes', probes.fprobeNodes.fprobe_graph_ops!, onGraph ? functions(true) : 0],
    ['nr_ftrace_fprobes', probes.fprobeNodes.fprobe_ftrace_ops!, onGraph ? functions(false) : 0],
  ];
}

/** An int3, or the jump of an optimised kprobe. */
function isArmed(bytes: string): boolean {
  return bytes.startsWith(INT3) || (bytes.length === 2 * SITE_BYTES && bytes.startsWith('e9'));
}

function filterLength(k: KernelView, name: string): number {
  return k.ftrace.ops[name]?.filter.length ?? 0;
}
