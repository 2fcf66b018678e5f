import { without } from '../contract/changes.ts';
import { ofClient } from '../contract/footprint.ts';
import type { KretprobeId } from '../core/ids.ts';
import { unregisterKretprobe } from '../ftrace/kretprobe.ts';
import type { ClientCall } from './client-call.ts';
import { never, startedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * unregister_kretprobes() in kernel/kprobes.c: the kprobe as in unregister_kprobe(), and rethook_free() for the
 * pool, which clears its handler. Calls under way return through the trampoline and find no handler; each node
 * is dropped when it is recycled, and the last one frees the pool.
 */

export interface UnregisterKretprobe {
  readonly do: 'unregister_kretprobe';
  readonly kretprobe: KretprobeId;
}

export const unregisterKretprobeCall: ClientCall<UnregisterKretprobe> = {
  sentence: 'Unregisters a kretprobe.',
  examples: [{ do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' }],
  service: startedBy(unregisterKretprobe),
  role: 'detaches',
  returnsNothing: true,
  isMisuse: never,
  promised: (p, { kretprobe }) => without(p, kretprobe),
  isDoneAnyway: true,
  touched: (p, k, { kretprobe }) => ofClient(p, k, kretprobe),
  sharesOps: 'of kprobes',
  print: ({ do: name, kretprobe }) => called(name, kretprobe),
  parse: ({ name, args: [kretprobe = ''] }) =>
    name === 'unregister_kretprobe' ? { do: name, kretprobe } : undefined,
};
