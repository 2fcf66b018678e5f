import { DO } from '../../model/core/instruction.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { KernelCode } from './code.ts';

/*
 * Where a task is in the machine code of a kernel when the model has it before a step. The beginning of a function is
 * found by its name; within one, a place is described by what is around it, so that it is found in any kernel that was
 * compiled from much the same source.
 */

/** In the first of these functions that the kernel has: the matches in order, each after the one before. */
interface CodePath {
  readonly in: readonly string[];
  /** The task is before the line in which the last match begins, or after that line. */
  readonly path: readonly RegExp[];
  readonly stands?: 'after';
  /** Another place is better: what a task holds there, others wait for. */
  readonly isDear?: true;
}

const ENTERS_GRAPH = ['function_graph_enter_regs', 'function_graph_enter'];
const GOPS = /fgraph_direct_gops/;

const WITHIN: Readonly<Record<string, CodePath>> = {
  'function_graph_enter_regs: read fgraph_direct_gops': { in: ENTERS_GRAPH, path: [GOPS] },
  'function_graph_enter_regs: read fgraph_direct_gops again': { in: ENTERS_GRAPH, path: [GOPS, GOPS] },
  'function_graph_enter_regs: take the bit of its index': {
    in: ENTERS_GRAPH,
    path: [GOPS, GOPS],
    stands: 'after',
  },
  'function_graph_enter: ask the user': { in: ENTERS_GRAPH, path: [/call +.*(thunk|ftrace_graph_entry)/] },
  'ftrace_return_to_handler: read fgraph_direct_gops': { in: ['ftrace_return_to_handler'], path: [GOPS] },
  'ftrace_return_to_handler: test the bit of its index': {
    in: ['ftrace_return_to_handler'],
    path: [GOPS, /^bt /m],
  },
  'ftrace_return_to_handler: call fgraph_retfunc': {
    in: ['ftrace_return_to_handler'],
    path: [GOPS, GOPS, /^call /m],
  },
  'arch_ftrace_ops_list_func: load the hashes of the ops': {
    in: ['arch_ftrace_ops_list_func'],
    path: [/^mov +0x\w+\(%\w+\),(%\w+)\nmov +(0x)?8\(\1\)/m],
  },
  'arch_ftrace_ops_list_func: read the hashes': {
    in: ['arch_ftrace_ops_list_func'],
    path: [/^call +hash_contains_ip/m],
  },
  'update_ftrace_direct_del: reset the ops': {
    in: ['update_ftrace_direct_del'],
    path: [/^call +unregister_ftrace_function/m],
    stands: 'after',
  },
  'update_ftrace_direct_del: ftrace_free_filter': {
    in: ['update_ftrace_direct_del'],
    path: [/^call +unregister_ftrace_function/m, /^call +ftrace_free_filter/m],
  },
  'ftrace_shutdown_subops: free the hashes': {
    in: ['ftrace_shutdown_subops'],
    path: [/^call +ftrace_shutdown/m, /^call +free_ftrace_hash/m],
  },
  // It is not disabled where disarming fails: before that is tested, the task has it as well.
  'kprobe_ftrace_handler: set ip after the int3': {
    in: ['kprobe_ftrace_handler'],
    path: [/^call +get_kprobe/m],
    stands: 'after',
  },
  'kprobe_ftrace_handler: call its pre_handler': {
    in: ['kprobe_ftrace_handler'],
    path: [/^call +get_kprobe/m, /^call +.*(thunk|\*)/m],
  },
  'register_kretprobe: stop the pool': {
    in: ['register_kretprobe'],
    path: [/^call +rethook_free/m],
  },
  'register_kretprobe: forget the pool': {
    in: ['register_kretprobe'],
    path: [/^call +rethook_free/m],
    stands: 'after',
  },
  // A CPU that is stopped there has text_mutex, and an int3 is in the text.
  'text_poke_bp_batch: sync after int3': {
    in: ['text_poke_bp_batch', 'smp_text_poke_batch_finish'],
    path: [/^call +(text_poke_sync|on_each_cpu_cond_mask)/m],
    isDear: true,
  },
  '__unregister_ftrace_function: unlink the ops': { in: ['__unregister_ftrace_function'], path: [/^/] },
  'call_direct_funcs: read ops->direct_call': { in: ['call_direct_funcs'], path: [/^/] },
  'call_direct_funcs: look the site up': { in: ['call_direct_funcs'], path: [/^/] },
  'register_fentry: check ftrace_location()': {
    in: ['register_fentry', 'bpf_trampoline_update'],
    path: [/^call +ftrace_location/m],
  },
  'fprobe_add_ips: the user is registered': {
    in: ['register_fprobe_ips'],
    path: [/^call +register_ftrace_graph/m],
    stands: 'after',
  },
  'ftrace_regs_caller+0xb5': { in: ['ftrace_regs_call'], path: [/^call/m] },
  body_hook: { in: ['recorder_body'], path: [/^/] },
};

/** The addresses of a place; none: this kernel has none that is known. */
export function addressesOf(code: KernelCode, place: string): bigint[] {
  const within = WITHIN[place];
  if (within !== undefined) return pathIn(code, within);
  const entered = enteredBy(place);
  const entry =
    entered === undefined ? undefined : (code.function(until63(entered)) ?? code.function(entered));
  if (entry !== undefined) return [entry];
  return /^prog#\d+$/.test(place) ? ENTERING_PROGRAMS.flatMap((name) => returnsOf(code, name)) : [];
}

/** The functions of an ops of direct calls; until 6.3 those without `_multi` are others, of single sites. */
function until63(name: string): string {
  return name.replace(/^(register|unregister|modify)_ftrace_direct(?=$|_nolock$)/, '$&_multi');
}

/** What an image calls before a program: at its end the task is about to enter it. */
const ENTERING_PROGRAMS = [
  '__bpf_prog_enter',
  '__bpf_prog_enter_recur',
  '__bpf_prog_enter_sleepable',
  '__bpf_prog_enter_sleepable_recur',
];

function returnsOf(code: KernelCode, name: string): bigint[] {
  return code
    .listing(name)
    .flatMap(({ address, text }) => (/^(ret|jmp +__x86_return)/.test(text) ? [address] : []));
}

/** Images of the model are those of the kernel, to the byte: the offset of a place in one; undefined: it is in none. */
export function offsetInImage(place: string): number | undefined {
  const offset = /^tramp#\d+\+(0x[0-9a-f]+)$/.exec(place)?.[1];
  return offset === undefined ? undefined : Number(offset);
}

/** Why no task is stopped at a place; undefined: it is just not known. */
export function whyNowhere(place: string): string | undefined {
  return NOWHERE[place];
}

const NOWHERE: Readonly<Record<string, string>> = {
  'arch_ftrace_ops_list_func: ops->func':
    'the machine code reads ops->func once, for its test and for the call: no task is between the two',
};

/** How well an actor can be stopped at a place of the model. */
export type PlaceRating = 'known' | 'dear' | 'unknown';

export function ratingOf(code: KernelCode, place: string): PlaceRating {
  if (offsetInImage(place) !== undefined) return 'dear';
  if (addressesOf(code, place).length === 0) return 'unknown';
  return WITHIN[place]?.isDear === true ? 'dear' : 'known';
}

/** The function that a task is about to enter: before its first step, but for refusals, or a function that is one step. */
function enteredBy(place: string): string | undefined {
  const [routine = '', step] = place.split(': ');
  if (step === undefined) return /^[a-z_]\w*$/.test(place) ? place : undefined;
  const entry = KERNEL_PROGRAM.entries.get(routine);
  if (entry === undefined) return undefined;
  const own = KERNEL_PROGRAM.instructions.slice(entry, entry + REFUSALS_MOST);
  const first = own.find((instruction) => instruction.do !== DO.REFUSE && instruction.do !== DO.BRANCH);
  return first?.id === step ? routine.replace(/ \(.*\)$/, '') : undefined;
}

const REFUSALS_MOST = 12;

function pathIn(code: KernelCode, { in: functions, path, stands }: CodePath): bigint[] {
  const lines = functions.map((name) => code.listing(name)).find((found) => found.length > 0) ?? [];
  let from = 0;
  for (const [i, part] of path.entries()) {
    const rest = lines.slice(from).map(({ text }) => text);
    const match = part.exec(rest.join('\n'));
    if (match === null) return [];
    from += match.input.slice(0, match.index).split('\n').length - 1;
    if (i < path.length - 1 || stands === 'after') from++;
  }
  const line = lines[from];
  return line === undefined ? [] : [line.address];
}
