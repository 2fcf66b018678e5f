import type { Ip, KprobeId } from '../core/ids.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { KprobeSite } from '../ftrace/probes.ts';
import type { KernelView } from '../kernel.ts';

/**
 * Whether a kprobe is registered at another address. `kprobe_table` is keyed by address, and
 * __get_valid_kprobe() searches the bucket of `p->addr`, which the client has just overwritten: the kernel
 * cannot notice it.
 */
export function isElsewhere(k: KernelView, kprobe: KprobeId, ip: Ip): boolean {
  return Object.entries(k.probes.kprobeTable).some(
    ([address, site]) => address !== ip && hasKprobe(site, kprobe),
  );
}

/** Also in memory that has lost its address. */
function hasKprobe({ probes, lost }: DeepReadonly<KprobeSite>, kprobe: KprobeId): boolean {
  return probes.includes(kprobe) || (lost !== undefined && hasKprobe(lost, kprobe));
}
