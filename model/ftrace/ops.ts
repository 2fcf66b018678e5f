import type { CodeName, Ip, OpsId } from '../core/ids.ts';
import { InputError } from '../core/input-error.ts';
import { meantOr } from '../core/nearest.ts';
import { useAfterFree } from '../core/oops.ts';
import { item } from '../core/present.ts';
import type { Word } from '../x86/word.ts';
import { fromHex, plus } from '../x86/word.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/** Flags of `struct ftrace_ops` (include/linux/ftrace.h). */
export const FTRACE_OPS_FL_ENABLED = 1 << 0;
export const FTRACE_OPS_FL_DYNAMIC = 1 << 1;
export const FTRACE_OPS_FL_SAVE_REGS = 1 << 2;
export const FTRACE_OPS_FL_RECURSION = 1 << 4;
export const FTRACE_OPS_FL_STUB = 1 << 5;
export const FTRACE_OPS_FL_INITIALIZED = 1 << 6;
export const FTRACE_OPS_FL_DELETED = 1 << 7;
export const FTRACE_OPS_FL_ADDING = 1 << 8;
export const FTRACE_OPS_FL_REMOVING = 1 << 9;
export const FTRACE_OPS_FL_MODIFYING = 1 << 10;
export const FTRACE_OPS_FL_ALLOC_TRAMP = 1 << 11;
export const FTRACE_OPS_FL_IPMODIFY = 1 << 12;
export const FTRACE_OPS_FL_RCU = 1 << 14;
export const FTRACE_OPS_FL_PERMANENT = 1 << 16;
export const FTRACE_OPS_FL_DIRECT = 1 << 17;
export const FTRACE_OPS_FL_SUBOP = 1 << 18;

/** The flags that a live patch registers its ops with (klp_patch_func(), kernel/livepatch/patch.c). */
export const LIVE_PATCH_FLAGS = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT;

/** The flags of a direct ops, by which check_direct_multi() recognises one. */
export const MULTI_FLAGS = FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_SAVE_REGS;

const NAMES: readonly (readonly [number, string])[] = [
  [FTRACE_OPS_FL_ENABLED, 'ENABLED'],
  [FTRACE_OPS_FL_DYNAMIC, 'DYNAMIC'],
  [FTRACE_OPS_FL_SAVE_REGS, 'SAVE_REGS'],
  [FTRACE_OPS_FL_RECURSION, 'RECURSION'],
  [FTRACE_OPS_FL_STUB, 'STUB'],
  [FTRACE_OPS_FL_INITIALIZED, 'INITIALIZED'],
  [FTRACE_OPS_FL_DELETED, 'DELETED'],
  [FTRACE_OPS_FL_ADDING, 'ADDING'],
  [FTRACE_OPS_FL_REMOVING, 'REMOVING'],
  [FTRACE_OPS_FL_MODIFYING, 'MODIFYING'],
  [FTRACE_OPS_FL_ALLOC_TRAMP, 'ALLOC_TRAMP'],
  [FTRACE_OPS_FL_IPMODIFY, 'IPMODIFY'],
  [FTRACE_OPS_FL_RCU, 'RCU'],
  [FTRACE_OPS_FL_PERMANENT, 'PERMANENT'],
  [FTRACE_OPS_FL_DIRECT, 'DIRECT'],
  [FTRACE_OPS_FL_SUBOP, 'SUBOP'],
];

/** `DIRECT | SAVE_REGS`, or `–`. */
export function printOpsFlags(flags: number): string {
  const set = NAMES.filter(([bit]) => (flags & bit) !== 0).map(([, name]) => name);
  return set.length > 0 ? set.join(' | ') : '–';
}

/** Reads flags as `printOpsFlags()` writes them; an empty text is none. */
export function parseOpsFlags(text: string): number {
  const names = text === '' || text === '–' ? [] : text.split(' | ');
  return names.reduce((flags, name) => flags | bitOf(name), 0);
}

function bitOf(name: string): number {
  const found = NAMES.find(([, known]) => known === name);
  if (found === undefined)
    throw new InputError(
      `there is no flag ${name}; ${meantOr(
        name,
        NAMES.map(([, known]) => known),
      )}`,
      name,
    );
  return found[0];
}

/** A set of call sites by function name, in order; empty: a filter admits everything, a notrace nothing. */
export type Hash = readonly Ip[];

/** `struct ftrace_ops`: a registered tracer. */
export interface FtraceOps {
  flags: number;
  /** The C function that is called; empty: none. */
  func: string;
  savedFunc: string;
  /** `ops->func_hash`: the ops whose hashes this one uses; itself, unless they are shared. */
  hashOf: OpsId;
  filter: Hash;
  notrace: Hash;
  /** The hashes before a change, while it is under way (`old_hash`). */
  oldFilter: Hash | null;
  oldNotrace: Hash | null;
  /** The address that a call site calls when this is its only ops; empty: none. */
  trampoline: string;
  /** `ops->direct_call`; empty: none. */
  directCall: CodeName;
  /** A client supplied `ops_func`, to share a function with IPMODIFY. */
  hasOpsFunc: boolean;
  /** The client's data: the trampoline of a BPF target, a live patch's replacement. */
  private: string;
}

/** Where the memory of ops begins. */
const OPS_AT = fromHex('0xffff888004000000');

/** The address of an ops, which its trampoline passes to the handler: each name keeps one address. */
export function opsPointer(k: FtraceWorld, name: OpsId): Word {
  const { opsMemory } = k.ftrace;
  if (!opsMemory.includes(name)) opsMemory.push(name);
  return plus(OPS_AT, opsMemory.indexOf(name) * 0x100);
}

/** The ops at an address. */
export function opsAt(k: FtraceView, pointer: Word): OpsId {
  return item(k.ftrace.opsMemory, ((pointer.lo - OPS_AT.lo) >>> 8) & 0xfff);
}

/** The ops of the function tracer, whose hashes function graph has until 6.10. */
export const GLOBAL_OPS = 'global_ops';
export const GRAPH_OPS = 'graph_ops';

/** is_kernel_core_data(): objects in the kernel's data, which are not DYNAMIC. */
const CORE_OPS: ReadonlySet<string> = new Set([
  'direct_ops',
  'stub_ops',
  'tmp_ops',
  'tmp_ops(mod)',
  GRAPH_OPS,
  GLOBAL_OPS,
  'kprobe_ftrace_ops',
  'kprobe_ipmodify_ops',
  'fprobe_graph_ops',
  'fprobe_ftrace_ops',
]);

export function isCoreOps(name: OpsId): boolean {
  return CORE_OPS.has(name);
}

/** Zeroed memory. */
export function zeroedOps(name: OpsId): FtraceOps {
  return {
    flags: 0,
    func: '',
    savedFunc: '',
    hashOf: name,
    filter: [],
    notrace: [],
    oldFilter: null,
    oldNotrace: null,
    trampoline: '',
    directCall: '',
    hasOpsFunc: false,
    private: '',
  };
}

/** An ops by name, read-only; one that no call has mentioned is zeroed memory, one that was freed is a crash. */
export function opsOf(k: FtraceView, name: OpsId): Readonly<FtraceOps> {
  return k.ftrace.ops[name] ?? Object.freeze(unmentioned(k, name));
}

/** The same for writing: the ops comes into being at its first mention. */
export function ensureOps(k: FtraceWorld, name: OpsId): FtraceOps {
  return (k.ftrace.ops[name] ??= unmentioned(k, name));
}

function unmentioned({ ftrace }: FtraceView, name: OpsId): FtraceOps {
  if (ftrace.freed.includes(name)) throw useAfterFree({ is: 'ops', name });
  return zeroedOps(name);
}

/** The ops whose hashes this one uses: itself, before its first mention. */
export function hashOwner(k: FtraceView, name: OpsId): OpsId {
  return k.ftrace.ops[name]?.hashOf ?? name;
}

/** ftrace_ops_init(): from here on the ops uses its own hashes. */
export function ftraceOpsInit(ops: FtraceOps, name: OpsId): void {
  if ((ops.flags & FTRACE_OPS_FL_INITIALIZED) !== 0) return;
  ops.hashOf = name;
  ops.flags |= FTRACE_OPS_FL_INITIALIZED;
}

/** Whether an ops has a flag. */
export function opsHas(k: FtraceView, { ops }: { ops: OpsId }, bit: number): boolean {
  return (opsOf(k, ops).flags & bit) !== 0;
}

export function notInitialised(k: FtraceView, { ops }: { ops: OpsId }): boolean {
  return (opsOf(k, ops).flags & FTRACE_OPS_FL_INITIALIZED) === 0;
}

export function filterOf(k: FtraceView, name: OpsId): Hash {
  return opsOf(k, opsOf(k, name).hashOf).filter;
}

export function notraceOf(k: FtraceView, name: OpsId): Hash {
  return opsOf(k, opsOf(k, name).hashOf).notrace;
}

/** Lists up to this length are searched linearly. */
const FEW = 16;

/** The functions of large hashes, which are never changed but replaced. */
const MEMBERS = new WeakMap<Hash, ReadonlySet<string>>();

/** Whether a function is in a hash. */
export function hashHas(hash: Hash, ip: Ip): boolean {
  if (hash.length <= FEW) return hash.includes(ip);
  let members = MEMBERS.get(hash);
  if (members === undefined) {
    members = new Set(hash);
    MEMBERS.set(hash, members);
  }
  return members.has(ip);
}

/** hash_contains_ip(): an empty filter lets every function through. */
export function hashContainsIp(filter: Hash, notrace: Hash, ip: Ip): boolean {
  return (filter.length === 0 || hashHas(filter, ip)) && !hashHas(notrace, ip);
}

/**
 * Whether an ops traces a function: one step for a holder of `ftrace_lock`, under which hashes are replaced; a
 * call loads the pointers first (`loadHashes()`).
 */
export function matches(k: FtraceView, name: OpsId, ip: Ip): boolean {
  return hashContainsIp(filterOf(k, name), notraceOf(k, name), ip);
}

/**
 * ftrace_ops_get_func(): a handler without its own recursion protection is called by ftrace_ops_assist_func().
 */
export function ftraceOpsGetFunc(ops: FtraceOps): string {
  const assisted = (ops.flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU)) !== 0;
  return assisted ? 'ftrace_ops_assist_func' : ops.func;
}

/** A hash with more functions. */
export function withIps(hash: Hash, ips: readonly Ip[]): Hash {
  const more = new Set(ips.filter((ip) => !hashHas(hash, ip)));
  return more.size === 0 ? hash : [...hash, ...more].sort();
}

export function withoutIps(hash: Hash, ips: readonly Ip[]): Hash {
  return hash.filter((other) => !hashHas(ips, other));
}
