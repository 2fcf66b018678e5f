import type { PromisedClient } from '../../model/contract/promises.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { mayHaveCaused } from '../observed/fault-effects.ts';
import type { SeenCall } from '../observed/seen-call.ts';
import { seenCall } from '../observed/seen-call.ts';

/** I-40, and I-35 for pools. A probe whose filter is stale may miss a call, or be called twice. */
export const missedReturnsAreCounted: AttachLaw = {
  name: 'ftrace/missed-returns-are-counted',
  sentence:
    'A probe misses exactly those returns for which its pool has no free node, and counts each of them.',
  source:
    'kernel/kprobes.c  pre_handler_kretprobe; kernel/trace/rethook.c  rethook_try_get; kernel/trace/fprobe.c',
  witness: 'a call whose return is hooked with nodes from a pool',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    const { before, after } = moment;
    const clients = moment.promises.clients.filter(
      (client) => seen.calls.some((call) => call.clients.includes(client)) && hasOneLink(moment, client),
    );
    const times = mayHaveCaused('filterIsStale', moment.faults) ? [0, 1, 2] : [1];
    let witness = false;
    for (const client of clients) {
      const pool = poolOf(after, client);
      if (pool === undefined) continue;
      witness = true;
      const wanted = seen.calls.filter((call) => call.clients.includes(client)).length;
      const counted = pool.missed - (poolOf(before, client)?.missed ?? 0);
      const told = returnsSeen(seen, client);
      if (times.some((n) => isExact(n * wanted, pool.nodes, told, counted))) continue;
      const missed = missesOf(wanted, pool.nodes);
      return {
        is: 'misses-differ',
        who: client.who,
        nodes: pool.nodes,
        calls: wanted,
        expected: { returns: wanted - missed, misses: missed },
        observed: { returns: told, misses: counted },
      };
    }
    return witness ? 'held' : 'not applicable';
  },
};

/** The returns that find no free node. */
function missesOf(calls: number, nodes: number): number {
  return Math.max(0, calls - nodes);
}

function isExact(calls: number, nodes: number, told: number, counted: number): boolean {
  return counted === missesOf(calls, nodes) && told + counted === calls;
}

/** Events of two links of one program cannot be distinguished. */
function hasOneLink({ promises }: Moment, { who }: PromisedClient): boolean {
  return promises.clients.filter((client) => client.who === who).length === 1;
}

/** By name: a client that is called twice has more events than can be attributed to calls. */
function returnsSeen({ events }: SeenCall, client: PromisedClient): number {
  return events.filter(({ event, half }) => event.who === client.who && half === 'exit').length;
}

interface Pool {
  readonly nodes: number;
  readonly missed: number;
}

/** The pool that a client takes a node from for each call; undefined when it needs none. */
function poolOf(
  { probes, profile }: KernelView,
  { object, kind, exit, vetoes, onEvent }: PromisedClient,
): Pool | undefined {
  if (!exit || vetoes || onEvent?.prog === 0) return undefined;
  if (kind === 'kretprobe') {
    if (profileNamed(profile).kretprobe === 'ret_stack') return undefined;
    const kretprobe = probes.kretprobes[object];
    return kretprobe === undefined ? undefined : { nodes: kretprobe.maxactive, missed: kretprobe.nmissed };
  }
  if (profileNamed(profile).fprobe !== 'rethook') return undefined;
  const fprobe = probes.fprobes[kind === 'kprobe.multi' ? `${object}.fp` : object];
  if (fprobe === undefined) return undefined;
  return { nodes: fprobe.maxactive > 0 ? fprobe.maxactive : 2 * fprobe.ips.length, missed: fprobe.nmissed };
}
