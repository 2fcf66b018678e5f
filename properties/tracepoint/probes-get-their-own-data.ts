import type { Action } from '../../model/action.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';
import type { Scenario } from '../observed/scenario.ts';

export const probesGetTheirOwnData: TaskLaw = {
  name: 'tracepoint/probes-get-their-own-data',
  sentence: 'A processor never calls one probe of a tracepoint with the data of another.',
  source: 'kernel/tracepoint.c  tracepoint_add_func, tracepoint_remove_func',
  witness: 'a probe was called while probes came or went',
  judge: ({ happening, scenario }) => {
    if (happening.is !== 'call over') return 'no say';
    const probes = happening.run.events.filter(({ kind }) => kind === 'tracepoint probe');
    const pairs = pairsOf(scenario);
    const wrong = probes.find(({ who, data }) => !pairs.includes(`${who}(${data})`));
    if (wrong !== undefined)
      return {
        expected: `${wrong.who} is called as ${pairs.filter((pair) => pair.startsWith(wrong.who)).join(' or ')}`,
        observed: `it is called as ${wrong.who}(${wrong.data})`,
      };
    return probes.length > 0 && happening.during.length > 0 ? 'held' : 'no say';
  },
};

/** A function and data that were registered together at some time. */
function pairsOf({ setup, clients }: Scenario): string[] {
  const all: Action[] = [...setup, ...clients.flat()];
  return all.flatMap((action) =>
    action.do === 'tracepoint_probe_register_prio' ? [`${action.func}(${action.data})`] : [],
  );
}
