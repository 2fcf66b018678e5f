import { Oops } from '../../core/oops.ts';
import type { Gops } from '../fgraph.ts';
import type { FtraceOps } from '../ops.ts';
import type { Fprobe, Kprobe, Kretprobe, ProbeWorld } from '../probes.ts';

/*
 * Objects that a call follows a pointer to: it has read the name before. One that was freed since is not there any
 * more, and whoever touches it crashes; `who` is that function.
 */

export function opsInMemory(k: ProbeWorld, name: string, who: string): FtraceOps {
  return k.ftrace.ops[name] ?? freed(name, who);
}

export function gopsInMemory(k: ProbeWorld, name: string, who: string): Gops {
  return k.fgraph.gops[name] ?? freed(name, who);
}

export function kprobeInMemory(k: ProbeWorld, name: string, who: string): Kprobe {
  return k.probes.kprobes[name] ?? freed(name, who);
}

export function kretprobeInMemory(k: ProbeWorld, name: string, who: string): Kretprobe {
  return k.probes.kretprobes[name] ?? freed(name, who);
}

export function fprobeInMemory(k: ProbeWorld, name: string, who: string): Fprobe {
  return k.probes.fprobes[name] ?? freed(name, who);
}

function freed(name: string, who: string): never {
  throw new Oops('use after free', `${name} has been freed (${who})`);
}
