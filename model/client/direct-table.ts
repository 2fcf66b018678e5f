import type { OpsId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import type { DirectHash } from '../ftrace/direct-hash.ts';
import { filterOf } from '../ftrace/ops.ts';
import type { KernelView } from '../kernel.ts';
import { addressIn, braces, called, inBraces } from './spelling.ts';

/*
 * Direct calls by a table of sites and trampolines, with which an ops is updated: update_ftrace_direct_add(), _mod()
 * and _del().
 */

/**
 * Linux 7.0 added them for a BPF that has one ops for all trampolines (`direct_ops` of
 * kernel/bpf/trampoline.c): with an ops for each, attaching to many functions makes the list of ops as long.
 */
export function hasTables({ profile }: { readonly profile: string }): boolean {
  return profileNamed(profile).directApi === 'ops and hash';
}

/**
 * Whether a table names a site that the ops does not have. The kernel compares tables with `direct_functions`,
 * which all ops share, and not with the filter of this ops: such a call would change the direct call of another
 * client.
 */
export function namesOthers(k: KernelView, ops: OpsId, hash: DirectHash): boolean {
  return Object.keys(hash).some((ip) => !filterOf(k, ops).includes(ip));
}

/** `update_ftrace_direct_add(direct#1, { f1: my_tramp1 })`. */
export function printUpdate(name: string, ops: OpsId, hash: DirectHash): string {
  return called(name, ops, braces(Object.entries(hash).map(([ip, addr]) => `${ip}: ${addr}`)));
}

/**
 * `{ f1: my_tramp1, f2: my_tramp2 }`, as a `struct ftrace_hash` whose entries have an address each. A site that
 * is named twice keeps its last address: a hash has one entry for an ip.
 */
export function parseTable(text = ''): DirectHash {
  return Object.fromEntries(
    inBraces(text).map((entry) => {
      const [ip = '', addr] = entry.split(': ');
      return [ip, addressIn(addr)];
    }),
  );
}
