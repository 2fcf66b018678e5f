import { InputError } from '../model/core/input-error.ts';
import { shellWord } from './text.ts';

/*
 * What the files of all saved counterexamples have in common: header, blank line, program, a rule, the report.
 */

const RULE = '-'.repeat(80);
const HEADER_COLUMNS = 9;

/** A field of the header: its name and its value. */
export type Field = readonly [string, string];

/** A file that has been taken apart. */
export interface TraceFile {
  readonly header: ReadonlyMap<string, string>;
  readonly program: readonly string[];
  /** Number of the program's first line in the file, from 1. */
  readonly first: number;
  /** To the byte. */
  readonly report: string;
}

export function printTraceFile(header: readonly Field[], program: readonly string[], report: string): string {
  return [...printHeader(header), '', ...program, RULE, report, ''].join('\n');
}

export function printHeader(header: readonly Field[]): string[] {
  return header.map(([name, value]) => name.padEnd(HEADER_COLUMNS) + value);
}

/** Takes a file apart; `fields` are those that its header may have. An InputError names the line that cannot be read. */
export function readTraceFile(text: string, fields: readonly string[]): TraceFile {
  const lines = text.split('\n');
  const rule = lines.indexOf(RULE);
  if (rule < 0) throw new InputError('the rule between program and report is missing: is the file cut off?');
  const start = readTraceStart(text, fields);
  const report = lines.slice(rule + 1);
  requireEnd(report, readFound(start.header.get('found') ?? ''));
  return { ...start, report: report.slice(0, -1).join('\n') };
}

/** Whether a report stands below it. */
export function isSaved(text: string): boolean {
  return text.split('\n').includes(RULE);
}

/** A report ends with the commands that replay and search, and with the end of a line. */
function requireEnd(lines: readonly string[], { seed }: FoundHeader): void {
  const [last = '', end] = lines.slice(-2);
  const whole = seed === undefined ? /^ {2}(replay|search) / : /^ {2}search /;
  if (end !== '' || !whole.test(last))
    throw new InputError('the report does not come to its end: is the file cut off?');
}

/** The part in front of the rule: what a file written by hand may be without a report. */
export function readTraceStart(text: string, fields: readonly string[]): Omit<TraceFile, 'report'> {
  const lines = text.trimEnd().split(/\r?\n/);
  const rule = lines.indexOf(RULE);
  const end = rule < 0 ? lines.length : rule;
  const start = lines.findIndex((line) => withoutComment(line) !== '');
  const blank = lines.indexOf('', Math.max(start, 0));
  if (blank < 0 || blank > end)
    throw new InputError(
      'the blank line between header and program is missing: a file begins with its kernel, as in kernel 6.12, and an empty line',
    );
  const program = lines.slice(blank + 1, end).map(withoutComment);
  return { header: readHeader(lines.slice(0, blank).map(withoutComment), fields), program, first: blank + 2 };
}

/** A line as it is read: `#` at its beginning, or behind a space, begins a comment. */
function withoutComment(line: string): string {
  return line.replace(/(^|\s+)#.*$/, '').trimEnd();
}

function readHeader(lines: readonly string[], fields: readonly string[]): Map<string, string> {
  const header = new Map<string, string>();
  lines.forEach((line, i) => {
    if (line === '') return;
    const [, name = '', value = ''] = /^([a-z]+) +(\S.*)$/.exec(line) ?? [];
    if (!fields.includes(name))
      throw new InputError(
        `line ${i + 1}: "${line}" is no header field of this version; there are ${fields.join(', ')}`,
      );
    if (header.has(name)) throw new InputError(`line ${i + 1}: ${name} is said twice`);
    header.set(name, value);
  });
  return header;
}

/** A field that a header has to have. */
export function fieldOf(header: ReadonlyMap<string, string>, name: string): string {
  const value = header.get(name);
  if (value === undefined) throw new InputError(`the header has no ${name}`);
  return value;
}

/** The planted bug that a trace says it is of; undefined when it is of none. */
export function plantedIn<T extends { readonly name: string }>(
  list: readonly T[],
  planted: string | undefined,
): T | undefined {
  if (planted === undefined) return undefined;
  const bug = list.find(({ name }) => name === planted);
  if (bug === undefined)
    throw new InputError(
      `there is no planted bug ${planted}; there are ${list.map(({ name }) => name).join(', ')}`,
    );
  return bug;
}

/** How a counterexample was found: the seed of the search, and its steps before shrinking. */
export interface FoundHeader {
  readonly seed: number | undefined;
  readonly drawn: number | undefined;
}

/** `seed 1, shrunk from 32 steps`, or `by hand`. */
export function printFound({ seed, drawn }: FoundHeader): string {
  const shrunk = drawn === undefined ? '' : `, shrunk from ${drawn} steps`;
  return seed === undefined ? 'by hand' : `seed ${seed}${shrunk}`;
}

/** Reads what `printFound()` writes; anything else says nothing. */
export function readFound(text: string): FoundHeader {
  const [, seed, drawn] = /^seed (-?\d+)(?:, shrunk from (\d+) steps)?$/.exec(text) ?? [];
  const number = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
  return { seed: number(seed), drawn: number(drawn) };
}

/** What became of a saved counterexample that was done once more. */
export type Replayed =
  /** It breaks its law as it did, and its report is the saved one; or the report has changed. */
  | { readonly kind: 'same' | 'report changed'; readonly report: string }
  /** It does the same, and the law holds. */
  | { readonly kind: 'holds' }
  /** It goes another way: the sentence says where. */
  | { readonly kind: 'diverged'; readonly why: string }
  /** It cannot be read: the sentence names the place. */
  | { readonly kind: 'damaged'; readonly why: string };

/** What has come of a report that is made once more. Its commands name its own file, and the program as it was started: they may differ. */
export function replayedAs(saved: string, report: string): Replayed {
  const isSame = withoutCommands(saved) === withoutCommands(report);
  return { kind: isSame ? 'same' : 'report changed', report };
}

function withoutCommands(report: string): string {
  return report.replace(/^ {2}(?:replay|search) {5}.*$/gm, '');
}

/** A report that names the file in which it is. */
export function reportIn(file: string, report: string): string {
  return report.replace(/^( {2}replay {5}.* replay ).*$/m, (_, command: string) => command + shellWord(file));
}
