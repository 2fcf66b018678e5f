import { switched } from '../contract/changes.ts';
import { ofClient } from '../contract/footprint.ts';
import type { KprobeId, KretprobeId } from '../core/ids.ts';
import { disableKprobe } from '../ftrace/disable-kprobe.ts';
import type { ClientCall } from './client-call.ts';
import { never, servedBy } from './client-call.ts';
import { kprobeNamed, printedSwitch, readSwitch } from './switched-probe.ts';

/*
 * disable_kprobe() in kernel/kprobes.c, and disable_kretprobe(), which calls it for the kprobe that a kretprobe
 * embeds. EINVAL for a probe that is not registered; the errno of disarming for the last enabled probe of an
 * address, which then stays enabled.
 */

/** A disabled probe keeps its place in the list of its address, and its post_handler there. */
export interface DisableKprobe {
  readonly do: 'disable_kprobe';
  readonly kp: KprobeId | KretprobeId;
}

export const disableKprobeCall: ClientCall<DisableKprobe> = {
  sentence: 'A kprobe or kretprobe stays registered, and its handlers are no longer called.',
  examples: [
    { do: 'disable_kprobe', kp: 'kprobe#1' },
    { do: 'disable_kprobe', kp: 'kretprobe#1' },
  ],
  service: servedBy(disableKprobe, kprobeNamed),
  role: 'changes',
  isMisuse: never,
  promised: (p, { kp }) => switched(p, kp, false),
  registered: ({ kp }) => kp,
  touched: (p, k, { kp }) => ofClient(p, k, kp),
  sharesOps: 'of kprobes',
  print: (action) => printedSwitch(action),
  parse: (line) => readSwitch('disable_kprobe', line),
};
