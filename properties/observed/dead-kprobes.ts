import type { KernelView } from '../../model/kernel.ts';
import { eventOf } from './owed-events.ts';

/** Whether these are events of kprobes that were registered although arming them failed. */
export function areUnarmed({ probes }: KernelView, keys: readonly string[]): boolean {
  const inTable = new Set(Object.values(probes.kprobeTable).flatMap((site) => site.probes));
  return keys.every((key) => {
    const { who } = eventOf(key);
    return probes.kprobes[who] !== undefined && !inTable.has(who);
  });
}

/** The same for a report. */
export function whyDead(k: KernelView, keys: readonly string[]): string {
  return areUnarmed(k, keys) ? ': it was registered, and not armed' : '';
}
