import type { Action } from '../../model/client/all.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';
import type { Scenario } from '../observed/scenario.ts';

export const probesGetTheirOwnData: TaskLaw = {
  name: 'tracepoint/probes-get-their-own-data',
  sentence: "No CPU calls a probe of a tracepoint with another probe's data.",
  source: 'kernel/tracepoint.c  tracepoint_add_func, tracepoint_remove_func',
  witness: 'a probe called while probes are added or removed',
  judge: ({ happening, scenario }) => {
    if (happening.is !== 'call over') return 'not applicable';
    const probes = happening.run.events.filter(({ kind }) => kind === 'tracepoint probe');
    const wrong = probes.find(({ who, data }) => !dataOf(scenario, who).includes(data ?? ''));
    if (wrong !== undefined)
      return {
        is: 'data-of-another',
        who: wrong.who,
        own: dataOf(scenario, wrong.who),
        data: wrong.data ?? '',
      };
    return probes.length > 0 && happening.during.length > 0 ? 'held' : 'not applicable';
  },
};

/** All data that a function was ever registered with. */
function dataOf({ setup, clients }: Scenario, func: string): string[] {
  const all: Action[] = [...setup, ...clients.flat()];
  return all.flatMap((action) =>
    action.do === 'tracepoint_probe_register_prio' && action.func === func ? [action.data] : [],
  );
}
