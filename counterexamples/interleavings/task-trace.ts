import type { Run, Schedule } from '../../checker/interleavings/schedule.ts';
import { parseRun, printRun } from '../../checker/interleavings/schedule.ts';
import { printAction } from '../../model/action-text.ts';
import type { Action } from '../../model/client/all.ts';
import type { Spelling } from '../../model/client/spelling.ts';
import { InputError, locatedIn } from '../../model/core/input-error.ts';
import { oneOf, wholeNumber } from '../../model/core/input-value.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { OtherVerdict } from '../../properties/finding/why.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { Declaring } from '../sequences/attach-trace.ts';
import { declares, printDeclarations, readAnswered, requireDeclared } from '../sequences/attach-trace.ts';
import type { Field, Header, TraceFile } from '../trace-file.ts';
import { fieldOf, printHeader, printTraceFile, readTraceFile, readTraceStart } from '../trace-file.ts';
import { spacedAsPrinted } from '../written-line.ts';
import { parseElsewhere, printElsewhere } from './elsewhere.ts';
import type { Scripts } from './task-script.ts';
import { readScriptLine, scriptLines } from './task-script.ts';

/** A saved interleaving: its setup, its scripts, its schedule, and its breach. */
export interface TaskTrace {
  readonly schedule: Schedule;
  readonly law: string;
  readonly planted: string | undefined;
  /** The breach that it is an example of, when real kernels show it. */
  readonly known: string | undefined;
  /** How it was found; a note, not needed to replay. */
  readonly found: string;
  /** Whether other kernels break the law as well. */
  readonly others?: readonly OtherVerdict[];
  /** The report that belongs to it, to the byte. */
  readonly report: string;
}

const HEADER_FIELDS = ['kernel', 'law', 'planted', 'known', 'found', 'others', 'cpus', 'retries', 'grain'];

/** When a client retries, and the grain: present only when not as usual. */
const RETRIES = 'after EAGAIN';
const INSTRUCTION = 'instruction';

/** The header of an interleaving has a field that no other has. */
export function isTaskTrace(text: string): boolean {
  return /^cpus\s+\d/m.test(text);
}

/** An actor precedes a call, which identifies the kind of the file. */
export function hasActors(text: string): boolean {
  return /^\s*(client|task) ?#?\d+( \(.*\))? ?:/m.test(text);
}

/** Lines of a saved file, at most. */
export const FILE_LINES_MOST = 80;

/** The text of a trace: header, functions, setup, scripts, the schedule, a rule, the report. */
export function printTaskTrace(trace: TaskTrace): string {
  const { scenario, grain } = trace.schedule;
  const [kernel, ...others] = headerOf(scenario, grain);
  const header: Field[] = [
    ...(kernel === undefined ? [] : [kernel]),
    ['law', trace.law],
    ...(trace.planted === undefined ? [] : [['planted', trace.planted] as const]),
    ...(trace.known === undefined ? [] : [['known', trace.known] as const]),
    ['found', trace.found],
    ...(trace.others === undefined ? [] : [['others', printElsewhere(trace.others)] as const]),
    ...others,
  ];
  return printTraceFile(header, programLines(trace.schedule), trace.report);
}

/** A scenario in the form of a file, with its whole setup. */
export function scenarioFileLines(scenario: Scenario, grain: Schedule['grain']): string[] {
  return [...printHeader(headerOf(scenario, grain)), '', ...scenarioLines(scenario)];
}

function headerOf({ profile, cpus, retries }: Scenario, grain: Schedule['grain']): Field[] {
  return [
    ['kernel', profile],
    ['cpus', String(cpus)],
    ...(retries === true ? [['retries', RETRIES] as const] : []),
    ...(grain === INSTRUCTION ? [['grain', INSTRUCTION] as const] : []),
  ];
}

/** The part between the header and the rule. */
export function programLines({ scenario, runs }: Schedule): string[] {
  return [...scenarioLines(scenario), '', ...runs.map(printRun)];
}

/** The declarations, the setup, and the scripts. */
export function scenarioLines(scenario: Scenario): string[] {
  return [...setupLines(scenario), ...scriptLines(scenario)];
}

/** The declarations, and the setup. */
export function setupLines(scenario: Scenario): string[] {
  return [...printDeclarations(scenario), ...scenario.setup.map((action) => printAction(action, scenario))];
}

/** Reads a trace back; an InputError names the line that cannot be read. */
export function parseTaskTrace(text: string): TaskTrace {
  const { report, ...file } = readTraceFile(text, HEADER_FIELDS);
  const { header, program, first } = file;
  requireSchedule(program, first);
  const { scenario, runs, grain } = readScenario(file);
  return {
    schedule: { scenario, runs, ...(grain === undefined ? {} : { grain }) },
    law: fieldOf(header, 'law'),
    planted: header.get('planted'),
    known: header.get('known'),
    found: fieldOf(header, 'found'),
    ...othersIn(header),
    report,
  };
}

function othersIn(header: Header): Pick<TaskTrace, 'others'> {
  const text = header.get('others');
  return text === undefined ? {} : { others: header.locate('others', () => parseElsewhere(text)) };
}

/** A scenario as it is written, before any check. */
export interface ReadScenario {
  readonly scenario: Scenario;
  readonly grain: Schedule['grain'];
  readonly planted: string | undefined;
  readonly law: string | undefined;
  /** The schedule of an interleaving; empty: none is said. */
  readonly runs: readonly Run[];
  /** In which line of the file each action of the setup stands. */
  readonly lines: readonly number[];
}

/** Reads a user's scenario, or the part of a saved interleaving above its report. */
export function parseScenario(text: string): ReadScenario {
  const { header, ...file } = readTraceStart(text, HEADER_FIELDS);
  const read = readScenario({ header, ...file });
  return { ...read, planted: header.get('planted'), law: header.get('law') };
}

type Start = Omit<TraceFile, 'report'>;

function readScenario({ header, program, first }: Start) {
  const profile = fieldOf(header, 'kernel');
  header.locate('kernel', () => profileNamed(profile));
  const cpus = header.locate('cpus', () => wholeNumber(header.get('cpus') ?? '1', 'cpus', CPUS_MOST, 1));
  const { runs, lines, ...rest } = readProgram(program, first, profile);
  const retries = choiceOf(header, 'retries', RETRIES) !== undefined ? { retries: true } : {};
  const scenario: Scenario = { profile, cpus, ...rest, ...retries };
  return { scenario, runs, lines, grain: choiceOf(header, 'grain', INSTRUCTION) };
}

/** A field that says the one thing which is not as usual, or is not there. */
function choiceOf<T extends string>(header: Header, name: string, value: T): T | undefined {
  const said = header.get(name);
  return said === undefined ? undefined : header.locate(name, () => oneOf(said, [value], name));
}

/** What a state has room for. */
export const CPUS_MOST = 8;

interface Read extends Scripts, Declaring {
  readonly setup: Action[];
  readonly lines: number[];
  readonly runs: Run[];
}

/** The schedule of a saved interleaving follows a blank line. */
function requireSchedule(lines: readonly string[], first: number): void {
  const schedule = firstRun(lines);
  if (lines.lastIndexOf('', schedule < 0 ? lines.length : schedule) < 0)
    throw new InputError(`line ${first}: the blank line before the schedule is missing`);
  if (schedule < 0) throw new InputError(`line ${first + lines.length}: the schedule is empty`);
}

function firstRun(lines: readonly string[]): number {
  return lines.findIndex((line) => parseRun(line) !== undefined);
}

/** Functions and tracepoints, setup, scripts; where there is a schedule, a blank line before it. */
function readProgram(lines: readonly string[], first: number, profile: string): Read {
  const read: Read = { functions: [], setup: [], lines: [], clients: [], callers: [], runs: [] };
  const schedule = firstRun(lines);
  const blank = lines.lastIndexOf('', schedule);
  const end = schedule < 0 ? lines.length : blank < 0 ? schedule - 1 : blank;
  lines.forEach((line, i) => {
    if (line === '') return;
    locatedIn(line, first + i, () => {
      if (i > end) read.runs.push(readRun(line));
      else readLine(spacedAsPrinted(line), first + i, read, profile);
    });
  });
  requireDeclared(read, first);
  return read;
}

function readRun(line: string): Run {
  const run = parseRun(line);
  if (run === undefined) throw new InputError(`"${line}" is no run of a client, a task or background work`);
  return run;
}

function readLine(line: string, number: number, read: Read, profile: string): void {
  if (declares(read, line)) return;
  const spelling: Spelling = { profile, ...read };
  if (readScriptLine(line, read, spelling)) return;
  const isBeside = read.clients.length + read.callers.length > 0;
  if (isBeside && /^task#\d+ (calls|hits) /.test(line))
    throw new InputError('beside clients a call is written task#1: f1(0x1)', line);
  if (isBeside)
    throw new InputError('the setup, which has no actor, comes before the lines of clients and tasks', line);
  const { action, answer } = readAnswered(line, spelling);
  if (answer !== '' && answer !== '0')
    throw new InputError(`what is set up has to succeed: its answer is 0, not ${answer}`, answer);
  read.setup.push(action);
  read.lines.push(number);
}
