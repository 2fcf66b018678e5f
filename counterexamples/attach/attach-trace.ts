import { InputError } from '../../model/core/input-error.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { parseAction } from '../../properties/attach/action-parse.ts';
import { printAction } from '../../properties/attach/action-text.ts';
import type { AttachCase } from '../../properties/attach/attach-case.ts';

/** A saved sequence: what clients do, what they are answered, what it breaks, and where it came from. */
export interface AttachTrace {
  readonly case: AttachCase;
  readonly law: string;
  readonly planted: string | undefined;
  /** How it was found; a note, not needed to replay. */
  readonly found: string;
  /** What each action is answered: `0`, `-EBUSY`, or nothing. */
  readonly answers: readonly string[];
  /** The report that belongs to it, to the byte. */
  readonly report: string;
}

const RULE = '-'.repeat(80);
const HEADER_COLUMNS = 9;
const ANSWER_COLUMN = 64;
const HEADER_FIELDS = ['kernel', 'law', 'planted', 'found'];

/** The text of a trace: header, functions, actions with their answers, a rule, the report. */
export function printAttachTrace(trace: AttachTrace): string {
  const { profile, functions, actions } = trace.case;
  const header: [string, string][] = [
    ['kernel', profile],
    ['law', trace.law],
    ...(trace.planted === undefined ? [] : [['planted', trace.planted] as [string, string]]),
    ['found', trace.found],
  ];
  const steps = actions.map((action, i) => answered(printAction(action, trace.case), trace.answers[i] ?? ''));
  return [
    ...header.map(([name, value]) => name.padEnd(HEADER_COLUMNS) + value),
    '',
    ...functions.map(({ name, signature }) => `${name} = function(${printSignature(signature)})`),
    ...steps,
    RULE,
    trace.report,
    '',
  ].join('\n');
}

function answered(action: string, answer: string): string {
  return answer === '' ? action : `${action.padEnd(ANSWER_COLUMN)} = ${answer}`;
}

/** Reads a trace back; an InputError names the line that cannot be read. */
export function parseAttachTrace(text: string): AttachTrace {
  const lines = text.split('\n');
  const rule = lines.indexOf(RULE);
  if (rule < 0) throw new InputError('the rule between program and report is missing: is the file cut off?');
  const blank = lines.indexOf('');
  if (blank < 0 || blank > rule) throw new InputError('the blank line between header and program is missing');
  const header = readHeader(lines.slice(0, blank));
  const profile = field(header, 'kernel');
  profileNamed(profile);
  const { functions, actions, answers } = readProgram(lines.slice(blank + 1, rule), blank + 2, profile);
  return {
    case: { profile, functions, actions },
    law: field(header, 'law'),
    planted: header.get('planted'),
    found: field(header, 'found'),
    answers,
    report: lines
      .slice(rule + 1)
      .join('\n')
      .replace(/\n$/, ''),
  };
}

function readHeader(lines: readonly string[]): Map<string, string> {
  const header = new Map<string, string>();
  lines.forEach((line, i) => {
    const [, name = '', value = ''] = /^([a-z]+) +(\S.*)$/.exec(line) ?? [];
    if (!HEADER_FIELDS.includes(name))
      throw new InputError(
        `line ${i + 1}: "${line}" is no header field; there are ${HEADER_FIELDS.join(', ')}`,
      );
    if (header.has(name)) throw new InputError(`line ${i + 1}: ${name} is said twice`);
    header.set(name, value);
  });
  return header;
}

function field(header: ReadonlyMap<string, string>, name: string): string {
  const value = header.get(name);
  if (value === undefined) throw new InputError(`the header has no ${name}`);
  return value;
}

type Read = { functions: TracedFunction[]; actions: AttachCase['actions'][number][]; answers: string[] };

/** Functions first, then actions. */
function readProgram(lines: readonly string[], first: number, profile: string): Read {
  const read: Read = { functions: [], actions: [], answers: [] };
  lines.forEach((line, i) => {
    try {
      readLine(line, read, profile);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new InputError(`line ${first + i}: ${error.message}`);
    }
  });
  if (read.actions.length === 0) throw new InputError(`line ${first}: the program has no actions`);
  return read;
}

function readLine(line: string, read: Read, profile: string): void {
  const declared = /^(\w+) = function\((.*)\)$/.exec(line);
  if (declared !== null) {
    read.functions.push(tracedFunction(declared[1]!, read.functions.length + 1, declared[2]!));
    return;
  }
  const [, action = '', answer = ''] = /^(.*?)(?: += (0|-[A-Z0-9]+|dies))?$/.exec(line) ?? [];
  read.actions.push(parseAction(action.trimEnd(), { profile, functions: read.functions }));
  read.answers.push(answer);
}
