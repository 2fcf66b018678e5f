import type { CFunction } from '../text/cpu.ts';
import type { ProbeWorld } from './probes.ts';
import { rethookRecycle } from './rethook.ts';

/**
 * do_task_dead(), kernel/sched/core.c: a task ends in a function that does not return. Its hooked returns go back
 * to their pools without a handler being called (rethook_flush_task()), its shadow stack is freed
 * (ftrace_graph_exit_task()). A BPF image that it was in is not notified: the reference that __bpf_tramp_enter()
 * took is never dropped.
 */
export const doTaskDead: CFunction<ProbeWorld> = (k) => {
  for (const { rethook } of k.probes.hooked) rethookRecycle(k, rethook);
  for (const { kretprobes } of k.fgraph.retStack)
    for (const pool of kretprobes?.pools ?? []) rethookRecycle(k, pool);
  k.probes.hooked = [];
  k.fgraph.retStack = [];
  k.fgraph.used = 0;
  k.fgraph.overrun = 0;
};
