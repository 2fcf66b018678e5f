import type { History, Retelling } from '../../checker/refinement/retelling.ts';
import { retell } from '../../checker/refinement/retelling.ts';
import type { Action } from '../../model/client/all.ts';
import { last } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import { CORPUS } from '../corpus-folder.ts';
import { printProgram, readProgram } from '../sequences/attach-trace.ts';
import type { Replayed } from '../trace-file.ts';
import { fieldOf, printTraceFile, readTraceFile, replayedAs } from '../trace-file.ts';
import { designName } from './names.ts';
import { printRefineReport } from './refine-report.ts';

/*
 * A saved history that distinguishes two kernels: a sequence with the second kernel in its header; all grace periods
 * end between two operations, and after the last.
 */

const FIELDS = ['kernel', 'against', 'found'];
const BETWEEN: Action = { do: 'settle' };

/** A distinguishing history, as it is printed and saved. */
export interface RefineCounterexample {
  readonly report: string;
  /** Where it is or would be saved. */
  readonly path: string;
  readonly text: string;
}

/** A history that distinguishes two kernels, described; undefined when it does not. */
export function describeHistory(history: History): RefineCounterexample | undefined {
  const retelling = retell(history);
  if (retelling.difference === undefined) return undefined;
  const path = pathOf(history);
  const report = printRefineReport({ history, retelling, replay: `npm run check -- replay ${path}` });
  return { report, path, text: printRefineTrace(history, retelling, report) };
}

/** `counterexamples/corpus/refine/one-by-one.not-tracing-multi.trace`. */
function pathOf({ profiles }: History): string {
  const [name, other] = profiles.map((profile) =>
    designName(profile)
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/-$/, '')
      .toLowerCase(),
  );
  return `${CORPUS}/refine/${name}.not-${other}.trace`;
}

function printRefineTrace(
  { profiles, functions, operations }: History,
  retelling: Retelling,
  report: string,
): string {
  const [kernel, against] = profiles;
  const actions = operations.flatMap((items) => [...items, BETWEEN]);
  return printTraceFile(
    [
      ['kernel', kernel],
      ['against', against],
      ['found', 'by refine'],
    ],
    printProgram({ profile: kernel, functions, actions }, answersOf(retelling)),
    report,
  );
}

/** The first kernel's answer to each action. */
function answersOf({ steps }: Retelling): string[] {
  return steps.flatMap(([{ shown }]) => [
    ...shown.answers.map((errno) => (errno === 0 ? '0' : `-${errno}`)),
    '',
  ]);
}

/** Whether the text of a trace is that of a history in two kernels. */
export function isRefineTrace(text: string): boolean {
  return /^against +\S/m.test(text.slice(0, text.indexOf('\n\n')));
}

/** A history that was saved, with the first kernel's answers and its report. */
export interface SavedHistory {
  readonly history: History;
  readonly answers: readonly string[];
  readonly report: string;
}

/** Reads it; an InputError names the line that cannot be read. */
export function readHistory(text: string): SavedHistory {
  const { header, program, first, report } = readTraceFile(text, FIELDS);
  const profiles = [fieldOf(header, 'kernel'), fieldOf(header, 'against')] as const;
  for (const profile of profiles) designOf(profileNamed(profile));
  const { functions, actions, answers } = readProgram(program, first, profiles[0]);
  return { history: { profiles, functions, operations: operationsOf(actions) }, answers, report };
}

/** Replays a trace in both kernels. */
export function replayHistory(text: string): Replayed {
  const { history, answers, report } = readHistory(text);
  const now = answersOf(retell(history));
  const index = now.findIndex((answer, i) => answer !== answers[i]);
  if (index >= 0)
    return { kind: 'diverged', why: `step ${index + 1} answers ${now[index]}, saved is ${answers[index]}` };
  const described = describeHistory(history);
  if (described === undefined) return { kind: 'holds' };
  return replayedAs(report, described.report);
}

/** The actions of each operation: all grace periods end after it. */
function operationsOf(actions: readonly Action[]): Action[][] {
  const operations: Action[][] = [[]];
  for (const action of actions) {
    if (action.do === 'settle') operations.push([]);
    else last(operations).push(action);
  }
  return operations.filter((items) => items.length > 0);
}
