import type { CaseProgram, ImageCase } from '../../checker/images/case.ts';
import { targetOfCase } from '../../checker/images/case.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { oneOf } from '../../model/core/input-value.ts';
import type { BootName, KernelVersion } from '../../model/core/profile.ts';
import { BOOTS, KERNELS, PROFILES } from '../../model/core/profile.ts';
import { imageMaker, parseProgram, printProgram } from '../../model/trampoline/program-text.ts';
import { parseSignature, printSignature } from '../../model/trampoline/signature.ts';
import type { Field, Header } from '../trace-file.ts';
import { fieldOf, printTraceFile, readTraceFile } from '../trace-file.ts';

/** A saved counterexample: its program, the law that it breaks, and its origin. */
export interface Trace {
  readonly case: ImageCase;
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

const ANSWER_COLUMN = 49;

/** The text of a trace: header, program, a rule, the report. */
export function printTrace(trace: Trace): string {
  const { kernel, boot, ibt } = trace.case;
  const header: Field[] = [['kernel', kernel]];
  if (boot !== 'default') header.push(['boot', boot]);
  if (ibt !== PROFILES[kernel].ibt) header.push(['ibt', ibt ? 'yes' : 'no']);
  header.push(['law', trace.law]);
  if (trace.planted !== undefined) header.push(['planted', trace.planted]);
  header.push(['found', trace.found]);
  return printTraceFile(header, programLines(trace.case, trace.answers), trace.report);
}

/** The program: declarations, links with their answers, the call. */
function programLines(c: ImageCase, answers: readonly string[]): string[] {
  const signature = printSignature(targetOfCase(c).signature);
  const lines = [`f = ${c.tailCalls ? 'bpf_subprog' : 'function'}(${signature})`];
  if (c.ipmodify)
    lines.push('ops#1 = ftrace_ops(IPMODIFY)', answered('register_ftrace_function(ops#1, f)', '0'));
  c.programs.forEach((program, i) => {
    const link = `${program.multi ? 'bpf_trampoline_multi_attach' : imageMaker(program)}(prog#${i + 1}, f)`;
    lines.push(`prog#${i + 1} = bpf_prog(${printProgram({ ...program, multi: false })})`);
    if (answers[i] !== undefined) lines.push(answered(link, answers[i]));
  });
  return [...lines, 'task#1 calls f'];
}

function answered(action: string, answer: string): string {
  return `${action.padEnd(ANSWER_COLUMN - 1)} = ${answer}`;
}

const HEADER_FIELDS = ['kernel', 'boot', 'ibt', 'law', 'planted', 'found'];

/** Reads a trace back. */
export function parseTrace(text: string): Trace {
  const { header, program, first, report } = readTraceFile(text, HEADER_FIELDS);
  const { case: c, answers } = parseActions(program, first, header);
  return {
    case: c,
    answers,
    report,
    law: fieldOf(header, 'law'),
    planted: header.get('planted'),
    found: fieldOf(header, 'found'),
  };
}

function parseActions(
  lines: readonly string[],
  first: number,
  header: Header,
): Pick<Trace, 'case' | 'answers'> {
  const named = fieldOf(header, 'kernel');
  const kernel: KernelVersion = header.locate('kernel', () => oneOf(named, KERNELS, 'kernel'));
  const boot: BootName = header.locate('boot', () => oneOf(header.get('boot') ?? 'default', BOOTS, 'boot'));
  const ibt =
    oneOf(header.get('ibt') ?? (PROFILES[kernel].ibt ? 'yes' : 'no'), ['yes', 'no'], 'ibt') === 'yes';
  const state: Reading = {
    args: undefined,
    ret: 'u64',
    tailCalls: false,
    ipmodify: false,
    called: false,
    programs: [],
    answers: [],
  };
  lines.forEach((line, i) => {
    if (line !== '') readLine(state, line, `line ${first + i}`);
  });
  if (state.args === undefined) throw new InputError('the program declares no function');
  if (!state.called) throw new InputError('the program makes no call: "task#1 calls f" is missing');
  const { args, ret, tailCalls, ipmodify, programs, answers } = state;
  return { case: { kernel, boot, ibt, args, ret, tailCalls, ipmodify, programs }, answers };
}

interface Reading {
  args: string[] | undefined;
  ret: string;
  tailCalls: boolean;
  ipmodify: boolean;
  called: boolean;
  readonly programs: CaseProgram[];
  readonly answers: string[];
}

function readLine(state: Reading, line: string, place: string): void {
  if (state.called) throw new InputError(`${place}: "${line}" comes after the call`);
  const func = /^f = (function|bpf_subprog)\((.*)\)$/.exec(line);
  const prog = /^prog#(\d+) = bpf_prog\((.*)\)$/.exec(line);
  const link =
    /^(bpf_trampoline_link_prog|bpf_trampoline_multi_attach|bpf_struct_ops_prepare_trampoline)\(prog#(\d+), f\) += (0|-E[A-Z0-9]+)$/.exec(
      line,
    );
  if (func !== null) {
    if (state.args !== undefined) throw new InputError(`${place}: a second function is declared`);
    const signature = located(place, () => parseSignature(func[2]!));
    state.args = signature.args.map(({ name }) => name);
    state.ret = signature.ret.name;
    state.tailCalls = func[1] === 'bpf_subprog';
  } else if (prog !== null) {
    if (Number(prog[1]) !== state.programs.length + 1)
      throw new InputError(`${place}: prog#${prog[1]} is out of order`);
    state.programs.push(located(place, () => parseProgram(prog[2]!)));
  } else if (link !== null) {
    const index = Number(link[2]) - 1;
    const program = state.programs[index];
    if (program === undefined) throw new InputError(`${place}: prog#${link[2]} is not declared`);
    if (index !== state.answers.length)
      throw new InputError(`${place}: prog#${link[2]} is linked out of order`);
    state.programs[index] = { ...program, multi: link[1] === 'bpf_trampoline_multi_attach' };
    state.answers.push(link[3]!);
  } else if (/^register_ftrace_function\(ops#1, f\) += 0$/.test(line)) state.ipmodify = true;
  else if (line === 'task#1 calls f') state.called = true;
  else if (line !== 'ops#1 = ftrace_ops(IPMODIFY)')
    throw new InputError(`${place}: "${line}" is not an action of a trace`);
}
