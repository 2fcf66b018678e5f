import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import type { OpsId } from '../../../model/core/ids.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import type { Wanted } from '../arbitrary.ts';

/** At most this number of mechanisms in most sequences. */
const FEW = 3;
/** One sequence in five has clients of all mechanisms. */
const ALL_ONE_IN = 5;

/**
 * Whether an action is drawn for a sequence: most have clients of few mechanisms, who meet more often there. A kernel that is
 * examined after every action needs no calls of functions that call no other.
 */
export function clientsOfFew(functions: readonly TracedFunction[]): fc.Arbitrary<Wanted> {
  return drawnMechanisms.map(
    (mechanisms) => (action) => isOf(action, mechanisms) && !isBareCall(action, functions),
  );
}

/** What clients attach with, or change below them, in the words of the calls. */
const CALLS = {
  ops: ['register_ftrace_function', 'unregister_ftrace_function'],
  direct: [
    'register_ftrace_direct',
    'modify_ftrace_direct',
    'unregister_ftrace_direct',
    'register_ftrace_direct(ip)',
    'modify_ftrace_direct(ip)',
    'unregister_ftrace_direct(ip)',
    'update_ftrace_direct_add',
    'update_ftrace_direct_mod',
    'update_ftrace_direct_del',
  ],
  graph: ['register_ftrace_graph', 'unregister_ftrace_graph'],
  kprobe: ['register_kprobe', 'unregister_kprobe', 'disable_kprobe', 'enable_kprobe'],
  kretprobe: ['register_kretprobe', 'unregister_kretprobe'],
  fprobe: ['register_fprobe_ips', 'unregister_fprobe'],
  program: ['BPF_PROG_LOAD', 'BPF_LINK_CREATE', 'BPF_RAW_TRACEPOINT_OPEN', 'close(link)', 'close(prog)'],
  kernel: ['kernel.ftrace_enabled', 'delete_module', 'init_module', 'settle'],
} satisfies Record<string, readonly Action['do'][]>;

type MechanismName = keyof typeof CALLS;

const MECHANISMS = Object.keys(CALLS) as readonly MechanismName[];

const drawnMechanisms = fc
  .tuple(fc.nat(ALL_ONE_IN - 1), fc.shuffledSubarray([...MECHANISMS], { minLength: 1, maxLength: FEW }))
  .map(([n, few]) => (n === 0 ? MECHANISMS : few));

function isOf(action: Action, mechanisms: readonly MechanismName[]): boolean {
  const own = mechanismOf(action);
  return own === undefined || mechanisms.includes(own);
}

/** The one that a call is part of; undefined: of any. */
function mechanismOf(action: Action): MechanismName | undefined {
  if ('ops' in action) return mechanismOfOps(action.ops);
  return MECHANISMS.find((mechanism) => (CALLS[mechanism] as readonly string[]).includes(action.do));
}

/** The owner of an ops, by its name. */
function mechanismOfOps(ops: OpsId): MechanismName {
  if (ops.startsWith('gops#')) return 'graph';
  return ops.startsWith('direct#') ? 'direct' : 'ops';
}

/** A call of a function that calls no other: it is made after every step as it is. */
function isBareCall(action: Action, functions: readonly TracedFunction[]): boolean {
  if (action.do !== 'call') return false;
  return functions.some(({ name, nesting }) => name === action.fn && nesting === 'none');
}
