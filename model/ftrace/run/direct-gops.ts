import type { GraphOpsId } from '../../core/ids.ts';
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

/** `fgraph_direct_gops->idx`, after the pointer was loaded: `fgraph_stub` has index 0. */
export function directIdx(k: ProbeView, { user }: ReadUser, reader: string): number {
  return user === '' ? 0 : gopsInMemory(k, user, reader).idx;
}
