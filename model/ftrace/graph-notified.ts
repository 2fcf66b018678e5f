import { warn } from '../core/world.ts';
import type { FgraphWorld } from './fgraph.ts';

/* What else notifies function graph as long as it has users: the suspend of the machine, and sched_switch. */

/** register_pm_notifier(), whose errno is dropped. */
export function registerPmNotifier(k: FgraphWorld): void {
  if (k.fgraph.suspendNotifier)
    warn(k, { is: 'notifier there already', notifier: 'ftrace_suspend_notifier' });
  k.fgraph.suspendNotifier = true;
}

export function unregisterPmNotifier(k: FgraphWorld): void {
  k.fgraph.suspendNotifier = false;
}

/** func_add() and tracepoint_add_func(), called by register_trace_sched_switch(). */
export function hasSwitchProbe(k: FgraphWorld): boolean {
  const { switchProbe } = k.fgraph;
  if (switchProbe)
    warn(k, {
      is: 'probe there already',
      func: 'ftrace_graph_probe_sched_switch',
      tracepoint: 'sched_switch',
    });
  return switchProbe;
}
