import { without } from '../contract/changes.ts';
import { ofClient } from '../contract/footprint.ts';
import type { KprobeId } from '../core/ids.ts';
import { unregisterKprobe } from '../ftrace/unregister-kprobe.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { called } from './spelling.ts';

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
