import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { requireFault } from '../../checker/sequences/faults.ts';
import { parseAction, printAction } from '../../model/action-text.ts';
import type { Action } from '../../model/client/all.ts';
import type { Spelling } from '../../model/client/spelling.ts';
import { ERRNO, errnoName } from '../../model/core/errno.ts';
import { InputError, locatedIn } from '../../model/core/input-error.ts';
import { meantOr } from '../../model/core/nearest.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import { NAMED_LISTINGS } from '../../model/trampoline/listing.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import {
  moduleFunction,
  targetProgram,
  tracedFunction,
  withWordsAfter,
  wordsAfter,
} from '../../model/trampoline/traced-function.ts';
import type { Field, TraceFile } from '../trace-file.ts';
import { fieldOf, printHeader, printTraceFile, readTraceFile, readTraceStart } from '../trace-file.ts';
import { spacedAsPrinted } from '../written-line.ts';
import { requireCallees } from './nested-functions.ts';
import { isOfTheModel } from './predefined-name.ts';
import { printTracepoint, readTracepoint } from './tracepoint-declaration.ts';

/** A saved sequence: the clients' actions, their answers, the law that it breaks, and its origin. */
export interface AttachTrace {
  readonly case: AttachCase;
  readonly law: string;
  readonly planted: string | undefined;
  /** The breach that it is an example of, when real kernels show it. */
  readonly known: string | undefined;
  /** How it was found; a note, not needed to replay. */
  readonly found: string;
  /** The answer of each action: `0`, `-EBUSY`, or nothing. */
  readonly answers: readonly string[];
  /** The report that belongs to it, to the byte. */
  readonly report: string;
}

const ANSWER_COLUMN = 64;
/** Fields that the header of a saved sequence may have. */
export const HEADER_FIELDS = ['kernel', 'law', 'planted', 'known', 'found'];

/** The text of a trace: header, functions, actions with their answers, a rule, the report. */
export function printAttachTrace(trace: AttachTrace): string {
  const { profile } = trace.case;
  const header: Field[] = [
    ['kernel', profile],
    ['law', trace.law],
    ...(trace.planted === undefined ? [] : [['planted', trace.planted] as const]),
    ...(trace.known === undefined ? [] : [['known', trace.known] as const]),
    ['found', trace.found],
  ];
  return printTraceFile(header, printProgram(trace.case, trace.answers), trace.report);
}

/** The text of a sequence that was not found by a search: what `parseSequence()` reads. */
export function printSequenceFile(c: AttachCase, answers: readonly string[]): string {
  return [...printHeader([['kernel', c.profile]]), '', ...printProgram(c, answers), ''].join('\n');
}

/** The lines of functions, and of actions with their answers: what `readProgram()` reads. */
export function printProgram(c: AttachCase, answers: readonly string[]): string[] {
  const steps = c.actions.map((action, i) => answered(printAction(action, c), answers[i] ?? ''));
  return [...printDeclarations(c), ...steps];
}

/** The declarations of a kernel: its functions, and then its tracepoints. */
export interface Declared {
  readonly functions: readonly TracedFunction[];
  readonly tracepoints?: readonly DeclaredTracepoint[];
}

/** One line for each that is declared. */
export function printDeclarations({ functions, tracepoints = [] }: Declared): string[] {
  return [...functions.map(printDeclaration), ...tracepoints.map(printTracepoint)];
}

/** What `readDeclaration()` reads. */
function printDeclaration(fn: TracedFunction): string {
  const what = fn.bpf ? 'program' : 'function';
  return [`${named(fn)} = ${what}(${printSignature(fn.signature)})`, ...wordsAfter(fn)].join(' ');
}

/** A function's name, and its module as kallsyms prints it. */
function named({ name, module }: TracedFunction): string {
  return module === '' ? name : `${name} [${module}]`;
}

function answered(action: string, answer: string): string {
  return answer === '' ? action : `${action.padEnd(ANSWER_COLUMN)} = ${answer}`;
}

/** Reads a trace back; an InputError names the line that cannot be read. */
export function parseAttachTrace(text: string): AttachTrace {
  const { report, ...file } = readTraceFile(text, HEADER_FIELDS);
  const { header } = file;
  const { lines: _, ...read } = readSequence(file);
  return {
    ...read,
    law: fieldOf(header, 'law'),
    known: header.get('known'),
    found: fieldOf(header, 'found'),
    report,
  };
}

/** A sequence, its answers, and the line of each action in its file, from 1. */
export interface ReadSequence extends Pick<AttachTrace, 'case' | 'planted' | 'answers'> {
  readonly lines: readonly number[];
}

/** A sequence and its answers, whatever law it breaks: it may be written by a user. */
export function parseSequence(text: string): ReadSequence {
  return readSequence(readTraceStart(text, HEADER_FIELDS));
}

function readSequence({ header, program, first }: Omit<TraceFile, 'report'>): ReadSequence {
  const profile = fieldOf(header, 'kernel');
  header.locate('kernel', () => profileNamed(profile));
  const { answers, lines, ...read } = readProgram(program, first, profile);
  return { case: { profile, ...read }, planted: header.get('planted'), answers, lines };
}

/** The program of a trace. */
interface Read extends Declaring {
  readonly actions: AttachCase['actions'][number][];
  readonly answers: string[];
  /** The line of each action in its file, from 1. */
  readonly lines: number[];
}

/** Functions and tracepoints first, then actions; `first` is the number of the first line in its file. */
export function readProgram(lines: readonly string[], first: number, profile: string): Read {
  const read: Read = { functions: [], actions: [], answers: [], lines: [] };
  lines.forEach((line, i) => {
    if (line === '') return;
    locatedIn(line, first + i, () => readLine(spacedAsPrinted(line), read, profile));
    if (read.actions.length > read.lines.length) read.lines.push(first + i);
  });
  requireDeclared(read, first);
  if (read.actions.length === 0) throw new InputError(`line ${first}: the program has no actions`);
  return read;
}

function readLine(line: string, read: Read, profile: string): void {
  if (declares(read, line)) return;
  if (read.actions.length === CALLS_MOST)
    throw new InputError(`there are more than ${CALLS_MOST} calls`, line);
  const { action, answer } = readAnswered(line, { profile, ...read });
  read.actions.push(action);
  read.answers.push(answer);
}

/** Reads a call, and the answer that is written after it; empty: none is. */
export function readAnswered(line: string, spelling: Spelling): { action: Action; answer: string } {
  const [, call = '', answer = ''] = /^(.*?)(?: += (-?\d+|-[A-Z0-9]+|dies))?$/.exec(line) ?? [];
  const action = parseAction(call.trimEnd(), spelling);
  if (action.do === 'fail') requireFault(action.fault);
  return { action, answer: readAnswer(answer) };
}

/** An answer as reports have it: by the name of an errno, which may be written as its number. */
function readAnswer(answer: string): string {
  if (['', '0', 'dies'].includes(answer)) return answer;
  const names = Object.keys(ERRNO);
  const name = /^-\d/.test(answer) ? errnoName(-Number(answer)) : answer.slice(1);
  if (answer.startsWith('-') && names.includes(name)) return `-${name}`;
  throw new InputError(`${answer} is not an answer of a call: ${meantOr(name, names)}`, answer);
}

/** Of a program, as it is judged after each call: laws read all functions, and the steps before. */
const CALLS_MOST = 10_000;
const FUNCTIONS_MOST = 4000;

/** What has been declared so far. */
export interface Declaring {
  readonly functions: TracedFunction[];
  tracepoints?: DeclaredTracepoint[];
}

/** Reads a line that declares something; false when it does not. A name is declared once. */
export function declares(read: Declaring, line: string): boolean {
  const tracepoint = readTracepoint(line);
  const fn = tracepoint === undefined ? readDeclaration(line, read.functions.length + 1) : undefined;
  const name = (fn ?? tracepoint)?.name;
  if (name === undefined) return false;
  if ([...read.functions, ...(read.tracepoints ?? [])].some((other) => other.name === name))
    throw new InputError(`${name} is declared twice`, name);
  if (isOfTheModel(name)) throw new InputError(`${name} is a predefined name`, name);
  if (read.functions.length === FUNCTIONS_MOST)
    throw new InputError(`more than ${FUNCTIONS_MOST} functions are declared`, name);
  if (fn !== undefined) read.functions.push(fn);
  if (tracepoint !== undefined) read.tracepoints = [...(read.tracepoints ?? []), tracepoint];
  return true;
}

/** A program needs a function or a tracepoint; `first` is the number of its first line. */
export function requireDeclared({ functions, tracepoints = [] }: Declared, first: number): void {
  if (functions.length + tracepoints.length === 0)
    throw new InputError(`line ${first}: the program declares no function`);
  requireCallees(functions);
}

/** The error of a line that declares something, and cannot be read. */
function refuseDeclaration(line: string): void {
  const [, name = '', what, rest = ''] = /^(.*?) = (function|program|tracepoint)\b(.*)$/.exec(line) ?? [];
  if (what === undefined) return;
  if (!/^[A-Za-z_][\w.]*( \[[A-Za-z_]\w*\])?$/.test(name))
    throw new InputError(
      `"${name}" is not the name of a ${what}; that is like f1, or f1 [m1] in a module`,
      name,
    );
  throw new InputError(`"${rest}" does not declare a ${what}; that is like ${DECLARATION[what]}`, rest);
}

const DECLARATION: Readonly<Record<string, string>> = {
  function: `function(u64, ptr -> s32), and after it noreturn, ${NAMED_LISTINGS.join(', ')}`,
  program: 'program(u64 -> u64)',
  tracepoint: 'tracepoint(u64, ptr), and faultable after it',
};

const FUNCTION_LINE = new RegExp(
  `^([A-Za-z_][\\w.]*)(?: \\[([A-Za-z_]\\w*)\\])? = (function|program)\\((.*)\\)((?: noreturn)?(?: (?:${NAMED_LISTINGS.join('|')}))?)$`,
);

/**
 * `f1 = function(u64 -> u64)`, `f1 [m1] = function(u64 -> u64)` in a module, `f1 = function(u64 -> void) noreturn`,
 * `f1 = function(ptr -> s64) syscall`, `p1 = program(u64 -> u64)`.
 */
export function readDeclaration(line: string, id: number): TracedFunction | undefined {
  const [, name = '', module = '', what, signature = '', after = ''] = FUNCTION_LINE.exec(line) ?? [];
  if (name === '') {
    refuseDeclaration(line);
    return undefined;
  }
  if (module !== '' && what === 'program')
    throw new InputError(`${name} is a BPF program, and not in ${module}`);
  const declared =
    what === 'program'
      ? targetProgram(name, id, signature)
      : module === ''
        ? tracedFunction(name, id, signature)
        : moduleFunction(name, id, signature, module);
  return withWordsAfter(declared, after.split(' '));
}
