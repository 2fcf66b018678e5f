import { InputError, locatedIn } from '../model/core/input-error.ts';
import { meantOr } from '../model/core/nearest.ts';
import { RESERVED_NAMES } from '../model/core/reserved-name.ts';
import { currentValue } from './former-names.ts';
import { withCommands } from './report-commands.ts';
import { shellWord } from './text.ts';

/* The common form of all saved counterexamples: header, blank line, program, a rule, the report. */

const RULE = '-'.repeat(80);
const HEADER_COLUMNS = 9;

/** A field of the header: its name and its value. */
export type Field = readonly [string, string];

/** The fields of a header: the value of each, and its place. */
export class Header {
  private readonly fields = new Map<string, { value: string; line: string; number: number }>();

  get size(): number {
    return this.fields.size;
  }

  get(name: string): string | undefined {
    return this.fields.get(name)?.value;
  }

  add(name: string, value: string, line: string, number: number): void {
    if (this.fields.has(name)) throw new InputError(`${name} is said twice`, name);
    this.fields.set(name, { value: currentValue(name, value), line, number });
  }

  /** An error in a field gets its place before it. */
  locate<T>(name: string, read: () => T): T {
    const { line = '', number = 1 } = this.fields.get(name) ?? {};
    return locatedIn(line, number, read);
  }
}

/** A file that has been taken apart. */
export interface TraceFile {
  readonly header: Header;
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
  if (rule < 0)
    throw new InputError('the rule between program and report is missing: is the file truncated?');
  const start = readTraceStart(text, fields);
  const report = lines.slice(rule + 1);
  requireEnd(report, readFound(start.header.get('found') ?? ''));
  return { ...start, report: report.slice(0, -1).join('\n') };
}

/** Whether a report follows it. */
export function isSaved(text: string): boolean {
  return text.split('\n').includes(RULE);
}

/** The line, from 1, of the last step above the report: in a saved counterexample, that which breaks the law. */
export function lastStepLine(text: string): number {
  const lines = text.trimEnd().split('\n');
  const rule = lines.indexOf(RULE);
  const above = rule < 0 ? lines : lines.slice(0, rule);
  return Math.max(1, above.findLastIndex((line) => line.trim() !== '') + 1);
}

/** A report ends with the commands that replay and search, and with the end of a line. */
function requireEnd(lines: readonly string[], { seed, exhaustively }: FoundHeader): void {
  const [, label] = LAST_COMMAND.exec(`\n${lines.join('\n')}`) ?? [];
  const isSearched = seed !== undefined || exhaustively !== undefined;
  if (label === undefined || (label === 'replay' && isSearched))
    throw new InputError('the report does not come to its end: is the file truncated?');
}

/** A command, and the lines that continue it. */
const LAST_COMMAND = /\n {2}(replay|search) (?:.* \\\n)*.*[^\\\n]\n$/;

/** The part before the rule: a file written by hand may have no report. */
export function readTraceStart(text: string, fields: readonly string[]): Omit<TraceFile, 'report'> {
  const lines = text.trimEnd().split('\n').map(withoutComment);
  const rule = lines.indexOf(RULE);
  const all = rule < 0 ? lines : lines.slice(0, rule);
  const start = all.findIndex((line) => line !== '');
  if (start < 0) throw new InputError(`empty file; ${BEGINNING}`);
  const blank = all.indexOf('', start);
  const end = blank < 0 ? all.length : blank;
  const header = readHeader(all.slice(0, end), fields);
  if (blank < 0) throw new InputError(`line ${end + 1}: no program below the header`);
  const program = all.slice(end + 1);
  program.forEach((line, i) => {
    const [, name] = RESERVED.exec(line) ?? [];
    if (name !== undefined)
      locatedIn(line, end + 2 + i, () => {
        throw new InputError(`${name} is a reserved name: call it something else`, name);
      });
  });
  return { header, program, first: end + 2 };
}

const RESERVED = new RegExp(`(?<![\\w.#])(${RESERVED_NAMES.join('|')})(?![\\w.#])`);

const BEGINNING = 'a file begins with its kernel, as in "kernel 6.12", and a blank line';

/** A line as it is read: `#` at its beginning, or after a space, begins a comment. */
function withoutComment(line: string): string {
  return line.replace(/(^|\s)#.*$/, '').trimEnd();
}

function readHeader(lines: readonly string[], fields: readonly string[]): Header {
  const header = new Header();
  lines.forEach((line, i) => {
    if (line === '') return;
    const number = i + 1;
    locatedIn(line, number, () => {
      const [, name = '', value = ''] = /^\s*([a-z]+)\s+(\S.*)$/.exec(line) ?? [];
      if (!fields.includes(name)) throw noField(line, fields, header.size);
      header.add(name, value, line, number);
    });
  });
  return header;
}

/**
 * Why a line is not a field of a header: it belongs to the program, and there is no blank line before it, or it is
 * misspelled.
 */
function noField(line: string, fields: readonly string[], before: number): InputError {
  if (/[(=]/.test(line))
    return new InputError(
      before === 0 ? BEGINNING : 'the blank line between header and program is missing before it',
      line.trim(),
    );
  const [word = ''] = line.match(/[^\s:=]+/) ?? [];
  return new InputError(
    `"${line.trim()}" is no header field of this version; ${meantOr(word.toLowerCase(), fields)}`,
    line.trim(),
  );
}

/** A field that a header has to have. */
export function fieldOf(header: Header, name: string): string {
  const value = header.get(name);
  if (value === undefined) throw new InputError(`the header has no ${name}`);
  return value;
}

/** The planted bug that a trace names; undefined when it names none. */
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

/** How a counterexample was found: the seed of the search, and its steps before shrinking; or the exhaustive search. */
export interface FoundHeader {
  readonly seed: number | undefined;
  /** The words of a command, as in `exhaust a.calls --wide`. */
  readonly exhaustively?: string | undefined;
  /** Its number among those that were drawn, if a default run does not get to it. */
  readonly number?: number | undefined;
  readonly drawn: number | undefined;
  /** Drawn near others: near the sequence of a file, as a shell takes its path, or near `LISTED_BUGS`. */
  readonly near?: string | undefined;
}

/** Near the examples of listed bugs. */
export const LISTED_BUGS = 'listed bugs';

/**
 * `seed 1, shrunk from 32 steps`, `near a.calls, seed 7, number 1150, shrunk from 38 steps`, `breadth first, exhaust a.calls`,
 * or `by hand`.
 */
export function printFound({ seed, number, drawn, exhaustively, near }: FoundHeader): string {
  if (exhaustively !== undefined) return `${BREADTH_FIRST}${exhaustively}`;
  const where = near === undefined ? '' : `near ${near}, `;
  const late = number === undefined ? '' : `, number ${number}`;
  const shrunk = drawn === undefined ? '' : `, shrunk from ${drawn} steps`;
  return seed === undefined ? 'by hand' : `${where}seed ${seed}${late}${shrunk}`;
}

const BREADTH_FIRST = 'breadth first, ';

/** Reads what `printFound()` writes; anything else says nothing. */
export function readFound(text: string): FoundHeader {
  if (text.startsWith(`${BREADTH_FIRST}exhaust `))
    return { seed: undefined, drawn: undefined, exhaustively: text.slice(BREADTH_FIRST.length) };
  const [, near, seed, number, drawn] =
    /^(?:near (.+), )?seed (-?\d+)(?:, number (\d+))?(?:, shrunk from (\d+) steps)?$/.exec(text) ?? [];
  const read = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
  const found = { seed: read(seed), number: read(number), drawn: read(drawn) };
  return near === undefined ? found : { ...found, near };
}

/** The result of replaying a saved counterexample. */
export type Replayed =
  /** It breaks its law as before, and its report is the saved one; or the report has changed. */
  | { readonly kind: 'same' | 'report changed'; readonly report: string }
  /** It runs as before, and the law holds. */
  | { readonly kind: 'holds' }
  /** It diverges: the sentence says where. */
  | { readonly kind: 'diverged'; readonly why: string }
  /** It cannot be read: the sentence names the place. */
  | { readonly kind: 'damaged'; readonly why: string };

/**
 * The result of generating a report again. Its commands name its own file, and the program as it was started: they
 * may differ.
 */
export function replayedAs(saved: string, report: string): Replayed {
  const isSame = withoutCommands(saved) === withoutCommands(report);
  return { kind: isSame ? 'same' : 'report changed', report };
}

function withoutCommands(report: string): string {
  return withCommands(report, () => undefined);
}

/** A report that names its own file. */
export function reportIn(file: string, report: string): string {
  return withCommands(report, (command, label) =>
    label === 'replay' ? command.replace(/(?<= replay ).*/, () => shellWord(file)) : command,
  );
}
