import { joined, PLAIN } from '../contract/changes.ts';
import type { Ip, KprobeId } from '../core/ids.ts';
import { registerKprobe } from '../ftrace/kprobe.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isElsewhere } from './registered-probe.ts';
import { called } from './spelling.ts';

/*
 * register_kprobe() in kernel/kprobes.c, for a probe at the call site of a function. kprobe_addr() and
 * check_kprobe_address_safe() answer EINVAL, and ENOENT for a module that is going; a second registration of
 * the object is a WARN and EINVAL. Then, under `kprobe_mutex`, the first probe of an address is armed through
 * ftrace (EBUSY from an IPMODIFY ops, ENODEV from a dead ftrace); a later one joins an aggregate and cannot
 * fail except with ENOMEM, unless it is the first that is enabled. 7.2 takes a probe that it could not arm off the
 * table again, and answers 0. KPROBE_FLAG_DISABLED is the only flag that a client may set.
 */

export interface RegisterKprobe {
  readonly do: 'register_kprobe';
  readonly kprobe: KprobeId;
  readonly ip: Ip;
  /** It has a post_handler. */
  readonly post: boolean;
  /** `KPROBE_FLAG_DISABLED`: it is registered and not armed. */
  readonly disabled?: boolean;
}

const DISABLED = 'KPROBE_FLAG_DISABLED';

export const registerKprobeCall: ClientCall<RegisterKprobe> = {
  sentence:
    'A kprobe at the entry of a function; one with a post_handler needs another ops than one without.',
  examples: [
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: true },
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false, disabled: true },
  ],
  service: servedBy(registerKprobe, (action) => ({ disabled: false, ...argsOf(action), retprobe: '' })),
  role: 'attaches',
  // warn_kprobe_rereg() looks the object up under the address that it is given now, and would not find it.
  isMisuse: (k, { kprobe, ip }) => isElsewhere(k, kprobe, ip),
  promised: (p, { kprobe, ip, post, disabled = false }) =>
    joined(p, {
      ...PLAIN,
      who: kprobe,
      object: kprobe,
      kind: 'kprobe',
      ips: [ip],
      post,
      disabled: disabled ? 'now' : 'never',
    }),
  registered: ({ kprobe }) => kprobe,
  touched: (_p, _k, { kprobe, ip }) => ({ functions: [ip], objects: [kprobe] }),
  sharesOps: 'of kprobes',
  detach: ({ kprobe }) => ({ do: 'unregister_kprobe', kprobe }),
  print: ({ do: name, kprobe, ip, post, disabled }) =>
    called(name, kprobe, ip, ...(post ? ['post_handler'] : []), ...(disabled === true ? [DISABLED] : [])),
  parse({ name, args: [kprobe = '', ip = '', ...options] }) {
    if (name !== 'register_kprobe') return undefined;
    const disabled = options.includes(DISABLED) ? { disabled: true } : {};
    return { do: name, kprobe, ip, post: options.includes('post_handler'), ...disabled };
  },
};
