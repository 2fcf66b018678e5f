import { retell } from '../../checker/refinement/retelling.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { designName } from '../../counterexamples/histories/names.ts';
import { reasonOf } from '../../counterexamples/histories/reason.ts';
import { readHistory } from '../../counterexamples/histories/refine-trace.ts';
import { printProgram } from '../../counterexamples/sequences/attach-trace.ts';
import { InputError } from '../../model/core/input-error.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { callOf } from '../../properties/observed/sample-call.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { listOf, modelLists } from './lists.ts';
import type { HistoryOnPage } from './walk/on-page.ts';
import type { WalkPage } from './walk-page.ts';

/** The page of a history that distinguishes two kernels: after each operation both functions are called in both. */
export function historyPage(text: string): WalkPage {
  const { history, answers } = readHistory(text);
  const { difference } = retell(history);
  if (difference === undefined) throw new InputError('the two kernels do not differ in this history');
  const { functions, operations, profiles } = history;
  const calls = functions.map((fn) => callOf(fn, 0));
  const actions = operations.flatMap((own) => [...own, { do: 'settle' } as const, ...calls]);
  const caseIn = (profile: string): AttachCase => ({ profile, functions, actions });
  const [kernel, against] = profiles;
  const finding: HistoryOnPage = {
    sides: [
      { name: designName(kernel), case: caseIn(kernel) },
      { name: designName(against), case: caseIn(against) },
    ],
    difference: reasonOf(difference),
  };
  const made = operations.flatMap((own) => [...own, { do: 'settle' } as const]);
  return {
    law: undefined,
    title: `${designName(kernel)} does not behave as ${designName(against)}`,
    facts: { kernel, against },
    program: printProgram({ profile: kernel, functions, actions: made }, answers),
    finding,
    entry: 'history.ts',
    lists: [
      ...modelLists(profiles, actions),
      listOf('properties/attach-laws.ts', ATTACH_LAWS, []),
      listOf('properties/planted/sequences/all.ts', ATTACH_PLANTED, []),
    ],
  };
}
