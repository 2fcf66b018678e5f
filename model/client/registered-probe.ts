import type { KernelView } from '../kernel.ts';

/** Whether a kprobe is registered at another address. */
export function isElsewhere(k: KernelView, kprobe: string, ip: string): boolean {
  return Object.entries(k.probes.kprobeTable).some(
    ([site, { probes }]) => site !== ip && probes.includes(kprobe),
  );
}

/**
 * Whether a function is named more than once. An fprobe then runs once or as often as it was named, as its backend has
 * it, and nobody wants either.
 */
export function namesTwice(ips: readonly string[]): boolean {
  return new Set(ips).size < ips.length;
}
