import type { Action } from '../../../model/action.ts';
import { printAction } from '../../../model/action-text.ts';
import type { Fault } from '../../../model/core/world.ts';
import type { DeclaredTracepoint } from '../../../model/tracepoint/boot.ts';
import type { Program } from '../../../model/trampoline/program.ts';
import { printSignature } from '../../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import type { AttachCase } from '../attach-case.ts';
import { FAULTS } from '../faults.ts';
import { renamed } from './rename.ts';

/** A sequence, and what decides which of two is plainer: fewer actions, then fewer functions, then plainer interfaces. */
export interface Measured {
  readonly case: AttachCase;
  readonly figures: readonly number[];
}

export function measured(c: AttachCase): Measured {
  const { functions, tracepoints = [], actions } = c;
  const declared = sum(functions.map(functionEffort)) + sum(tracepoints.map(tracepointEffort));
  const effort = sum(actions.map(actionEffort)) + declared;
  return { case: c, figures: [actions.length, functions.length, effort] };
}

/** A sequence with its objects named in the order of their birth. Of two with the same figures the text decides. */
export interface Written extends Measured {
  readonly text: string;
}

export function written({ case: c, figures }: Measured): Written {
  const named = renamed(c);
  const declared = named.functions.map(
    ({ name, module, signature }) => `${name} ${module}(${printSignature(signature)})`,
  );
  const points = (named.tracepoints ?? []).map(({ name, prototype }) => `${name}(${prototype})`);
  const text = [...named.actions.map((action) => printAction(action, named)), ...declared, ...points].join(
    '\n',
  );
  return { case: named, figures, text };
}

/** Less than zero when the first of two sequences is the plainer one. */
export function compare(a: Written, b: Written): number {
  const figures = compareFigures(a, b);
  return figures !== 0 ? figures : a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

export function compareFigures(a: Measured, b: Measured): number {
  for (const [i, figure] of a.figures.entries()) if (figure !== b.figures[i]) return figure - b.figures[i]!;
  return 0;
}

/** What a reader has to know of an interface: kprobes the least, live patches and tables of sites the most. */
const EFFORT: Readonly<Record<Action['do'], number>> = {
  call: 0,
  settle: 0,
  tracepoint_probe_register_prio: 2,
  tracepoint_probe_unregister: 2,
  register_kprobe: 2,
  unregister_kprobe: 2,
  register_fprobe_ips: 3,
  unregister_fprobe: 3,
  register_kretprobe: 4,
  unregister_kretprobe: 4,
  'kernel.ftrace_enabled': 4,
  init_module: 4,
  delete_module: 4,
  ftrace_set_filter_ip: 4,
  register_ftrace_direct: 4,
  modify_ftrace_direct: 4,
  unregister_ftrace_direct: 4,
  'register_ftrace_direct(ip)': 5,
  'modify_ftrace_direct(ip)': 5,
  'unregister_ftrace_direct(ip)': 5,
  ftrace_ops: 4,
  register_ftrace_function: 4,
  unregister_ftrace_function: 4,
  kfree: 4,
  set_ftrace_filter: 5,
  register_ftrace_graph: 6,
  unregister_ftrace_graph: 6,
  ftrace_set_notrace: 8,
  ftrace_free_filter: 8,
  BPF_PROG_LOAD: 8,
  BPF_LINK_CREATE: 6,
  'close(link)': 6,
  BPF_RAW_TRACEPOINT_OPEN: 7,
  'close(prog)': 7,
  update_ftrace_direct_add: 8,
  update_ftrace_direct_mod: 8,
  update_ftrace_direct_del: 8,
  fail: 10,
};

function actionEffort(action: Action): number {
  return EFFORT[action.do] + optionEffort(action);
}

/** What it asks for besides. */
function optionEffort(action: Action): number {
  switch (action.do) {
    case 'ftrace_ops':
      return action.flags;
    case 'ftrace_set_filter_ip':
      return count(action.remove, action.reset);
    case 'ftrace_set_notrace':
      return count(action.reset);
    case 'unregister_ftrace_direct':
      return count(action.freeFilters);
    case 'register_kprobe':
      return 5 * count(action.post);
    case 'register_kretprobe':
      return count(action.entryHandler) + action.maxactive;
    case 'register_fprobe_ips':
      return action.ips.length - 1 + 2 * count(action.exit) + count(action.entry && action.exit);
    case 'fail':
      return faultEffort(action.fault);
    case 'BPF_PROG_LOAD':
      return loadEffort(action);
    case 'BPF_LINK_CREATE':
      return action.targets.length;
    case 'update_ftrace_direct_add':
    case 'update_ftrace_direct_mod':
    case 'update_ftrace_direct_del':
      return Object.keys(action.hash).length;
    default:
      return 0;
  }
}

/** The failures that can be ordered in any kernel come before those of a planted bug. */
function faultEffort({ what, where }: Fault): number {
  const rank = FAULTS.findIndex((fault) => fault.what === what && fault.where === where);
  return rank < 0 ? FAULTS.length : rank;
}

const KINDS = ['fentry', 'fexit', 'fmod_ret', 'fsession', 'freplace'];
const PROBES = ['', 'entry', 'return', 'session'];

function loadEffort({ program, probe, returns }: Extract<Action, { do: 'BPF_PROG_LOAD' }>): number {
  const { kind, multi, cookie, getFuncIp, sessionCookie, sleepable, reads, accesses } = program;
  const hasCookie = cookie.lo !== 0 || cookie.hi !== 0;
  const returnsOther = returns.lo !== 0 || returns.hi !== 0;
  const isUsual = reads === (probe === '' ? 'helpers' : 'direct');
  const options = count(hasCookie, getFuncIp, sessionCookie, sleepable, !isUsual, returnsOther);
  const read = accesses === undefined ? 0 : accessEffort(accesses, reads);
  return KINDS.indexOf(kind) + 3 * PROBES.indexOf(probe) + 10 * count(multi) + 4 * options + read;
}

/** Of a first function few arguments are read, the first ones best, and not what it returns. */
function accessEffort(accesses: readonly number[], reads: Program['reads']): number {
  return 1 + sum(accesses.map((number) => 1 + number)) + count(reads === 'return directly');
}

/** The types that are plain enough, the plainest first; all others come behind them. */
export const PLAIN_TYPES: readonly string[] = ['u64 -> u64', 'u64 x7 -> u64'];

/** How deep a function calls itself that does, as far as it has to be tried. */
export const DEPTHS: readonly number[] = [0, 1, 2];

function functionEffort({ signature, nesting, bpf, module, noreturn }: TracedFunction): number {
  const rank = PLAIN_TYPES.indexOf(printSignature(signature));
  return (
    (rank < 0 ? PLAIN_TYPES.length : rank) +
    (nesting === 'none' ? 0 : 4) +
    2 * count(bpf, module !== '', noreturn)
  );
}

/** How far it is from three arguments, and whether one of them is narrower than an int. */
function tracepointEffort({ args }: DeclaredTracepoint): number {
  return 4 + 2 * Math.abs(args.length - 3) + count(args.some(({ size }) => size < 4));
}

function count(...flags: readonly boolean[]): number {
  return flags.filter(Boolean).length;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
