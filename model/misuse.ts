import type { Action } from './action.ts';
import { isFreed, isInUse } from './client/kfree.ts';
import { profileNamed } from './core/profile.ts';
import { kprobeOf } from './ftrace/kretprobe.ts';
import {
  FTRACE_OPS_FL_DIRECT,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_INITIALIZED,
  filterOf,
  opsOf,
} from './ftrace/ops.ts';
import type { Kernel } from './kernel.ts';
import type { Module } from './text/module.ts';
import { isThere } from './text/module.ts';
import { isTracepoint } from './tracepoint/tracepoint.ts';

/**
 * What no client does, because this kernel has no such function, or because the crash would be its own: it uses an
 * object that it does not have, or clears or changes memory that the kernel uses. Such an action is not tried; it
 * answers EBADF. One switch on purpose: a list of the actions, each with its reason.
 */
export function isMisuse(k: Kernel, action: Action): boolean {
  if (k.ftrace.freed.length > 0 && usesFreed(k, action)) return true;
  const flags = (name: string) => opsOf(k, name).flags;
  const enabled = (name: string) => (flags(name) & FTRACE_OPS_FL_ENABLED) !== 0;
  const direct = (name: string) => (flags(name) & FTRACE_OPS_FL_DIRECT) !== 0;
  const perIp = profileNamed(k.profile).directApi === 'ip and multi';
  switch (action.do) {
    case 'ftrace_ops':
      return !isFreed(k, action.ops) && enabled(action.ops);
    case 'ftrace_free_filter':
      return enabled(action.ops);
    case 'ftrace_set_filter_ip':
    case 'ftrace_set_notrace':
      return enabled(action.ops) && direct(action.ops) && !k.ftrace.disabled;
    case 'register_ftrace_direct(ip)':
    case 'modify_ftrace_direct(ip)':
    case 'unregister_ftrace_direct(ip)':
      return !perIp;
    case 'update_ftrace_direct_add':
      if (Object.keys(action.hash).some((ip) => !isThere(k, ip))) return true;
      return profileNamed(k.profile).directApi !== 'ops and hash';
    case 'update_ftrace_direct_mod':
    case 'update_ftrace_direct_del':
      if (profileNamed(k.profile).directApi !== 'ops and hash') return true;
      return Object.keys(action.hash).some((ip) => !filterOf(k, action.ops).includes(ip));
    case 'register_ftrace_function':
      return opsOf(k, action.ops).func === '' || direct(action.ops);
    case 'unregister_ftrace_function':
      return direct(action.ops);
    case 'unregister_ftrace_direct':
      return perIp && (flags(action.ops) & FTRACE_OPS_FL_INITIALIZED) === 0;
    case 'unregister_ftrace_graph':
      return k.fgraph.gops[action.gops]?.registered !== true;
    case 'tracepoint_probe_register_prio':
    case 'tracepoint_probe_unregister':
      return !isTracepoint(k, action.tracepoint);
    case 'register_kprobe':
      return isElsewhere(k, action.kprobe, action.ip);
    case 'register_kretprobe':
      return isElsewhere(k, kprobeOf(action.kretprobe), action.ip);
    case 'register_fprobe_ips':
      if (namesTwice(action.ips)) return true;
      return k.probes.fprobes[action.fprobe] !== undefined && profileNamed(k.profile).fprobe === 'rethook';
    case 'BPF_PROG_LOAD':
      return k.bpf.progs[action.program.id]?.freed === false;
    case 'BPF_LINK_CREATE':
      if (k.bpf.progs[action.prog]?.probe !== '' && namesTwice(action.targets)) return true;
      return k.bpf.links[action.link] !== undefined;
    case 'BPF_RAW_TRACEPOINT_OPEN':
      return k.bpf.links[action.link] !== undefined;
    case 'init_module':
      return k.text.modules[action.module] === undefined;
    case 'delete_module':
      return k.text.modules[action.module] === undefined || isWaitedFor(k, k.text.modules[action.module]!);
    case 'kfree':
      return isInUse(k, action.object);
    case 'call':
      return !isThere(k, action.fn);
    default:
      return false;
  }
}

/** An object that the client has freed; only fresh memory may have its name. */
function usesFreed(k: Kernel, action: Action): boolean {
  if (action.do === 'ftrace_ops') return false;
  return Object.values(action).some((value) => typeof value === 'string' && isFreed(k, value));
}

/**
 * Whether a function is named more than once. An fprobe then runs once or as often as it was named, as its backend has
 * it, and nobody wants either.
 */
function namesTwice(ips: readonly string[]): boolean {
  return new Set(ips).size < ips.length;
}

/** A program that was loaded for a function of the module, and does not hold it: what it meets later is not modelled. */
function isWaitedFor({ bpf, profile }: Kernel, { functions, refcnt }: Module): boolean {
  if (refcnt > 0 || profileNamed(profile).moduleHeldBy !== 'image') return false;
  return Object.values(bpf.progs).some(
    ({ target, freed, dstTrampoline }) => !freed && dstTrampoline && functions.includes(target),
  );
}

/** A probe that is registered at another address. */
function isElsewhere(k: Kernel, kprobe: string, ip: string): boolean {
  return Object.entries(k.probes.kprobeTable).some(
    ([at, { probes }]) => at !== ip && probes.includes(kprobe),
  );
}
