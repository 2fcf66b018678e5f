import { joined, PLAIN } from '../contract/changes.ts';
import { indexOf } from '../contract/footprint.ts';
import type { FprobeId, Ip } from '../core/ids.ts';
import { wholeNumber } from '../core/input-value.ts';
import { profileNamed } from '../core/profile.ts';
import { registerFprobeIps } from '../ftrace/fprobe.ts';
import { isFprobeRegistered } from '../ftrace/probes.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { braces, called, inBraces } from './spelling.ts';

/*
 * register_fprobe_ips() in kernel/trace/fprobe.c. The recorded 6.1 has no CONFIG_FPROBE: EOPNOTSUPP.
 *
 * ```text
 *   6.12, on rethook          each fprobe has an ops (SAVE_REGS) and, with an exit handler, a pool of return hooks;
 *                             EINVAL for no address, then the errnos of ftrace_set_filter_ips(), ENOMEM,
 *                             then those of register_ftrace_function()
 *   7.2, on function graph    all share two users; EEXIST for one that is registered, ENOENT for an address that
 *                             is no call site, ENOSPC when function graph has no index left
 * ```
 */

/** An fprobe without either handler is accepted by both implementations, and sees nothing. */
export interface RegisterFprobeIps {
  readonly do: 'register_fprobe_ips';
  readonly fprobe: FprobeId;
  readonly ips: readonly Ip[];
  /** Which handlers it has. */
  readonly entry: boolean;
  readonly exit: boolean;
  /** Bytes in which the entry handler leaves something for the exit handler of the same call; absent: none. */
  readonly entryDataSize?: number;
  /** `FPROBE_FL_KPROBE_SHARED`: kprobes have its handlers as well; absent: they do not. */
  readonly shared?: true;
  /** The client has not cleared the memory since the fprobe there unregistered; absent: it has. */
  readonly cleared?: false;
}

/**
 * `MAX_FPROBE_DATA_SIZE` in bytes: the limit of fprobes on function graph, where the data is on the shadow
 * stack with a header that encodes its size in words. On rethook it is part of the pool's nodes, whose size has
 * no such limit.
 */
const ENTRY_DATA_MOST = 120;
const ENTRY_DATA = 'entry_data_size=';
const NOT_CLEARED = 'not_cleared';
const SHARED = 'shared_with_kprobes';

export const registerFprobeIpsCall: ClientCall<RegisterFprobeIps> = {
  sentence:
    'An fprobe on functions, with an entry handler, an exit handler, or both, and bytes that the one leaves for the other; `shared_with_kprobes` if its handlers run for kprobes as well, `not_cleared` in memory that still has what the last fprobe there has left.',
  examples: [
    { do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1', 'f2'], entry: true, exit: true },
    { do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1'], entry: true, exit: false },
    {
      do: 'register_fprobe_ips',
      fprobe: 'fprobe#1',
      ips: ['f1'],
      entry: true,
      exit: true,
      entryDataSize: 16,
    },
    {
      do: 'register_fprobe_ips',
      fprobe: 'fprobe#1',
      ips: ['f1'],
      entry: true,
      exit: false,
      shared: true,
    },
    {
      do: 'register_fprobe_ips',
      fprobe: 'fprobe#1',
      ips: ['f1'],
      entry: true,
      exit: false,
      cleared: false,
    },
  ],
  service: servedBy(registerFprobeIps, (action) => ({
    entryDataSize: 0,
    cleared: true,
    ...argsOf(action),
    maxactive: 0,
    prog: 0,
    vetoes: false,
  })),
  role: 'attaches',
  isMisuse: (k, { fprobe, ips }) =>
    // On rethook a second registration overwrites the pool of the first (fprobe_init_rethook()), and the
    // refusal that follows frees the filter of the ops while it is registered (fprobe_fail_cleanup()).
    namesTwice(ips) || (isFprobeRegistered(k, fprobe) && profileNamed(k.profile).fprobe === 'rethook'),
  promised: (p, { fprobe, ips, entry, exit }) =>
    joined(p, { ...PLAIN, who: fprobe, object: fprobe, kind: 'fprobe', ips, entry, exit }),
  registered: ({ fprobe }) => fprobe,
  touched: (p, k, { fprobe, ips, exit }) => ({ functions: ips, objects: [fprobe, ...indexOf(p, k, exit)] }),
  sharesOps: 'of fprobes',
  detach: ({ fprobe }) => ({ do: 'unregister_fprobe', fprobe }),
  print: ({ do: name, fprobe, ips, entry, exit, entryDataSize, shared, cleared = true }) => {
    const handlers = [...(entry ? ['entry_handler'] : []), ...(exit ? ['exit_handler'] : [])];
    const data = entryDataSize === undefined ? [] : [`${ENTRY_DATA}${entryDataSize}`];
    const options = [...(shared === true ? [SHARED] : []), ...(cleared ? [] : [NOT_CLEARED])];
    return called(name, fprobe, braces(ips), ...handlers, ...data, ...options);
  },
  parse({ name, args: [fprobe = '', ips = '', ...handlers] }) {
    if (name !== 'register_fprobe_ips') return undefined;
    const [entry, exit] = [handlers.includes('entry_handler'), handlers.includes('exit_handler')];
    const said = handlers.find((option) => option.startsWith(ENTRY_DATA))?.slice(ENTRY_DATA.length);
    const data =
      said === undefined ? {} : { entryDataSize: wholeNumber(said, 'entry_data_size', ENTRY_DATA_MOST) };
    const cleared = handlers.includes(NOT_CLEARED) ? { cleared: false as const } : {};
    const shared = handlers.includes(SHARED) ? { shared: true as const } : {};
    return { do: name, fprobe, ips: inBraces(ips), entry, exit, ...data, ...shared, ...cleared };
  },
};

/**
 * The fprobe would run once, or once per name, as its backend has it. Only a caller in the kernel can choose not
 * to: a kprobe.multi link passes the names of a system call on.
 */
function namesTwice(ips: readonly Ip[]): boolean {
  return new Set(ips).size < ips.length;
}
