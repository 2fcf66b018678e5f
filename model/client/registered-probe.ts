import type { Ip, KprobeId } from '../core/ids.ts';
import { hasKprobe } from '../ftrace/kprobe-table.ts';
import type { KernelView } from '../kernel.ts';

/**
 * Whether a kprobe is registered at another address, or its memory is in the table and hidden by another kprobe of this one.
 * `kprobe_table` is keyed by address, and __get_valid_kprobe() searches the bucket of `p->addr`, which the client has just
 * overwritten: the kernel cannot notice it, and its lists have the memory twice.
 */
export function isElsewhere(k: KernelView, kprobe: KprobeId, ip: Ip): boolean {
  return Object.entries(k.probes.kprobeTable).some(([address, site]) =>
    address !== ip ? hasKprobe(site, kprobe) : site.lost !== undefined && hasKprobe(site.lost, kprobe),
  );
}
