import type { Action } from '../../model/action.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import type { Kind } from '../../model/trampoline/program.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';
import type { CallerScript, Scenario } from './scenario.ts';

/** An operation of the family: what has to be there before it, and what it does, on one of the two functions. */
interface Operation {
  readonly name: string;
  /** What it is about, and whether that has to be there before. */
  readonly object: 'programs' | 'direct call' | 'live patch';
  readonly isThere: boolean;
  readonly setup: (fn: string, own: number) => readonly Action[];
  readonly action: (fn: string, own: number) => Action;
}

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 -> u64')];

/** Number of the program that is attached all the while. */
const SLEEPER = 9;

function load(prog: number, kind: Kind, target: string): Action {
  const program = { ...plainProgram(prog), kind, sleepable: prog === SLEEPER };
  return { do: 'BPF_PROG_LOAD', program, target, probe: '', returns: ZERO };
}

const link = (prog: number): Action => ({ do: 'BPF_RAW_TRACEPOINT_OPEN', link: `link#${prog}`, prog });
const ops = (own: number) => `ops#${own}`;
const filtered = (own: number, fn: string, flags: number, direct: boolean): Action[] => [
  { do: 'ftrace_ops', ops: ops(own), flags, direct },
  { do: 'ftrace_set_filter_ip', ops: ops(own), ip: fn, remove: false, reset: false },
];
const LIVE_PATCH = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS;
const directly = (own: number, fn: string) => filtered(own, fn, 0, true);
const patch = (own: number, fn: string) => filtered(own, fn, LIVE_PATCH, false);
const trampOf = (own: number) => `my_tramp${1 + ((own - 1) % 3)}`;
const registerDirect = (own: number): Action => ({
  do: 'register_ftrace_direct',
  ops: ops(own),
  addr: trampOf(own),
});

const register = (own: number): Action => ({ do: 'register_ftrace_function', ops: ops(own) });

/** What two clients may do at the same time. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: 'attach',
    object: 'programs',
    isThere: false,
    setup: (fn, own) => [load(own, own === 1 ? 'fentry' : 'fexit', fn)],
    action: (_, own) => link(own),
  },
  {
    name: 'detach',
    object: 'programs',
    isThere: true,
    setup: (fn, own) => [load(own, own === 1 ? 'fentry' : 'fexit', fn), link(own)],
    action: (_, own) => ({ do: 'close(link)', link: `link#${own}` }),
  },
  {
    name: 'register',
    object: 'direct call',
    isThere: false,
    setup: (fn, own) => directly(own, fn),
    action: (_, own) => registerDirect(own),
  },
  {
    name: 'modify',
    object: 'direct call',
    isThere: true,
    setup: (fn, own) => [...directly(own, fn), registerDirect(own)],
    action: (_, own) => ({ do: 'modify_ftrace_direct', ops: ops(own), addr: trampOf(own + 1) }),
  },
  {
    name: 'unregister',
    object: 'direct call',
    isThere: true,
    setup: (fn, own) => [...directly(own, fn), registerDirect(own)],
    action: (_, own) => ({
      do: 'unregister_ftrace_direct',
      ops: ops(own),
      addr: trampOf(own),
      freeFilters: true,
    }),
  },
  {
    name: 'live patch on',
    object: 'live patch',
    isThere: false,
    setup: (fn, own) => patch(own, fn),
    action: (_, own) => register(own),
  },
  {
    name: 'live patch off',
    object: 'live patch',
    isThere: true,
    setup: (fn, own) => [...patch(own, fn), register(own)],
    action: (_, own) => ({ do: 'unregister_ftrace_function', ops: ops(own) }),
  },
];

/** A scenario of the family, with a name that says what it is. */
export interface Named {
  readonly name: string;
  readonly scenario: Scenario;
}

/** Every pair of operations, each on one of two functions, and tasks that call the first. */
export function pairs(profile: string, processors: number, callers: number): Named[] {
  return combinations(2).map((all) => named(profile, processors, callers, all));
}

/** The same for every three operations. */
export function triples(profile: string, processors: number, callers: number): Named[] {
  return combinations(3).map((all) => named(profile, processors, callers, all));
}

/** An operation on a function. */
interface Placed {
  readonly operation: Operation;
  readonly fn: 'f1' | 'f2';
}

const PLACED: readonly Placed[] = OPERATIONS.flatMap((operation) => [
  { operation, fn: 'f1' } as const,
  { operation, fn: 'f2' } as const,
]);

/**
 * Operations that can be done at the same time, in any order, the same one twice among them. One at least is on the
 * function that is called; which of the two that is makes no difference.
 */
function combinations(count: number, from = 0, chosen: readonly Placed[] = []): Placed[][] {
  if (count === 0) return chosen.some(({ fn }) => fn === 'f1') ? [[...chosen]] : [];
  return PLACED.slice(from).flatMap((placed, i) =>
    chosen.every((other) => canMeet(other, placed))
      ? combinations(count - 1, from + i, [...chosen, placed])
      : [],
  );
}

/** A function has one direct call or programs, and one live patch, which a direct call of a client does not stand. */
function canMeet(one: Placed, other: Placed): boolean {
  if (one.fn !== other.fn || !one.operation.isThere || !other.operation.isThere) return true;
  const objects = [one.operation.object, other.operation.object];
  return objects.includes('programs') && !objects.includes('direct call');
}

function named(profile: string, processors: number, callers: number, all: readonly Placed[]): Named {
  return {
    name: all.map(({ operation, fn }) => `${operation.name} ${fn}`).join(', '),
    scenario: {
      profile,
      functions: FUNCTIONS,
      processors,
      setup: [...standing(all), ...all.flatMap(({ operation, fn }, i) => operation.setup(fn, i + 1))],
      clients: all.map(({ operation, fn }, i) => [operation.action(fn, i + 1)]),
      callers: Array.from({ length: callers }, () => call('f1')),
    },
  };
}

/** Another program is attached all the while, where there can be one: one that may sleep. */
function standing(all: readonly Placed[]): Action[] {
  const isTaken = all.some(({ operation, fn }) => fn === 'f1' && operation.object === 'direct call');
  return isTaken ? [] : [load(SLEEPER, 'fentry', 'f1'), link(SLEEPER)];
}

function call(fn: string): CallerScript {
  return { call: { fn, registers: [fromNumber(0x1001), ZERO, ZERO, ZERO, ZERO, ZERO], stack: [] } };
}

/** Kernels whose builds let no sleepable program attach to their functions are asked as if they did. */
export function withSleepers(profile: string): string {
  return profileNamed(profile).sleepableTargets ? profile : `${profile}, sleepableTargets = true`;
}
