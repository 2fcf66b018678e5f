import type { FprobeId, GraphOpsId, KprobeId, KretprobeId, OpsId } from '../../core/ids.ts';
import type { KernelObject } from '../../core/kernel-object.ts';
import { useAfterFree } from '../../core/oops.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import type { Gops } from '../fgraph.ts';
import type { FtraceOps } from '../ops.ts';
import type { Fprobe, Kprobe, Kretprobe, ProbeView, ProbeWorld } from '../probes.ts';

/*
 * Objects that a call reaches through a pointer that it has read before. If one was freed since, touching it is a
 * crash; `who` is the function that does.
 */

/**
 * Ops: freed by the client after unregister_ftrace_function(), which waits for DYNAMIC ones. Those that the kernel
 * itself freed while they were on the list are read all the same.
 */
export function opsInMemory(k: ProbeView, name: OpsId, who: string): DeepReadonly<FtraceOps> {
  return there(k.ftrace.ops[name] ?? k.ftrace.staleOps?.[name], { is: 'ops', name }, who);
}

/** Users of function graph: unregister_ftrace_graph() waits for no call. */
export function gopsInMemory(k: ProbeWorld, name: GraphOpsId, who: string): Gops;
export function gopsInMemory(k: ProbeView, name: GraphOpsId, who: string): DeepReadonly<Gops>;
export function gopsInMemory(k: ProbeView, name: GraphOpsId, who: string): DeepReadonly<Gops> {
  return there(k.fgraph.gops[name], { is: 'graph ops', name }, who);
}

/** Kprobes: freed after the RCU grace period of unregister_kprobe(). */
export function kprobeInMemory(k: ProbeWorld, name: KprobeId, who: string): Kprobe;
export function kprobeInMemory(k: ProbeView, name: KprobeId, who: string): DeepReadonly<Kprobe>;
export function kprobeInMemory(k: ProbeView, name: KprobeId, who: string): DeepReadonly<Kprobe> {
  return there(k.probes.kprobes[name], { is: 'kprobe', name }, who);
}

/** Kretprobes: like kprobes; their nodes may outlive them. */
export function kretprobeInMemory(k: ProbeWorld, name: KretprobeId, who: string): Kretprobe;
export function kretprobeInMemory(k: ProbeView, name: KretprobeId, who: string): DeepReadonly<Kretprobe>;
export function kretprobeInMemory(k: ProbeView, name: KretprobeId, who: string): DeepReadonly<Kretprobe> {
  return there(k.probes.kretprobes[name], { is: 'kretprobe', name }, who);
}

/** Fprobes: freed after unregister_fprobe(), or with the link that embeds them. */
export function fprobeInMemory(k: ProbeWorld, name: FprobeId, who: string): Fprobe;
export function fprobeInMemory(k: ProbeView, name: FprobeId, who: string): DeepReadonly<Fprobe>;
export function fprobeInMemory(k: ProbeView, name: FprobeId, who: string): DeepReadonly<Fprobe> {
  return there(k.probes.fprobes[name], { is: 'fprobe', name }, who);
}

/** A use after free is a crash here; a kernel without KASAN may run on with reused memory. */
function there<T>(found: T | undefined, object: KernelObject, who: string): T {
  if (found === undefined) throw useAfterFree(object, who);
  return found;
}
