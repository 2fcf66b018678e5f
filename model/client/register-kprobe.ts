import { codeAt } from '../call/body-code.ts';
import { joined, PLAIN } from '../contract/changes.ts';
import type { Ip, KprobeId } from '../core/ids.ts';
import { registerKprobe } from '../ftrace/kprobe.ts';
import { functionOf, ipAt, isInBody, probedAt } from '../text/body-address.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isElsewhere } from './registered-probe.ts';
import { called } from './spelling.ts';

/*
 * register_kprobe() in kernel/kprobes.c, for a probe at the call site of a function, or by int3 at an instruction of its
 * body (EILSEQ where none begins). kprobe_addr() and
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
  /** Bytes from the function's symbol to the instruction; absent: the function's entry. */
  readonly offset?: number;
  /** It has a post_handler. */
  readonly post: boolean;
  /** `KPROBE_FLAG_DISABLED`: it is registered and not armed. */
  readonly disabled?: boolean;
}

const DISABLED = 'KPROBE_FLAG_DISABLED';

export const registerKprobeCall: ClientCall<RegisterKprobe> = {
  sentence:
    'A kprobe at the entry of a function, or by int3 in its body; at the entry, one with a post_handler needs another ops than one without.',
  examples: [
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: true },
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false, disabled: true },
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', offset: 10, post: false },
  ],
  service: servedBy(registerKprobe, ({ offset = 0, ip, ...action }, k) => ({
    disabled: false,
    ...argsOf(action),
    ip: ipAt(ip, offset),
    retprobe: '',
    ...(offset === 0 ? {} : { code: codeAt(k, ipAt(ip, offset)) }),
  })),
  role: 'attaches',
  // warn_kprobe_rereg() looks the object up under the address that it is given now, and would not find it.
  isMisuse: (k, { kprobe, ip, offset = 0 }) => isElsewhere(k, kprobe, ipAt(ip, offset)),
  promised: (p, { kprobe, ip, offset = 0, post, disabled = false }) =>
    joined(p, {
      ...PLAIN,
      who: kprobe,
      object: kprobe,
      kind: offset === 0 ? 'kprobe' : 'kprobe in body',
      ips: [ipAt(ip, offset)],
      post,
      disabled: disabled ? 'now' : 'never',
    }),
  registered: ({ kprobe }) => kprobe,
  touched: (_p, _k, { kprobe, ip }) => ({ functions: [ip], objects: [kprobe] }),
  sharesOps: 'of kprobes',
  detach: ({ kprobe }) => ({ do: 'unregister_kprobe', kprobe }),
  print: ({ do: name, kprobe, ip, offset = 0, post, disabled }) =>
    called(
      name,
      kprobe,
      ipAt(ip, offset),
      ...(post ? ['post_handler'] : []),
      ...(disabled === true ? [DISABLED] : []),
    ),
  parse({ name, args: [kprobe = '', address = '', ...options] }) {
    if (name !== 'register_kprobe') return undefined;
    const ip = functionOf(address);
    const offset = isInBody(address) ? { offset: probedAt(address).offset } : {};
    const disabled = options.includes(DISABLED) ? { disabled: true } : {};
    return { do: name, kprobe, ip, ...offset, post: options.includes('post_handler'), ...disabled };
  },
};
