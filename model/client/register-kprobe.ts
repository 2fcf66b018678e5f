import { joined, PLAIN } from '../contract/changes.ts';
import type { Ip, KprobeId } from '../core/ids.ts';
import { registerKprobe } from '../ftrace/kprobe.ts';
import type { ClientCall } from './client-call.ts';
import { servedBy } from './client-call.ts';
import { isElsewhere } from './registered-probe.ts';
import { called } from './spelling.ts';

export interface RegisterKprobe {
  readonly do: 'register_kprobe';
  readonly kprobe: KprobeId;
  readonly ip: Ip;
  /** It has a post_handler. */
  readonly post: boolean;
}

export const registerKprobeCall: ClientCall<RegisterKprobe> = {
  sentence:
    'A kprobe at the entry of a function; one with a post_handler needs another ops than one without.',
  examples: [
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: true },
  ],
  service: servedBy(registerKprobe, ({ kprobe, ip, post }) => ({ kprobe, ip, post, retprobe: '' })),
  role: 'attaches',
  isMisuse: (k, { kprobe, ip }) => isElsewhere(k, kprobe, ip),
  promised: (p, { kprobe, ip, post }) =>
    joined(p, { ...PLAIN, who: kprobe, object: kprobe, kind: 'kprobe', ips: [ip], post }),
  registered: ({ kprobe }) => kprobe,
  touched: (_p, _k, { kprobe, ip }) => ({ functions: [ip], objects: [kprobe] }),
  sharesOps: 'of kprobes',
  detach: ({ kprobe }) => ({ do: 'unregister_kprobe', kprobe }),
  print: ({ do: name, kprobe, ip, post }) => called(name, kprobe, ip, ...(post ? ['post_handler'] : [])),
  parse({ name, args: [kprobe = '', ip = '', ...handlers] }) {
    if (name !== 'register_kprobe') return undefined;
    return { do: name, kprobe, ip, post: handlers.includes('post_handler') };
  },
};
