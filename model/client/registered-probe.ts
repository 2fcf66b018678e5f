import type { Ip, KprobeId } from '../core/ids.ts';
import type { KernelView } from '../kernel.ts';

/**
 * Whether a kprobe is registered at another address. `kprobe_table` is keyed by address, and
 * __get_valid_kprobe() searches the bucket of `p->addr`, which the client has just overwritten: the kernel
 * cannot notice it.
 */
export function isElsewhere(k: KernelView, kprobe: KprobeId, ip: Ip): boolean {
  return Object.entries(k.probes.kprobeTable).some(
    ([site, { probes }]) => site !== ip && probes.includes(kprobe),
  );
}
