import type { Action } from '../../model/action.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { parseAction } from '../../properties/attach/action-parse.ts';
import { printAction, type Spelling } from '../../properties/attach/action-text.ts';
import type { CallerScript, Scenario } from '../../properties/explore/scenario.ts';
import type { Run, Schedule } from '../../properties/explore/schedule.ts';
import { parseRun, printRun } from '../../properties/explore/schedule.ts';
import { printDeclaration, readDeclaration } from '../attach/attach-trace.ts';
import type { Field } from '../trace-file.ts';
import { fieldOf, printTraceFile, readTraceFile } from '../trace-file.ts';

/** A saved interleaving: what is set up, who does what, in which order they do it, and what that breaks. */
export interface TaskTrace {
  readonly schedule: Schedule;
  readonly law: string;
  readonly planted: string | undefined;
  /** The breach that it is an example of, when real kernels show it. */
  readonly known: string | undefined;
  /** How it was found; a note, not needed to replay. */
  readonly found: string;
  /** The report that belongs to it, to the byte. */
  readonly report: string;
}

const HEADER_FIELDS = ['kernel', 'law', 'planted', 'known', 'found', 'cpus'];

/** Lines of a saved file, at the most. */
export const FILE_LINES_MOST = 80;

/** The text of a trace: header, functions, setup, scripts, the schedule, a rule, the report. */
export function printTaskTrace(trace: TaskTrace): string {
  const { scenario } = trace.schedule;
  const header: Field[] = [
    ['kernel', scenario.profile],
    ['law', trace.law],
    ...(trace.planted === undefined ? [] : [['planted', trace.planted] as const]),
    ...(trace.known === undefined ? [] : [['known', trace.known] as const]),
    ['found', trace.found],
    ['cpus', String(scenario.processors)],
  ];
  return printTraceFile(header, programLines(trace.schedule), trace.report);
}

/** What stands between the header and the rule. */
export function programLines({ scenario, runs }: Schedule): string[] {
  return [
    ...scenario.functions.map(printDeclaration),
    ...scenario.setup.map((action) => printAction(action, scenario)),
    ...scriptLines(scenario),
    '',
    ...runs.map(printRun),
  ];
}

/** `client#1: close(link#2)`, `task#1: f1(0x1001)`, `task#2 (idle): f1(0x1001)`. */
export function scriptLines(scenario: Scenario): string[] {
  return [
    ...scenario.clients.flatMap((script, i) =>
      script.map((action) => `client#${i + 1}: ${printAction(action, scenario)}`),
    ),
    ...scenario.callers.map(({ call, idle }, i) => {
      const text = printAction({ do: 'call', ...call }, scenario).slice(CALLS.length);
      return `task#${i + 1}${idle ? ' (idle)' : ''}: ${text}`;
    }),
  ];
}

/** How an action that is a call starts. */
const CALLS = 'task#1 calls ';

/** Reads a trace back; an InputError names the line that cannot be read. */
export function parseTaskTrace(text: string): TaskTrace {
  const { header, program, first, report } = readTraceFile(text, HEADER_FIELDS);
  const profile = fieldOf(header, 'kernel');
  profileNamed(profile);
  const processors = wholeNumber(fieldOf(header, 'cpus'), 'cpus', PROCESSORS_MOST);
  if (processors === 0) throw new InputError('cpus 0: nobody would run');
  const { runs, ...rest } = readProgram(program, first, profile);
  return {
    schedule: { scenario: { profile, processors, ...rest }, runs },
    law: fieldOf(header, 'law'),
    planted: header.get('planted'),
    known: header.get('known'),
    found: fieldOf(header, 'found'),
    report,
  };
}

/** What a state has room for. */
export const PROCESSORS_MOST = 8;
const ACTORS_MOST = 8;
const SCRIPT_MOST = 7;

interface Read {
  readonly functions: TracedFunction[];
  readonly setup: Action[];
  readonly clients: Action[][];
  readonly callers: CallerScript[];
  readonly runs: Run[];
}

/** Functions, setup, scripts, a blank line, the schedule. */
function readProgram(lines: readonly string[], first: number, profile: string): Read {
  const read: Read = { functions: [], setup: [], clients: [], callers: [], runs: [] };
  const blank = lines.indexOf('');
  if (blank < 0) throw new InputError(`line ${first}: the blank line in front of the schedule is missing`);
  lines.forEach((line, i) => {
    if (i === blank) return;
    try {
      if (i > blank) read.runs.push(readRun(line));
      else readLine(line, read, { profile, functions: read.functions });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(`line ${first + i}: ${error.message}`);
    }
  });
  if (read.functions.length === 0) throw new InputError(`line ${first}: the program declares no function`);
  if (read.runs.length === 0) throw new InputError(`line ${first + lines.length}: the schedule is empty`);
  return read;
}

function readRun(line: string): Run {
  const run = parseRun(line);
  if (run === undefined) throw new InputError(`"${line}" is no run of a client, a task or background work`);
  return run;
}

function readLine(line: string, read: Read, spelling: Spelling): void {
  const declared = readDeclaration(line, read.functions.length + 1);
  if (declared !== undefined) {
    read.functions.push(declared);
    return;
  }
  const [, who, number = '', idle, text = ''] = /^(client|task)#(\d+)( \(idle\))?: (.*)$/.exec(line) ?? [];
  if (who === undefined) read.setup.push(readAction(line, spelling));
  else if (who === 'task') readCaller(Number(number), idle !== undefined, text, read.callers, spelling);
  else readClient(Number(number), text, read.clients, spelling);
}

/** Calls are made by tasks; what happens in a setup or a script is everything else. */
function readAction(text: string, spelling: Spelling): Action {
  const action = parseAction(text, spelling);
  if (action.do === 'call') throw new InputError(`"${text}": a call is made by a task, as in task#1: f1()`);
  return action;
}

function readClient(number: number, text: string, clients: Action[][], spelling: Spelling): void {
  if (number === clients.length + 1) clients.push([]);
  const script = clients[number - 1];
  if (script === undefined || number < clients.length || number > ACTORS_MOST)
    throw new InputError(`client#${number} is not the next one of at most ${ACTORS_MOST}`);
  if (script.length === SCRIPT_MOST)
    throw new InputError(`client#${number} does more than ${SCRIPT_MOST} things`);
  script.push(readAction(text, spelling));
}

function readCaller(
  number: number,
  idle: boolean,
  text: string,
  callers: CallerScript[],
  spelling: Spelling,
): void {
  if (number !== callers.length + 1 || number > ACTORS_MOST)
    throw new InputError(`task#${number} is not the next one of at most ${ACTORS_MOST}`);
  const action = parseAction(CALLS + text, spelling);
  if (action.do !== 'call') throw new InputError(`"${text}" is no call of a function`);
  const { do: _, ...call } = action;
  callers.push({ call, ...(idle ? { idle } : {}) });
}
