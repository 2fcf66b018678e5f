import type { GraphOpsId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { addressOf } from '../../text/space.ts';
import type { Gops } from '../fgraph.ts';
import { gopsOf, pushReturn } from '../fgraph.ts';
import type { OpsHash } from '../filter-hash.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { calledWith } from './direct-gops.ts';
import { gopsInMemory } from './in-memory.ts';
import type { AtSite } from './regs.ts';
import { parentSlot } from './regs.ts';

/* What the entries of function graph have in common: of one user (until 6.10), and of many. */

/** The entry between its steps: which user is next, and which have accepted. */
export interface GraphEntry extends AtSite {
  /** The user whose entryfunc is called: its slot and its name (empty: the stub), and its own index. */
  slot: number;
  user: GraphOpsId;
  idx: number;
  /** The hashes of `global_ops`, where those are tested. */
  hashes: OpsHash;
  /** It is called directly, as the only one. */
  only: boolean;
  /** The kind of a user whose entry callback is a routine; empty: the user has answered. */
  asks: Gops['kind'] | '';
  /** Words of the shadow stack in use before its entryfunc was called. */
  before: number;
  /** Its answer. */
  accepts: boolean;
  /** The bitmap: the bits of those that have accepted. */
  accepted: number;
  /** The call has a frame already. */
  joins: boolean;
}

/** ftrace_push_return_trace(): without space for another frame the call is not followed. */
export function whenRoom(
  { when, step }: RoutineWords<ProbeWorld, GraphEntry>,
  room: (k: ProbeView, locals: GraphEntry) => boolean,
  parts: readonly Part[],
): Part {
  return when('there is space', room, parts, [
    step('count the overrun', (k) => {
      k.fgraph.overrun++;
    }),
  ]);
}

export function pushFrame(k: ProbeWorld, locals: GraphEntry): void {
  pushReturn(k, locals.cpu, locals.hit.ip, parentSlot(locals));
}

/** No bit: the frame is popped, and the return address stays. */
export function isRefused(_: ProbeView, { accepted }: GraphEntry): boolean {
  return accepted === 0;
}

/** prepare_ftrace_return(): from here on the traced function returns to return_to_handler. */
export function hookReturn(k: ProbeView, locals: GraphEntry): void {
  locals.cpu.write(parentSlot(locals), addressOf(k, 'return_to_handler'));
}

/** `entryfunc` of a client. */
export function clientEntry(k: ProbeView, locals: GraphEntry, owner: GraphOpsId): boolean {
  const { cpu, hit, user } = locals;
  if (user !== '') gopsInMemory(k, user, 'function_graph_enter');
  if (gopsOf(k, owner).refuses.includes(hit.ip)) return false;
  cpu.events.push({ kind: 'graph entry', ...calledWith(locals, owner), fn: hit.ip });
  return true;
}
