import { unreachable } from '../model/core/unreachable.ts';
import { declareTracepoint, TRACEPOINTS } from '../model/raw-tracepoint/tracepoints.ts';
import type { DeclaredTracepoint } from '../model/tracepoint/boot.ts';
import type { Listing } from '../model/trampoline/listing.ts';
import { parseSignature, printSignature } from '../model/trampoline/signature.ts';
import type { Nesting } from '../model/trampoline/traced-function.ts';
import { nestingOf } from '../model/trampoline/traced-function.ts';

/*
 * The functions of the recorder's two modules, and hooks of BPF LSM, which are the kernel's own. A history may name any
 * functions: each of its own is played by one of these with the same signature, on the same list of the verifier, in a
 * module or not. The place in the list is the number that the recorder knows a function by.
 */

/** Which text has a function: that of the recorder, that of its second module, which can be unloaded, or the kernel's own. */
export type Home = 'recorder' | 'second module' | 'kernel';

/** A function of the recorder. */
export interface GuestFunction {
  /** Its symbol in the kernel. */
  readonly symbol: string;
  /** The name that it plays best. */
  readonly name: string;
  readonly signature: string;
  readonly listing: Listing;
  readonly nesting: Nesting;
  readonly home: Home;
}

/** Names that draws and traces use, by their usual signatures, and more of the most frequent ones. */
const PLAIN: readonly (readonly [string, string])[] = [
  ['f0', '-> u64'],
  ['f1', 'u64 -> u64'],
  ['f2', 'u64 x2 -> u64'],
  ['f3', 'u64 x3 -> u64'],
  ['f4', 'u64 x4 -> u64'],
  ['f5', 'u64 x5 -> u64'],
  ['f6', 'u64 x6 -> u64'],
  ['f7', 'u64 x7 -> u64'],
  ['f8', 'u64 x8 -> u64'],
  ['f12', 'u64 x12 -> u64'],
  ['f13', 'u64 x13 -> u64'],
  ['v3', 'u64 x3 -> void'],
  ['m3', 'u8, u16, u32 -> u32'],
  ['wide', 'u64 x2 -> u128'],
];

/** Functions of the kernel itself alone. */
const MORE: readonly (readonly [string, string])[] = [
  ['rec', 'u64 -> u64'],
  ['cb', 'u64 x2 -> u64'],
  ['ca', 'u64 x3 -> u64'],
  ['g1', 'u64 -> u64'],
  ['g2', 'u64 x2 -> u64'],
  ['h1', 'u64 -> u64'],
  ['h2', 'ptr, u64 -> u64'],
  ['h3', 'u64 -> u64'],
  ['h4', 'u64 -> u64'],
  ['v0', '-> void'],
  ['v1', 'u64 -> void'],
  ['p1', 'ptr -> s32'],
  ['p2', 'u64, ptr -> s32'],
  ['b1', 'u64 -> bool'],
  ['s16', 's16b, u64 -> u64'],
  ['i128', 'u64, u128 -> u64'],
];

const LISTED: readonly Listing[] = ['unlisted', 'security', 'kfunc', 'syscall'];

/**
 * What the verifier takes a function's list from: `security_` in its name, `__x64_sys_` in its name; `kfunc` and
 * `traced` are in a set that the module registers. A hook of BPF LSM is a function of the kernel.
 */
function symbolOf(name: string, listing: Listing): string {
  switch (listing) {
    case 'traced':
      return `security_ac_${name}`;
    case 'security':
      return `security_ac_only_${name}`;
    case 'syscall':
      return `__x64_sys_ac_${name}`;
    case 'kfunc':
      return `ac_kfunc_${name}`;
    case 'unlisted':
      return `ac_plain_${name}`;
    case 'lsm':
    case 'sleepable_lsm':
    case 'bool_lsm':
    case 'disabled_lsm':
      return `bpf_lsm_${name}`;
    default:
      return unreachable(listing);
  }
}

function guest([name, signature]: readonly [string, string], listing: Listing): GuestFunction {
  return {
    symbol: symbolOf(name, listing),
    name,
    signature: canonical(signature),
    listing,
    nesting: nestingOf(name),
    home: 'recorder',
  };
}

/** The text of a signature by which two are compared. */
function canonical(signature: string): string {
  return printSignature(parseSignature(signature));
}

function inSecond(fn: GuestFunction): GuestFunction {
  return { ...fn, symbol: fn.symbol.replace('ac_', 'ac_second_'), home: 'second module' };
}

/**
 * Hooks that nothing calls in the guest, and whose first argument is no socket: programs for cgroups would look for its cgroup.
 * The recorder gives each a body of its own.
 */
const OF_LSM: readonly (readonly [Listing, string, string])[] = [
  ['lsm', 'tun_dev_create', '-> s32'],
  ['lsm', 'tun_dev_open', 'ptr -> s32'],
  ['lsm', 'sb_pivotroot', 'ptr x2 -> s32'],
  ['lsm', 'secmark_relabel_packet', 'u32 -> s32'],
  ['lsm', 'audit_rule_free', 'ptr -> void'],
  ['lsm', 'req_classify_flow', 'ptr x2 -> void'],
  ['sleepable_lsm', 'settime', 'ptr x2 -> s32'],
  ['sleepable_lsm', 'quotactl', 's32 x3, ptr -> s32'],
  ['bool_lsm', 'audit_rule_known', 'ptr -> s32'],
  ['bool_lsm', 'xfrm_state_pol_flow_match', 'ptr x3 -> s32'],
  ['disabled_lsm', 'ismaclabel', 'ptr -> s32'],
  ['disabled_lsm', 'audit_rule_match', 'u32 x3, ptr -> s32'],
];

function hook([listing, name, signature]: readonly [Listing, string, string]): GuestFunction {
  return { ...guest([name, signature], listing), home: 'kernel' };
}

/** Those of the first module, then those of the second, then the kernel's. */
export const CATALOGUE: readonly GuestFunction[] = [
  ...[...PLAIN, ...MORE].map((fn) => guest(fn, 'traced')),
  ...LISTED.flatMap((listing) => PLAIN.map((fn) => guest(fn, listing))),
  ...(['traced', ...LISTED] as const).flatMap((listing) => PLAIN.map((fn) => inSecond(guest(fn, listing)))),
  ...OF_LSM.map(hook),
];

/** Those that are drawn, and the smallest ones of traces that were written by hand: each plays any with its types. */
export const GUEST_TRACEPOINTS: readonly DeclaredTracepoint[] = [
  ...TRACEPOINTS,
  declareTracepoint('tp1', 'u64'),
  declareTracepoint('tp2', 'u64, ptr'),
];
