import type { Answer, Exit, JobProgress, RunVerdict, WholeJob } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';
import type { RunPart } from '../../counterexamples/run-part.ts';
import { suiteOf } from '../../counterexamples/run-part.ts';

/** What one section of the run has come to. */
export interface Section {
  readonly part: RunPart;
  readonly exit: Exit;
  /** Fields of the run's object. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly save: Answer['save'];
  readonly files?: Answer['files'];
  readonly suites: readonly CheckSuite[];
  readonly verdict: RunVerdict;
}

/** A section that is still to be worked on. */
export interface Task {
  /** The name of its part, for when it is not begun, and the fields that are null then. */
  readonly name: string;
  readonly fields: readonly string[];
  readonly work: () => Generator<JobProgress, Section, boolean>;
}

/** A search of its own. */
export function taskOf(field: string, name: string, start: () => WholeJob): Task {
  return {
    name,
    fields: [field],
    *work() {
      return sectionOf(field, yield* start());
    },
  };
}

/** The answer of another command as a section. */
export function sectionOf(
  field: string,
  { part, exit, save, files = [], json, verdict, suites = [] }: Answer,
): Section {
  if (part === undefined || verdict === undefined)
    throw new Error(`the answer of ${field} is no part of a run`);
  return { part, exit, save, files, suites, json: { [field]: json }, verdict };
}

const UNBEGUN: RunCheck = {
  name: 'not begun',
  rule: { name: 'attachcheck/run', sentence: 'Every section of a run is worked on.' },
  outcome: 'skipped',
  lines: ['not begun: the run was stopped'],
};

/** A section that a stop has left out. */
export function unbegun({ name, fields }: Task): Section {
  return {
    part: { mark: '?', name, counts: 'not begun' },
    exit: EXIT.INCONCLUSIVE,
    json: Object.fromEntries(fields.map((field) => [field, null])),
    save: [],
    suites: [suiteOf({ name, counts: 'not begun' }, [UNBEGUN])],
    verdict: { breaches: 0, wrong: [], known: [], open: [`${name} not begun`], next: { options: {} } },
  };
}
