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

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 x2 -> u64')];

function load(prog: number, kind: Kind, target: string): Action {
  const program = { ...plainProgram(prog), kind, sleepable: prog === 3 };
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
const registerDirect = (own: number): Action => ({
  do: 'register_ftrace_direct',
  ops: ops(own),
  addr: `my_tramp${own}`,
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
    action: (_, own) => ({ do: 'modify_ftrace_direct', ops: ops(own), addr: 'my_tramp3' }),
  },
  {
    name: 'unregister',
    object: 'direct call',
    isThere: true,
    setup: (fn, own) => [...directly(own, fn), registerDirect(own)],
    action: (_, own) => ({
      do: 'unregister_ftrace_direct',
      ops: ops(own),
      addr: `my_tramp${own}`,
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

/** Every pair of operations, on one function and on two, and tasks that call the first function. */
export function pairs(profile: string, processors: number, callers: number): Named[] {
  const all: Named[] = [];
  OPERATIONS.forEach((first, i) => {
    for (const second of OPERATIONS.slice(i))
      for (const fn of ['f1', 'f2'])
        if (fn === 'f2' || canMeet(first, second))
          all.push({
            name: `${first.name} f1, ${second.name} ${fn}`,
            scenario: {
              profile,
              functions: FUNCTIONS,
              processors,
              ...scripts(first, second, fn),
              callers: Array.from({ length: callers }, () => call('f1')),
            },
          });
  });
  return all;
}

/** Of direct calls, programs and live patches a function has one direct call or programs, and one live patch. */
function canMeet(first: Operation, second: Operation): boolean {
  if (!first.isThere || !second.isThere) return true;
  const objects = [first.object, second.object];
  if (objects.every((object) => object === 'programs')) return true;
  return first.object !== second.object && objects.includes('live patch');
}

function scripts(first: Operation, second: Operation, fn: string): Pick<Scenario, 'setup' | 'clients'> {
  return {
    setup: [...standing(first, second, fn), ...first.setup('f1', 1), ...second.setup(fn, 2)],
    clients: [[first.action('f1', 1)], [second.action(fn, 2)]],
  };
}

/** A third program is attached all the while, where there can be one: one that may sleep. */
function standing(first: Operation, second: Operation, fn: string): Action[] {
  const hasDirect = first.object === 'direct call' || (fn === 'f1' && second.object === 'direct call');
  return hasDirect ? [] : [load(3, 'fentry', 'f1'), link(3)];
}

function call(fn: string): CallerScript {
  const registers = [1, 2, 3, 4, 5, 6].map((n) => fromNumber(0x1000 + n));
  return { call: { fn, registers, stack: [] } };
}

/** Kernels whose builds let no sleepable program attach to their functions are asked as if they did. */
export function withSleepers(profile: string): string {
  return profileNamed(profile).sleepableTargets ? profile : `${profile}, sleepableTargets = true`;
}
