import { lively } from '../../checker/interleavings/liveness.ts';
import { scenarioLines } from '../../counterexamples/interleavings/task-trace.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { readInterleaving } from '../explain/played-interleaving.ts';
import { listOf, modelLists } from './lists.ts';
import type { InterleavingOnPage } from './walk/on-page.ts';
import type { WalkPage } from './walk-page.ts';

/** The page of an interleaving. Throws an InputError when the file has no schedule. */
export function interleavingPage(text: string): WalkPage {
  const { schedule, planted, law: name } = readInterleaving(text);
  const { scenario } = schedule;
  const law = ALL_TASK_LAWS.find((own) => own.name === name);
  const finding: InterleavingOnPage = { schedule, law: law?.name, planted };
  const isIt = (own: { readonly name: string }) => own.name === name;
  return {
    law,
    title: law === undefined ? 'An interleaving' : law.name,
    facts: {
      kernel: scenario.profile,
      cpus: String(scenario.cpus),
      ...(planted === undefined ? {} : { 'planted bug': planted }),
    },
    program: scenarioLines(scenario),
    finding,
    entry: 'interleaving.ts',
    lists: [
      ...modelLists([scenario.profile], [...scenario.setup, ...scenario.clients.flat()]),
      listOf('properties/task-laws.ts', ALL_TASK_LAWS, law === undefined ? [] : [law]),
      // A search for traps is needed only where the law is on liveness.
      listOf(
        'counterexamples/interleavings/breach-at-end.ts',
        [lively],
        law?.isLiveness === true ? [lively] : [],
      ),
      listOf('properties/attach-laws.ts', ATTACH_LAWS, ATTACH_LAWS.filter(isIt)),
      listOf(
        'properties/planted/interleavings/all.ts',
        TASK_PLANTED,
        TASK_PLANTED.filter((own) => own.name === planted),
      ),
    ],
  };
}
