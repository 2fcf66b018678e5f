import { joined, PLAIN } from '../contract/changes.ts';
import type { Ip, KretprobeId } from '../core/ids.ts';
import { wholeNumber } from '../core/input-value.ts';
import { kprobeOf, registerKretprobe } from '../ftrace/kretprobe.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isElsewhere } from './registered-probe.ts';
import { called } from './spelling.ts';

/*
 * register_kretprobe() in kernel/kprobes.c: EINVAL for an address that is no function entry or for a second
 * registration, ENOMEM for the pool, then the errnos of register_kprobe(). The pool is allocated before the
 * kprobe, whose pre_handler takes a node on its first hit; a hit without a free node is counted in `nmissed`.
 */

export interface RegisterKretprobe {
  readonly do: 'register_kretprobe';
  readonly kretprobe: KretprobeId;
  readonly ip: Ip;
  /** Calls that it can follow at one time; 0: the kernel's default. */
  readonly maxactive: number;
  readonly entryHandler: boolean;
  /** Its entry handler answers nonzero: the return is not hooked. */
  readonly vetoes?: true;
}

/** A bound of this model: the kernel takes any int, and memory is the limit (ENOMEM). */
const MAXACTIVE_MOST = 4096;

export const registerKretprobeCall: ClientCall<RegisterKretprobe> = {
  sentence:
    'A kretprobe on a function, with a pool for this number of calls at a time; 0 leaves it to the kernel.',
  examples: [
    { do: 'register_kretprobe', kretprobe: 'kretprobe#1', ip: 'f1', maxactive: 0, entryHandler: false },
    { do: 'register_kretprobe', kretprobe: 'kretprobe#1', ip: 'f1', maxactive: 2, entryHandler: true },
    {
      do: 'register_kretprobe',
      kretprobe: 'kretprobe#1',
      ip: 'f1',
      maxactive: 0,
      entryHandler: true,
      vetoes: true,
    },
  ],
  service: servedBy(registerKretprobe, argsOf),
  role: 'attaches',
  // The pool of a kretprobe that is registered elsewhere would be overwritten before register_kprobe() could
  // refuse.
  isMisuse: (k, { kretprobe, ip }) => isElsewhere(k, kprobeOf(kretprobe), ip),
  promised: (p, { kretprobe, ip, entryHandler, vetoes = false }) =>
    joined(p, {
      ...PLAIN,
      who: kretprobe,
      object: kretprobe,
      kind: 'kretprobe',
      ips: [ip],
      entry: entryHandler,
      exit: true,
      vetoes,
    }),
  registered: ({ kretprobe }) => kretprobe,
  touched: (_p, _k, { kretprobe, ip }) => ({ functions: [ip], objects: [kretprobe] }),
  sharesOps: 'of kprobes',
  detach: ({ kretprobe }) => ({ do: 'unregister_kretprobe', kretprobe }),
  print: ({ do: name, kretprobe, ip, maxactive, entryHandler, vetoes }) =>
    called(
      name,
      kretprobe,
      ip,
      `maxactive=${maxactive}`,
      ...(entryHandler ? ['entry_handler'] : []),
      ...(vetoes ? ['vetoes'] : []),
    ),
  parse({ name, args: [kretprobe = '', ip = '', ...rest] }) {
    if (name !== 'register_kretprobe') return undefined;
    const said = rest.find((option) => option.startsWith('maxactive='));
    if (said === undefined) return undefined;
    const maxactive = wholeNumber(said.replace('maxactive=', ''), 'maxactive', MAXACTIVE_MOST);
    const entryHandler = rest.includes('entry_handler');
    if (rest.includes('vetoes') && !entryHandler) return undefined;
    return {
      do: name,
      kretprobe,
      ip,
      maxactive,
      entryHandler,
      ...(rest.includes('vetoes') ? { vetoes: true } : {}),
    };
  },
};
