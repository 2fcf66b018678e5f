import { without } from '../contract/changes.ts';
import { ofClient } from '../contract/footprint.ts';
import type { KretprobeId } from '../core/ids.ts';
import { isOnStack, unregisterKretprobe } from '../ftrace/kretprobe.ts';
import { rethookOf } from '../ftrace/rethook.ts';
import type { KernelView } from '../kernel.ts';
import type { ClientCall } from './client-call.ts';
import { startedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * unregister_kretprobes() in kernel/kprobes.c: the kprobe as in unregister_kprobe(), and rethook_free() for the
 * pool, which clears its handler. Calls under way return through the trampoline and find no handler; each node
 * is dropped when it is recycled, and the last one frees the pool. Of one that is not registered the pool is NULL or was
 * freed: an oops in rethook_free(), through the fault of the client (seen on 6.1.192; 6.12.117 has the same source).
 */

export interface UnregisterKretprobe {
  readonly do: 'unregister_kretprobe';
  readonly kretprobe: KretprobeId;
}

/** Whether it was registered, and has not been unregistered since: also one that could not be disarmed then. */
function hasPool(k: KernelView, kretprobe: KretprobeId): boolean {
  return isOnStack(k) || rethookOf(k, kretprobe)?.handler === true;
}

export const unregisterKretprobeCall: ClientCall<UnregisterKretprobe> = {
  sentence: 'Unregisters a kretprobe.',
  examples: [{ do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' }],
  service: startedBy(unregisterKretprobe),
  role: 'detaches',
  returnsNothing: true,
  // rethook_free() would follow rp->rh, which is NULL or was freed.
  isMisuse: (k, { kretprobe }) => !hasPool(k, kretprobe),
  promised: (p, { kretprobe }) => without(p, kretprobe),
  isDoneAnyway: true,
  touched: (p, k, { kretprobe }) => ofClient(p, k, kretprobe),
  sharesOps: 'of kprobes',
  print: ({ do: name, kretprobe }) => called(name, kretprobe),
  parse: ({ name, args: [kretprobe = ''] }) =>
    name === 'unregister_kretprobe' ? { do: name, kretprobe } : undefined,
};
