import type { CFunction } from '../text/cpu.ts';
import type { ProbeWorld } from './probes.ts';
import { rethookRecycle } from './rethook.ts';

/**
 * do_task_dead(), kernel/sched/core.c, and what is taken back of the task afterwards: its hooked returns go back to
 * their pools without a call of a handler (rethook_flush_task()), its shadow stack is freed (ftrace_graph_exit_task()).
 * An image that it was in is not told.
 */
export const doTaskDead: CFunction<ProbeWorld> = (k) => {
  for (const { rethook } of k.probes.hooked) rethookRecycle(k, rethook);
  for (const { kretprobes } of k.fgraph.retStack)
    for (const name of kretprobes?.names ?? []) rethookRecycle(k, name);
  k.probes.hooked = [];
  k.fgraph.retStack = [];
  k.fgraph.used = 0;
  k.fgraph.overrun = 0;
};
