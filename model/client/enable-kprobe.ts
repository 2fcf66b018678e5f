import { switched } from '../contract/changes.ts';
import { ofClient } from '../contract/footprint.ts';
import type { KprobeId, KretprobeId } from '../core/ids.ts';
import { enableKprobe } from '../ftrace/disable-kprobe.ts';
import type { ClientCall } from './client-call.ts';
import { never, servedBy } from './client-call.ts';
import { kprobeNamed, printedSwitch, readSwitch } from './switched-probe.ts';

/*
 * enable_kprobe() in kernel/kprobes.c, and enable_kretprobe(), which calls it for the kprobe that a kretprobe embeds.
 * EINVAL for a probe that is not registered, or whose module has been unloaded; then the errnos of arming, for the
 * first enabled probe of an address: EBUSY of an IPMODIFY ops, if any probe of the list has a post_handler.
 */

export interface EnableKprobe {
  readonly do: 'enable_kprobe';
  readonly kp: KprobeId | KretprobeId;
}

export const enableKprobeCall: ClientCall<EnableKprobe> = {
  sentence: 'The handlers of a disabled kprobe or kretprobe are called again.',
  examples: [
    { do: 'enable_kprobe', kp: 'kprobe#1' },
    { do: 'enable_kprobe', kp: 'kretprobe#1' },
  ],
  service: servedBy(enableKprobe, kprobeNamed),
  role: 'changes',
  isMisuse: never,
  promised: (p, { kp }) => switched(p, kp, true),
  registered: ({ kp }) => kp,
  touched: (p, k, { kp }) => ofClient(p, k, kp),
  sharesOps: 'of kprobes',
  print: (action) => printedSwitch(action),
  parse: (line) => readSwitch('enable_kprobe', line),
};
