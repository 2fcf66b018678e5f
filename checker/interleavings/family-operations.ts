import type { Action } from '../../model/client/all.ts';
import { filterOn } from '../../model/client/ftrace-set-filter-ip.ts';
import type { FunctionName, ProgId } from '../../model/core/ids.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import { clientTramp } from '../../model/text/space.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { ZERO } from '../../model/x86/word.ts';

/** An operation of the family: its precondition, and its calls, on one of the two functions. */
export interface FamilyOperation {
  readonly name: string;
  /** Its object, and whether that has to exist before. */
  readonly object: 'programs' | 'direct call' | 'live patch';
  readonly isThere: boolean;
  readonly setup: (fn: FunctionName, own: number) => readonly Action[];
  readonly action: (fn: FunctionName, own: number) => Action;
}

/** Number of the program that is attached throughout. */
export const SLEEPER = 9;

export function load(prog: ProgId, kind: TracingKind, target: FunctionName): Action {
  const program = { ...plainProgram(prog), kind, sleepable: prog === SLEEPER };
  return { do: 'BPF_PROG_LOAD', program, target, probe: '', returns: ZERO };
}

export const link = (prog: ProgId): Action => ({ do: 'BPF_RAW_TRACEPOINT_OPEN', link: `link#${prog}`, prog });
const ops = (own: number) => `ops#${own}`;
const filtered = (own: number, fn: FunctionName, flags: number, direct: boolean): Action[] => [
  { do: 'ftrace_ops', ops: ops(own), flags, direct },
  filterOn(ops(own), fn),
];
const LIVE_PATCH = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS;
const directly = (own: number, fn: FunctionName) => filtered(own, fn, 0, true);
const patch = (own: number, fn: FunctionName) => filtered(own, fn, LIVE_PATCH, false);
const registerDirect = (own: number): Action => ({
  do: 'register_ftrace_direct',
  ops: ops(own),
  addr: clientTramp(own),
});

const register = (own: number): Action => ({ do: 'register_ftrace_function', ops: ops(own) });

/** The operations that two clients may make concurrently. */
export const OPERATIONS: readonly FamilyOperation[] = [
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
    action: (_, own) => ({ do: 'modify_ftrace_direct', ops: ops(own), addr: clientTramp(own + 1) }),
  },
  {
    name: 'unregister',
    object: 'direct call',
    isThere: true,
    setup: (fn, own) => [...directly(own, fn), registerDirect(own)],
    action: (_, own) => ({
      do: 'unregister_ftrace_direct',
      ops: ops(own),
      addr: clientTramp(own),
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
