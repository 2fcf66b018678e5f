import { readObjectName } from '../core/object-name.ts';
import { subopsOf } from '../ftrace/fgraph.ts';
import { freeOps } from '../ftrace/filter-hash.ts';
import { isListed } from '../ftrace/kprobe-table.ts';
import { kprobeOf } from '../ftrace/kretprobe.ts';
import { FTRACE_OPS_FL_ENABLED } from '../ftrace/ops.ts';
import { forgetPool, isFprobeRegistered } from '../ftrace/probes.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import type { ClientCall } from './client-call.ts';
import { unchanged } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * Objects that clients free: an ops, a user of function graph, a kprobe, a kretprobe, an fprobe. A kernel
 * function that still uses such an object, be it a call that is under way, crashes.
 */

/**
 * kfree() of an ops, of a user of function graph, a kprobe, a kretprobe or an fprobe. It waits for nothing: the
 * unregister functions have waited, if they do (unregister_ftrace_graph() does not).
 */
export interface Kfree {
  readonly do: 'kfree';
  readonly object: string;
}

export const kfreeCall: ClientCall<Kfree> = {
  sentence: 'Gives the memory of an object back that is not registered.',
  examples: [{ do: 'kfree', object: 'ops#1' }],
  service: {
    by: 'client',
    atOnce(k, { object }) {
      kfree(k, object);
      return 0;
    },
  },
  role: 'something else',
  isMisuse: (k, { object }) => isInUse(k, object),
  promised: unchanged,
  touched: (_p, _k, { object }) => ({ functions: [], objects: [object] }),
  print: ({ do: name, object }) => called(name, object),
  parse: ({ name, args: [object = ''] }) => (name === 'kfree' ? { do: name, object } : undefined),
};

/**
 * kfree() of a client's object, with the hashes and the embedded objects that belong to it: `gops->ops`,
 * `rp->kp`. All names are marked as freed, so that a later access is a crash and not a lookup that finds
 * nothing.
 */
function kfree(k: Kernel, object: string): void {
  for (const ops of [object, subopsOf(object)]) if (k.ftrace.ops[ops] !== undefined) freeOps(k, ops);
  delete k.fgraph.gops[object];
  for (const kprobe of [object, kprobeOf(object)]) delete k.probes.kprobes[kprobe];
  delete k.probes.kretprobes[object];
  delete k.probes.fprobes[object];
  forgetPool(k, object);
  k.ftrace.freed.push(object, subopsOf(object));
}

/** Memory of this name is taken again. */
export function allocated(k: Kernel, object: string): void {
  k.ftrace.freed = k.ftrace.freed.filter((name) => name !== object && name !== subopsOf(object));
}

export function isFreed({ ftrace }: KernelView, object: string): boolean {
  return ftrace.freed.includes(object);
}

/**
 * Whether it is no client's to free: the kernel's own, one that is embedded in another, or one that is
 * registered. The state decides, not the answer of the last call: a kprobe whose disarming failed is still in
 * `kprobe_table`.
 */
function isInUse(k: KernelView, object: string): boolean {
  const { owner, isPart } = readObjectName(object);
  if (owner !== 'client' || isPart) return true;
  const ops = k.ftrace.ops[object];
  if (ops !== undefined && ((ops.flags & FTRACE_OPS_FL_ENABLED) !== 0 || k.ftrace.opsList.includes(object)))
    return true;
  if (k.fgraph.gops[object]?.registered === true) return true;
  return isListed(k, object) || isListed(k, kprobeOf(object)) || isFprobeRegistered(k, object);
}
