import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { printProgram } from '../../counterexamples/sequences/attach-trace.ts';
import { readOwnSequence } from '../../counterexamples/sequences/own-sequence.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { lawIn } from '../../counterexamples/trace-kind.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { listOf, modelLists } from './lists.ts';
import type { SequenceOnPage } from './walk/on-page.ts';
import type { WalkPage } from './walk-page.ts';

const LAWS: readonly AttachLaw[] = [...ATTACH_LAWS, ...HIT_LAWS];

/**
 * The page of a sequence of calls: of one for all kernels, in the first that breaks a law. A file that names no law has
 * the first one that it breaks.
 */
export function sequencePage(text: string): WalkPage {
  const { cases, planted, answers } = readOwnSequence(text);
  const named = LAWS.find(({ name }) => name === lawIn(text));
  const bug = plantedIn(ATTACH_PLANTED, planted);
  const program = plantedKernel(bug);
  const lawOf = (c: AttachCase) => named ?? runSequence(c, { laws: LAWS, program }).breach?.law;
  const c = cases.find((own) => lawOf(own) !== undefined) ?? cases[0];
  const law = lawOf(c);
  const finding: SequenceOnPage = { case: c, law: law?.name, planted };
  const broken = law === undefined ? [] : [law];
  return {
    law,
    title: law === undefined ? 'A sequence of calls' : law.name,
    facts: { kernel: c.profile, ...(planted === undefined ? {} : { 'planted bug': planted }) },
    program: printProgram(c, answers),
    finding,
    entry: 'sequence.ts',
    lists: [
      ...modelLists([c.profile], c.actions),
      listOf('properties/attach-laws.ts', ATTACH_LAWS, broken),
      listOf('properties/tracepoint-laws.ts', HIT_LAWS, broken),
      listOf('properties/planted/sequences/all.ts', ATTACH_PLANTED, bug === undefined ? [] : [bug]),
    ],
  };
}
