import { hasReturned } from '../../model/call/call-frame.ts';
import type { CallEvent, EventKind } from '../../model/core/event.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';

/** I-37. Read off the run alone, independently of the contract. */
export const exitsMatchAcceptedEntries: AttachLaw = {
  name: 'ftrace/exits-match-accepted-entries',
  sentence:
    'A client with an entry handler sees a return only if it saw and accepted the entry of that call.',
  source: 'kernel/trace/fgraph.c  function_graph_enter_regs, ftrace_return_to_handler',
  witness: 'a client notified of entry and return of a call',
  judge: (moment) => {
    const { call } = moment.outcome;
    if (call === undefined || !hasReturned(call) || !isAlive(moment)) return 'not applicable';
    const open = new Map<string, number>();
    const vetoing = moment.promises.clients.filter(({ vetoes }) => vetoes).map(({ who }) => who);
    let witness = false;
    for (const event of call.events) {
      const accepted = vetoing.includes(event.who) ? 0 : 1;
      if (ENTRIES.includes(event.kind)) open.set(keyOf(event), (open.get(keyOf(event)) ?? 0) + accepted);
      if (event.kind !== 'graph exit' && !open.has(keyOf(event))) continue;
      if (!EXITS.includes(event.kind)) continue;
      const left = (open.get(keyOf(event)) ?? 0) - 1;
      if (left < 0) return { is: 'exit-without-entry', who: event.who, fn: event.fn, kind: event.kind };
      open.set(keyOf(event), left);
      witness = true;
    }
    return witness ? 'held' : 'not applicable';
  },
};

const ENTRIES: readonly EventKind[] = ['graph entry', 'kretprobe entry', 'fprobe entry', 'kprobe.multi'];
const EXITS: readonly EventKind[] = ['graph exit', 'kretprobe', 'fprobe exit', 'kprobe.multi return'];

function keyOf({ who, fn }: CallEvent): string {
  return `${who} ${fn}`;
}
