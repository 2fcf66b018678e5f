import { without } from '../contract/changes.ts';
import { ofClient } from '../contract/footprint.ts';
import type { KprobeId } from '../core/ids.ts';
import { unregisterKprobe } from '../ftrace/unregister-kprobe.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * unregister_kprobe() in kernel/kprobes.c: __unregister_kprobe_top() under `kprobe_mutex`, then
 * synchronize_rcu() for the handlers, then the second half. Nothing is returned. A probe that could not be
 * disarmed stays in the table with `addr` cleared, and a caller that frees it cannot know.
 */

export interface UnregisterKprobe {
  readonly do: 'unregister_kprobe';
  readonly kprobe: KprobeId;
}

export const unregisterKprobeCall: ClientCall<UnregisterKprobe> = {
  sentence: 'Unregisters a kprobe.',
  examples: [{ do: 'unregister_kprobe', kprobe: 'kprobe#1' }],
  service: servedBy(unregisterKprobe, argsOf),
  role: 'detaches',
  returnsNothing: true,
  isMisuse: never,
  promised: (p, { kprobe }) => without(p, kprobe),
  isDoneAnyway: true,
  touched: (p, k, { kprobe }) => ofClient(p, k, kprobe),
  sharesOps: 'of kprobes',
  print: ({ do: name, kprobe }) => called(name, kprobe),
  parse: ({ name, args: [kprobe = ''] }) => (name === 'unregister_kprobe' ? { do: name, kprobe } : undefined),
};
