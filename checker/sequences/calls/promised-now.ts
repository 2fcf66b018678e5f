import { programsOf } from '../../../model/contract/perf-events.ts';
import type { Filter, Promises } from '../../../model/contract/promises.ts';
import type { OpsId } from '../../../model/core/ids.ts';
import type { DirectHash } from '../../../model/ftrace/direct-hash.ts';
import { ownerOfOps } from './ops-life.ts';

/** Whether something is attached by an object. */
export function isLive(p: Promises, object: string): boolean {
  return (
    [...p.clients, ...p.probes, ...programsOf(p)].some((client) => client.object === object) ||
    p.clients.some(({ onEvent }) => onEvent?.link === object)
  );
}

/** An ops that its client has made; a user of function graph while it is registered: its hashes can be set wrong then. */
export function isMade(p: Promises, ops: OpsId): boolean {
  return p.flags[ops] !== undefined || isLive(p, ownerOfOps({ ops }));
}

/** Whether a probe is registered, and enabled or disabled. */
export function isSwitched(p: Promises, object: string, to: 'on' | 'off'): boolean {
  return p.clients.some(
    (client) => client.object === object && (client.disabled === 'now') === (to === 'off'),
  );
}

/** The functions that an object traces. */
export function filterIn(p: Promises, object: string): Filter['filter'] {
  return p.filters[object]?.filter ?? [];
}

/** Whether a table has an entry, and each of them, or none, has a direct call already. */
export function isAmongDirect(
  p: Promises,
  hash: DirectHash,
  what: 'none' | 'site' | 'site and address',
): boolean {
  const entries = Object.entries(hash);
  const has = ([ip, addr]: [string, string]) =>
    p.clients.some(
      ({ kind, ips, who }) =>
        kind === 'direct' && ips.includes(ip) && (what !== 'site and address' || who === addr),
    );
  return entries.length > 0 && (what === 'none' ? !entries.some(has) : entries.every(has));
}
