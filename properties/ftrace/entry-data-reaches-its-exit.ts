import type { AttachLaw } from '../law/sequence-law.ts';
import type { SeenEvent } from '../observed/seen-call.ts';
import { seenCall } from '../observed/seen-call.ts';

export const entryDataReachesItsExit: AttachLaw = {
  name: 'ftrace/entry-data-reaches-its-exit',
  sentence:
    'The exit handler of an fprobe gets the entry data that its entry handler stored for the same call.',
  source: 'kernel/trace/fprobe.c  __fprobe_handler, fprobe_exit_handler; fprobe_fgraph_entry, fprobe_return',
  witness: 'an exit handler that runs after entry data was stored',
  lacks: ({ fprobe }) => (fprobe === 'none' ? 'the kernel has no fprobes' : undefined),
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    let witness = false;
    for (const exit of seen.events) {
      if (exit.event.kind !== 'fprobe exit' || exit.call === undefined) continue;
      const expected = entryOf(exit, seen.events)?.event.entryData;
      if (expected === undefined) continue;
      const { who, fn, entryData = null } = exit.event;
      if (entryData !== expected) return { is: 'entry-data-differs', who, fn, expected, observed: entryData };
      witness = true;
    }
    return witness ? 'held' : 'not applicable';
  },
};

function entryOf({ call, client }: SeenEvent, events: readonly SeenEvent[]): SeenEvent | undefined {
  return events.find(
    (entry) => entry.event.kind === 'fprobe entry' && entry.call === call && entry.client === client,
  );
}
