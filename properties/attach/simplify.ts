import type { Action } from '../../model/action.ts';
import {
  FTRACE_OPS_FL_PERMANENT,
  FTRACE_OPS_FL_RECURSION,
  FTRACE_OPS_FL_SAVE_REGS,
} from '../../model/ftrace/ops.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { isCalledBy, tracedFunction } from '../../model/trampoline/traced-function.ts';
import { ZERO } from '../../model/x86/word.ts';
import { printAction } from './action-text.ts';
import type { AttachCase } from './attach-case.ts';
import { callOf } from './draw.ts';
import { renamed } from './rename.ts';

/** Whether a sequence still shows what is being shrunk. */
export type Fails = (c: AttachCase) => boolean;

/**
 * The simplest sequence that can be reached from a failing one: no action can be left out, none can be made plainer,
 * objects are named in the order of their birth, functions are of the plainest type that shows it, and neighbours
 * that may change places stand in the order of their text. So that different searches end at the same sequence.
 */
export function simplify(first: AttachCase, fails: Fails): AttachCase {
  let c = first;
  for (;;) {
    const before = textOf(c);
    c = withoutActions(c, fails);
    c = withPlainerActions(c, fails);
    c = withPlainerFunctions(c, fails);
    c = renamed(c);
    c = sorted(c, fails);
    c = renamed(c);
    if (textOf(c) === before) return c;
  }
}

function textOf(c: AttachCase): string {
  return [...c.functions.map(({ name }) => name), ...c.actions.map((action) => printAction(action, c))].join(
    '\n',
  );
}

/** Takes away single actions, and then pairs. */
function withoutActions(first: AttachCase, fails: Fails): AttachCase {
  let c = first;
  for (const together of [1, 2]) {
    for (let i = c.actions.length - 1; i >= 0; i--) {
      for (let j = together === 1 ? i : i - 1; j >= (together === 1 ? i : 0); j--) {
        const actions = c.actions.filter((_, at) => at !== i && at !== j);
        if (actions.length === 0 || !fails({ ...c, actions })) continue;
        c = { ...c, actions };
        break;
      }
    }
  }
  return c;
}

function withPlainerActions(first: AttachCase, fails: Fails): AttachCase {
  let c = first;
  for (let i = 0; i < c.actions.length; i++)
    for (let plainer = plainerCase(c, i, fails); plainer !== undefined; plainer = plainerCase(c, i, fails))
      c = plainer;
  return c;
}

/** The sequence with one thing less of one action. */
function plainerCase(c: AttachCase, i: number, fails: Fails): AttachCase | undefined {
  const action = c.actions[i]!;
  const text = printAction(action, c);
  for (const plainer of plainerForms(action, c)) {
    if (printAction(plainer, c) === text) continue;
    const candidate = { ...c, actions: c.actions.with(i, plainer) };
    if (fails(candidate)) return candidate;
  }
  return undefined;
}

/** Flags of an ops that may be left away. */
const FLAGS_LESS = [FTRACE_OPS_FL_PERMANENT, FTRACE_OPS_FL_RECURSION];

/** What an action may be replaced by, each with one thing less. */
function plainerForms(action: Action, { functions }: AttachCase): Action[] {
  switch (action.do) {
    case 'ftrace_ops':
      return [0, FTRACE_OPS_FL_SAVE_REGS, ...FLAGS_LESS.map((bit) => action.flags & ~bit)]
        .filter((flags) => flags < action.flags)
        .map((flags) => ({ ...action, flags }));
    case 'ftrace_set_filter_ip':
      return [
        { ...action, reset: false },
        { ...action, remove: false },
      ];
    case 'ftrace_set_notrace':
      return [{ ...action, reset: false }];
    case 'unregister_ftrace_direct':
      return [{ ...action, freeFilters: false }];
    case 'register_kprobe':
      return [{ ...action, post: false }];
    case 'register_kretprobe':
      return [
        { ...action, entryHandler: false },
        ...(action.maxactive > 0 ? [{ ...action, maxactive: 0 }] : []),
      ];
    case 'register_fprobe_ips':
      return [
        ...(action.ips.length > 1 ? action.ips.map((ip) => ({ ...action, ips: [ip] })) : []),
        ...(action.exit ? [{ ...action, entry: true, exit: false }] : []),
        ...(action.exit && action.entry ? [{ ...action, entry: false }] : []),
      ];
    case 'BPF_PROG_LOAD':
      return plainerLoads(action);
    case 'BPF_LINK_CREATE':
      return action.targets.length > 1 ? action.targets.map((ip) => ({ ...action, targets: [ip] })) : [];
    case 'BPF_RAW_TRACEPOINT_OPEN':
      return [{ do: 'BPF_LINK_CREATE', link: action.link, prog: action.prog, targets: [] }];
    case 'call':
      return plainerCalls(action.fn, functions);
    default:
      return [];
  }
}

/** A call with the plainest words; instead of a function that calls others, one that does not. */
function plainerCalls(fn: string, functions: readonly TracedFunction[]): Action[] {
  const called = functions.find(({ name }) => name === fn)!;
  const leaves = called.nesting === 'none' ? [] : functions.filter(({ nesting }) => nesting === 'none');
  return [...leaves, called].map((one) => callOf(one, 0));
}

function plainerLoads(action: Extract<Action, { do: 'BPF_PROG_LOAD' }>): Action[] {
  const { program } = action;
  const kinds = (['fentry', 'fexit', 'fmod_ret'] as const).slice(
    0,
    ['fentry', 'fexit', 'fmod_ret', 'fsession'].indexOf(program.kind),
  );
  return [
    { ...action, returns: ZERO },
    { ...action, program: { ...program, reads: 'helpers' } },
    { ...action, program: { ...program, cookie: ZERO } },
    { ...action, program: { ...program, getFuncIp: false } },
    { ...action, program: { ...program, sleepable: false } },
    ...kinds.map((kind) => ({ ...action, program: { ...program, kind } })),
    ...(action.probe === '' || action.probe === 'entry'
      ? []
      : [{ ...action, probe: 'entry' as const, returns: ZERO }]),
  ];
}

/** Functions of other types, the plainest first. */
const PLAIN_TYPES = ['u64 -> u64', 'u64 x7 -> u64'];

function withPlainerFunctions(first: AttachCase, fails: Fails): AttachCase {
  let c = first;
  for (let i = c.functions.length - 1; i >= 0; i--) {
    const { name } = c.functions[i]!;
    const functions = c.functions.filter((_, at) => at !== i);
    const fixed = isCalledBy(functions, name);
    if (functions.length > 0 && !mentions(c, name, fixed) && fails({ ...c, functions })) {
      c = { ...c, functions };
      continue;
    }
    for (const type of fixed ? [] : PLAIN_TYPES) {
      const candidate = withType(c, i, type);
      if (fails(candidate)) {
        c = candidate;
        break;
      }
    }
  }
  return c;
}

/** Whether an action names a function, or calls any while this one is called by another. */
function mentions({ actions }: AttachCase, name: string, isCallee: boolean): boolean {
  if (isCallee && actions.some((action) => action.do === 'call')) return true;
  return JSON.stringify(actions).includes(`"${name}"`);
}

/** One function gets another type, and no name that stands for calls of its own. */
function withType(c: AttachCase, i: number, type: string): AttachCase {
  const old = c.functions[i]!;
  const name = old.nesting === 'none' ? old.name : `p${i}`;
  const plain: TracedFunction = tracedFunction(name, old.id, type);
  const text = JSON.stringify(c.actions).replaceAll(`"${old.name}"`, `"${name}"`);
  const actions = (JSON.parse(text) as Action[]).map((action) =>
    action.do === 'call' && action.fn === name ? callOf(plain, 0) : action,
  );
  return { ...c, functions: c.functions.with(i, plain), actions };
}

/** Neighbours change places when their texts are in the wrong order and nobody minds. */
function sorted(first: AttachCase, fails: Fails): AttachCase {
  let c = first;
  for (let round = 0; round < c.actions.length; round++)
    for (let i = 0; i + 1 < c.actions.length; i++) {
      const [a, b] = [c.actions[i]!, c.actions[i + 1]!];
      if (printAction(a, c) <= printAction(b, c)) continue;
      const candidate = { ...c, actions: c.actions.with(i, b).with(i + 1, a) };
      if (fails(candidate)) c = candidate;
    }
  return c;
}
