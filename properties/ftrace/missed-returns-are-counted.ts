import type { PromisedClient } from '../../model/contract/promises.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import type { SeenCall } from '../observed/seen-call.ts';
import { seenCall } from '../observed/seen-call.ts';

/** I-40, and I-35 for pools. A probe that could not be disarmed for lack of memory may be called twice per call. */
export const missedReturnsAreCounted: AttachLaw = {
  name: 'ftrace/missed-returns-are-counted',
  sentence:
    'A probe misses exactly those returns for which its pool has no free node, and counts each of them.',
  source:
    'kernel/kprobes.c  pre_handler_kretprobe; kernel/trace/rethook.c  rethook_try_get; kernel/trace/fprobe.c',
  witness: 'a call whose return is hooked with nodes from a pool',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined || moment.injected) return 'not applicable';
    const { before, after } = moment;
    const clients = moment.promises.clients.filter(
      (client) => seen.calls.some((call) => call.clients.includes(client)) && hasOneLink(moment, client),
    );
    let witness = false;
    for (const client of clients) {
      const pool = poolOf(after, client);
      if (pool === undefined) continue;
      witness = true;
      const wanted = seen.calls.filter((call) => call.clients.includes(client)).length;
      const missed = Math.max(0, wanted - pool.nodes);
      const counted = pool.missed - (poolOf(before, client)?.missed ?? 0);
      const told = returnsSeen(seen, client);
      if (counted === missed && told === wanted - missed) continue;
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

/** Events of two links of one program cannot be distinguished. */
function hasOneLink({ promises }: Moment, { who }: PromisedClient): boolean {
  return promises.clients.filter((client) => client.who === who).length === 1;
}

function returnsSeen({ events }: SeenCall, client: PromisedClient): number {
  return events.filter((event) => event.client === client && event.half === 'exit').length;
}

interface Pool {
  readonly nodes: number;
  readonly missed: number;
}

/** The pool that a client takes a node from for each call; undefined when it needs none. */
function poolOf(
  { probes, profile }: KernelView,
  { object, kind, exit, vetoes }: PromisedClient,
): Pool | undefined {
  if (!exit || vetoes) return undefined;
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
