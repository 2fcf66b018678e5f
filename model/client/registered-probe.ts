import type { Ip, KprobeId } from '../core/ids.ts';
import type { KernelView } from '../kernel.ts';

/** Whether a kprobe is registered at another address. */
export function isElsewhere(k: KernelView, kprobe: KprobeId, ip: Ip): boolean {
  return Object.entries(k.probes.kprobeTable).some(
    ([site, { probes }]) => site !== ip && probes.includes(kprobe),
  );
}
