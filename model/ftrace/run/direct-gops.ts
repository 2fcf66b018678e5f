import type { CallEvent } from '../../core/event.ts';
import type { GraphOpsId } from '../../core/ids.ts';
import { Oops } from '../../core/oops.ts';
import type { Gops } from '../fgraph.ts';
import { gopsOf } from '../fgraph.ts';
import type { ProbeView } from '../probes.ts';
import { gopsInMemory } from './in-memory.ts';

/** A user that a call has read, in the locals of its entry or of its return; empty: the stub. */
interface ReadUser {
  user: GraphOpsId;
}

/**
 * `fgraph_direct_gops`; until 6.10 `ftrace_graph_entry` and `ftrace_graph_return`. The pointer may be that of a user
 * that is being unregistered.
 */
export function readDirectGops(k: ProbeView, locals: ReadUser): void {
  locals.user = k.fgraph.directGops;
}

/** `gops->idx` of a user that a call has read: `fgraph_stub` has index 0. */
export function idxOf(k: ProbeView, { user }: ReadUser, reader: string): number {
  return user === '' ? 0 : gopsInMemory(k, user, reader).idx;
}

/**
 * Whose callback an event is, and the `fgraph_ops` that it was called with, if that is not its own: in direct mode the
 * pointer may be older than the static call.
 */
export function calledWith({ user }: ReadUser, owner: GraphOpsId): Pick<CallEvent, 'who' | 'data'> {
  return user === owner ? { who: owner } : { who: owner, data: user === '' ? 'fgraph_stub' : user };
}

/** The callback of a link follows its `fgraph_ops` to the link: the stub is part of none. */
export function callbackOf(k: ProbeView, { user }: ReadUser, owner: GraphOpsId): Gops['kind'] {
  const { kind } = gopsOf(k, owner);
  if (kind === 'above' && user === '') throw new Oops({ is: 'fgraph_stub for a link' });
  return kind;
}
