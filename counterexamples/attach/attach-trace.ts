import { InputError } from '../../model/core/input-error.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import {
  moduleFunction,
  noreturnFunction,
  targetProgram,
  tracedFunction,
} from '../../model/trampoline/traced-function.ts';
import { parseAction } from '../../properties/attach/action-parse.ts';
import { printAction } from '../../properties/attach/action-text.ts';
import type { AttachCase } from '../../properties/attach/attach-case.ts';
import type { Field, TraceFile } from '../trace-file.ts';
import { fieldOf, printTraceFile, readTraceFile, readTraceStart } from '../trace-file.ts';

/** A saved sequence: what clients do, what they are answered, what it breaks, and where it came from. */
export interface AttachTrace {
  readonly case: AttachCase;
  readonly law: string;
  readonly planted: string | undefined;
  /** The breach that it is an example of, when real kernels show it. */
  readonly known: string | undefined;
  /** How it was found; a note, not needed to replay. */
  readonly found: string;
  /** What each action is answered: `0`, `-EBUSY`, or nothing. */
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

/** The lines of functions, and of actions with their answers: what `readProgram()` reads. */
export function printProgram(c: AttachCase, answers: readonly string[]): string[] {
  const steps = c.actions.map((action, i) => answered(printAction(action, c), answers[i] ?? ''));
  return [...c.functions.map(printDeclaration), ...steps];
}

/** What `readDeclaration()` reads. */
export function printDeclaration(fn: TracedFunction): string {
  const what = fn.bpf ? 'program' : 'function';
  return `${named(fn)} = ${what}(${printSignature(fn.signature)})${fn.noreturn ? ' noreturn' : ''}`;
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
  return {
    ...readSequence(file),
    law: fieldOf(header, 'law'),
    known: header.get('known'),
    found: fieldOf(header, 'found'),
    report,
  };
}

/** A sequence and its answers, whatever law it breaks: it may be one that somebody has written down to look at it. */
export function parseSequence(text: string): Pick<AttachTrace, 'case' | 'planted' | 'answers'> {
  return readSequence(readTraceStart(text, HEADER_FIELDS));
}

function readSequence({ header, program, first }: Omit<TraceFile, 'report'>) {
  const profile = fieldOf(header, 'kernel');
  profileNamed(profile);
  const { functions, actions, answers } = readProgram(program, first, profile);
  return { case: { profile, functions, actions }, planted: header.get('planted'), answers };
}

/** The program of a trace. */
type Read = { functions: TracedFunction[]; actions: AttachCase['actions'][number][]; answers: string[] };

/** Functions first, then actions; `first` is the number of the first line in its file. */
export function readProgram(lines: readonly string[], first: number, profile: string): Read {
  const read: Read = { functions: [], actions: [], answers: [] };
  lines.forEach((line, i) => {
    try {
      readLine(line, read, profile);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(`line ${first + i}: ${error.message}`);
    }
  });
  if (read.functions.length === 0) throw new InputError(`line ${first}: the program declares no function`);
  if (read.actions.length === 0) throw new InputError(`line ${first}: the program has no actions`);
  return read;
}

function readLine(line: string, read: Read, profile: string): void {
  const declared = readDeclaration(line, read.functions.length + 1);
  if (declared !== undefined) {
    declare(read.functions, declared);
    return;
  }
  const [, action = '', answer = ''] = /^(.*?)(?: += (0|-[A-Z0-9]+|dies))?$/.exec(line) ?? [];
  read.actions.push(parseAction(action.trimEnd(), { profile, functions: read.functions }));
  read.answers.push(answer);
}

/** A name stands for one function. */
export function declare(functions: TracedFunction[], declared: TracedFunction): void {
  if (functions.some(({ name }) => name === declared.name))
    throw new InputError(`${declared.name} is declared twice`);
  functions.push(declared);
}

/**
 * `f1 = function(u64 -> u64)`, `f1 [m1] = function(u64 -> u64)` in a module, `f1 = function(u64 -> void) noreturn`,
 * `p1 = program(u64 -> u64)`.
 */
export function readDeclaration(line: string, id: number): TracedFunction | undefined {
  const [, name = '', module = '', what, signature = '', noreturn = ''] =
    /^([a-z_]\w*)(?: \[([a-z_]\w*)\])? = (function|program)\((.*)\)( noreturn)?$/.exec(line) ?? [];
  if (name === '') return undefined;
  if (module !== '' && what === 'program')
    throw new InputError(`${name} is a BPF program, and not in ${module}`);
  const declared =
    what === 'program'
      ? targetProgram(name, id, signature)
      : module === ''
        ? tracedFunction(name, id, signature)
        : moduleFunction(name, id, signature, module);
  return noreturn === '' ? declared : noreturnFunction(declared);
}
