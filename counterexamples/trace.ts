import type { BootName, KernelVersion } from '../model/core/profile.ts';
import { BOOTS, KERNELS, PROFILES } from '../model/core/profile.ts';
import type { Kind } from '../model/trampoline/program.ts';
import { KINDS } from '../model/trampoline/program.ts';
import { parseSignature, printSignature } from '../model/trampoline/signature.ts';
import type { Case, CaseProgram } from '../properties/case.ts';
import { targetOfCase } from '../properties/case.ts';

/** A saved counterexample: what to do, what it breaks, and where it came from. */
export interface Trace {
  readonly case: Case;
  /** The law that it breaks. */
  readonly law: string;
  /** The planted bug under which it does, if any. */
  readonly planted: string | undefined;
  /** How it was found; a note, not needed to replay. */
  readonly found: string;
  /** Errno of each link, '0' for success; in the order of the programs. */
  readonly answers: readonly string[];
  /** The report that belongs to it, to the byte. */
  readonly report: string;
}

/** A trace that cannot be read; the message names the line and what is wrong there. */
export class TraceError extends Error {
  override name = 'TraceError';
}

const RULE = '-'.repeat(80);
const HEADER_COLUMNS = 9;
const ANSWER_COLUMN = 49;

/** The text of a trace: header, program, a rule, the report. */
export function printTrace(trace: Trace): string {
  const { kernel, boot, ibt } = trace.case;
  const header: [string, string][] = [['kernel', kernel]];
  if (boot !== 'default') header.push(['boot', boot]);
  if (ibt !== PROFILES[kernel].ibt) header.push(['ibt', ibt ? 'yes' : 'no']);
  header.push(['law', trace.law]);
  if (trace.planted !== undefined) header.push(['planted', trace.planted]);
  header.push(['found', trace.found]);
  const lines = header.map(([name, value]) => name.padEnd(HEADER_COLUMNS) + value);
  return [...lines, '', ...programLines(trace.case, trace.answers), RULE, trace.report].join('\n');
}

/** The program: declarations, links with their answers, the call. */
export function programLines(c: Case, answers: readonly string[]): string[] {
  const signature = printSignature(targetOfCase(c).signature);
  const lines = [`f = ${c.tailCalls ? 'bpf_subprog' : 'function'}(${signature})`];
  if (c.ipmodify)
    lines.push('ops#1 = ftrace_ops(IPMODIFY)', answered('register_ftrace_function(ops#1, f)', '0'));
  c.programs.forEach((program, i) => {
    const link = `${program.multi ? 'bpf_trampoline_multi_attach' : 'bpf_trampoline_link_prog'}(prog#${i + 1}, f)`;
    lines.push(`prog#${i + 1} = bpf_prog(${programWords(program).join(', ')})`);
    if (answers[i] !== undefined) lines.push(answered(link, answers[i]));
  });
  return [...lines, 'task#1 calls f'];
}

function answered(action: string, answer: string): string {
  return `${action.padEnd(ANSWER_COLUMN)}= ${answer}`;
}

function programWords(program: CaseProgram): string[] {
  const words: string[] = [program.kind];
  if (program.cookie !== '0x0') words.push(`cookie ${program.cookie}`);
  if (program.getFuncIp) words.push('get_func_ip');
  if (program.sessionCookie) words.push('session_cookie');
  if (program.sleepable) words.push('sleepable');
  return words;
}

/** Reads a trace back. */
export function parseTrace(text: string): Trace {
  const lines = text.split('\n');
  const rule = lines.indexOf(RULE);
  if (rule < 0) throw new TraceError('the rule between program and report is missing: the file is truncated');
  const blank = lines.indexOf('');
  if (blank < 0 || blank > rule) throw new TraceError('the blank line between header and program is missing');
  const header = parseHeader(lines.slice(0, blank));
  const { case: c, answers } = parseProgram(lines.slice(blank + 1, rule), blank + 2, header);
  const report = lines.slice(rule + 1).join('\n');
  return {
    case: c,
    answers,
    report,
    law: require(header, 'law'),
    planted: header.get('planted'),
    found: require(header, 'found'),
  };
}

const HEADER_FIELDS = ['kernel', 'boot', 'ibt', 'law', 'planted', 'found'];

function parseHeader(lines: readonly string[]): Map<string, string> {
  const header = new Map<string, string>();
  lines.forEach((line, i) => {
    const match = /^([a-z]+) +(\S.*)$/.exec(line);
    if (match === null || !HEADER_FIELDS.includes(match[1]!))
      throw new TraceError(
        `line ${i + 1}: "${line}" is no header field; there are ${HEADER_FIELDS.join(', ')}`,
      );
    header.set(match[1]!, match[2]!);
  });
  return header;
}

function require(header: ReadonlyMap<string, string>, field: string): string {
  const value = header.get(field);
  if (value === undefined) throw new TraceError(`the header has no ${field}`);
  return value;
}

/** One of the known values of a header field. */
function oneOf<T extends string>(value: string, known: readonly T[], field: string): T {
  if (!known.includes(value as T))
    throw new TraceError(`${field} ${value} is not known; there are ${known.join(', ')}`);
  return value as T;
}

function parseProgram(
  lines: readonly string[],
  first: number,
  header: ReadonlyMap<string, string>,
): Pick<Trace, 'case' | 'answers'> {
  const kernel: KernelVersion = oneOf(require(header, 'kernel'), KERNELS, 'kernel');
  const boot: BootName = oneOf(header.get('boot') ?? 'default', BOOTS, 'boot');
  const ibt = header.has('ibt') ? header.get('ibt') === 'yes' : PROFILES[kernel].ibt;
  const state: Reading = {
    args: undefined,
    ret: 'u64',
    tailCalls: false,
    ipmodify: false,
    programs: [],
    answers: [],
  };
  lines.forEach((line, i) => {
    readLine(state, line, `line ${first + i}`);
  });
  if (state.args === undefined) throw new TraceError('the program declares no function');
  const { args, ret, tailCalls, ipmodify, programs, answers } = state;
  return { case: { kernel, boot, ibt, args, ret, tailCalls, ipmodify, programs }, answers };
}

interface Reading {
  args: string[] | undefined;
  ret: string;
  tailCalls: boolean;
  ipmodify: boolean;
  readonly programs: CaseProgram[];
  readonly answers: string[];
}

function readLine(state: Reading, line: string, place: string): void {
  const func = /^f = (function|bpf_subprog)\((.*)\)$/.exec(line);
  const prog = /^prog#(\d+) = bpf_prog\((.*)\)$/.exec(line);
  const link =
    /^(bpf_trampoline_link_prog|bpf_trampoline_multi_attach)\(prog#(\d+), f\) += (0|-E[A-Z0-9]+)$/.exec(line);
  if (func !== null) {
    const signature = parseSignature(func[2]!);
    state.args = signature.args.map(({ name }) => name);
    state.ret = signature.ret.name;
    state.tailCalls = func[1] === 'bpf_subprog';
  } else if (prog !== null) {
    if (Number(prog[1]) !== state.programs.length + 1)
      throw new TraceError(`${place}: prog#${prog[1]} is out of order`);
    state.programs.push(parseProgramWords(prog[2]!, place));
  } else if (link !== null) {
    const index = Number(link[2]) - 1;
    const program = state.programs[index];
    if (program === undefined) throw new TraceError(`${place}: prog#${link[2]} is not declared`);
    state.programs[index] = { ...program, multi: link[1] === 'bpf_trampoline_multi_attach' };
    state.answers.push(link[3]!);
  } else if (/^register_ftrace_function\(ops#1, f\) += 0$/.test(line)) state.ipmodify = true;
  else if (line !== 'ops#1 = ftrace_ops(IPMODIFY)' && line !== 'task#1 calls f')
    throw new TraceError(`${place}: "${line}" is no action that a trace can hold`);
}

function parseProgramWords(text: string, place: string): CaseProgram {
  const [kind = '', ...words] = text.split(', ');
  if (!KINDS.includes(kind as Kind))
    throw new TraceError(`${place}: ${kind} is not a program kind; there are ${KINDS.join(', ')}`);
  const cookie = words.find((word) => word.startsWith('cookie '))?.slice('cookie '.length);
  const unknown = words.find(
    (word) => !word.startsWith('cookie ') && !['get_func_ip', 'session_cookie', 'sleepable'].includes(word),
  );
  if (unknown !== undefined) throw new TraceError(`${place}: "${unknown}" is nothing that a program has`);
  if (cookie !== undefined && !/^0x[0-9a-f]{1,16}$/.test(cookie))
    throw new TraceError(`${place}: ${cookie} is not a cookie`);
  return {
    kind: kind as Kind,
    multi: false,
    cookie: cookie ?? '0x0',
    getFuncIp: words.includes('get_func_ip'),
    sessionCookie: words.includes('session_cookie'),
    sleepable: words.includes('sleepable'),
  };
}
