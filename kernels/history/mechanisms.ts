import type { Action } from '../../model/client/all.ts';
import type { OpsId } from '../../model/core/ids.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';

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

export type HistoryMechanism = keyof typeof CALLS;

export const MECHANISMS = Object.keys(CALLS) as readonly HistoryMechanism[];

/** The one that a call is part of; undefined: of any. */
export function mechanismOf(action: Action): HistoryMechanism | undefined {
  if ('ops' in action) return mechanismOfOps(action.ops);
  return MECHANISMS.find((mechanism) => (CALLS[mechanism] as readonly string[]).includes(action.do));
}

/** The owner of an ops, by its name. */
function mechanismOfOps(ops: OpsId): HistoryMechanism {
  if (ops.startsWith('gops#')) return 'graph';
  return ops.startsWith('direct#') ? 'direct' : 'ops';
}

/** A call of a function that calls no other: it is made after every step as it is. */
export function isBareCall(action: Action, functions: readonly TracedFunction[]): boolean {
  if (action.do !== 'call') return false;
  return functions.some(({ name, nesting }) => name === action.fn && nesting === 'none');
}
