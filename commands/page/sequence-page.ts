import { parseSequence, printProgram } from '../../counterexamples/sequences/attach-trace.ts';
import { lawIn } from '../../counterexamples/trace-kind.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { listOf, modelLists } from './lists.ts';
import type { SequenceOnPage } from './walk/on-page.ts';
import type { WalkPage } from './walk-page.ts';

/** The page of a sequence of calls in one kernel. `law`: the one that it breaks; undefined: as its header says. */
export function sequencePage(text: string, law?: string): WalkPage {
  const { case: c, planted, answers } = parseSequence(text);
  const laws = [...ATTACH_LAWS, ...HIT_LAWS];
  const broken = laws.find(({ name }) => name === (law ?? lawIn(text)));
  const bugs = ATTACH_PLANTED.filter(({ name }) => name === planted);
  const finding: SequenceOnPage = { case: c, law: broken?.name, planted };
  return {
    law: broken,
    facts: { kernel: c.profile, ...(planted === undefined ? {} : { 'planted bug': planted }) },
    program: printProgram(c, answers),
    finding,
    entry: 'sequence.ts',
    lists: [
      ...modelLists(c.profile, c.actions),
      listOf('properties/attach-laws.ts', ATTACH_LAWS, broken === undefined ? [] : [broken]),
      listOf('properties/tracepoint-laws.ts', HIT_LAWS, broken === undefined ? [] : [broken]),
      listOf('properties/planted/sequences/all.ts', ATTACH_PLANTED, bugs),
    ],
  };
}
