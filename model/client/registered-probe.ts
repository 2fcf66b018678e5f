import type { Ip, KprobeId } from '../core/ids.ts';
import type { KernelView } from '../kernel.ts';

/** Whether a kprobe is registered at another address. */
export function isElsewhere(k: KernelView, kprobe: KprobeId, ip: Ip): boolean {
  return Object.entries(k.probes.kprobeTable).some(
    ([site, { probes }]) => site !== ip && probes.includes(kprobe),
  );
}

/**
 * Whether a function is named more than once. An fprobe then runs once or as often as it was named, as its backend has
 * it, and no client wants either.
 */
export function namesTwice(ips: readonly Ip[]): boolean {
  return new Set(ips).size < ips.length;
}
