import type { Ip, KprobeId } from '../core/ids.ts';
import { entry, item } from '../core/present.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { KprobeSite, ProbeView, ProbeWorld } from './probes.ts';

/*
 * `kprobe_table`: who enters and leaves it, and what is found there. A kprobe that could not be disarmed stays, and has lost its
 * address; the next one at its place hides it here, and does not take it along.
 */

/** get_kprobe(), under RCU. A single probe whose client cleared its address is in no bucket that is searched. */
export function getKprobe(k: ProbeWorld, ip: Ip): KprobeSite | undefined;
export function getKprobe(k: ProbeView, ip: Ip): DeepReadonly<KprobeSite | undefined>;
export function getKprobe(k: ProbeView, ip: Ip): DeepReadonly<KprobeSite | undefined> {
  const site = k.probes.kprobeTable[ip];
  if (site === undefined || site.aggregate) return site;
  return entry(k.probes.kprobes, item(site.probes, 0)).ip === '' ? undefined : site;
}

/** A kprobe enters the table. */
export function enterTable(k: ProbeWorld, ip: Ip, site: KprobeSite): void {
  const lost = k.probes.kprobeTable[ip];
  k.probes.kprobeTable[ip] = lost === undefined ? site : { ...site, lost };
}

/** The last kprobe of an address leaves the table. */
export function leaveTable(k: ProbeWorld, ip: Ip): void {
  const { lost } = entry(k.probes.kprobeTable, ip);
  if (lost === undefined) delete k.probes.kprobeTable[ip];
  else k.probes.kprobeTable[ip] = lost;
}

/** Whether a kprobe is in the table, at whatever address. */
export function isListed({ probes }: ProbeView, kprobe: KprobeId): boolean {
  return Object.values(probes.kprobeTable).some((site) => hasKprobe(site, kprobe));
}

/** Whether an entry of the table has a kprobe, or one that it hides has it. */
export function hasKprobe({ probes, lost }: DeepReadonly<KprobeSite>, kprobe: KprobeId): boolean {
  return probes.includes(kprobe) || (lost !== undefined && hasKprobe(lost, kprobe));
}
