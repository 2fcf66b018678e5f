import { InputError } from '../../model/core/input-error.ts';
import { meantOr } from '../../model/core/nearest.ts';
import type { Part, Routine } from '../../model/core/part.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';

/**
 * Failures that can be injected: of the next allocation in each function that allocates memory, and of the next poke.
 */
export const FAULTS: readonly InjectedFault[] = [
  ...[
    '__ftrace_hash_move_and_update_ops',
    'ftrace_set_hash',
    'register_ftrace_direct',
    'register_ftrace_direct(ip)',
    'modify_ftrace_direct(ip)',
    'update_ftrace_direct_add',
    'update_ftrace_direct_del',
    'ftrace_startup_subops',
    'ftrace_hash_move_and_update_subops',
    'append_hashes',
    'intersect_hashes',
    'rebuild_hashes',
    'register_ftrace_graph (one user)',
    'register_ftrace_graph (many users)',
    'register_kprobe',
    'register_kretprobe',
    'register_fprobe_ips (rethook)',
    'register_fprobe_ips (fgraph)',
    'arch_ftrace_update_trampoline',
    'bpf_trampoline_get',
    'bpf_trampoline_update',
    'bpf_tracing_prog_attach',
    'bpf_trampoline_multi_attach',
    'allocate_probes',
    'bpf_raw_tp_link_attach',
    'perf_event_open',
    'perf_event_open (kprobe)',
    'create_local_trace_kprobe',
    'perf_trace_event_reg',
    'bpf_prog_array_copy',
    'bpf_perf_link_attach',
  ].map((where): InjectedFault => ({ what: 'allocation', where })),
  { what: 'poke', where: 'ftrace_replace_code' },
  { what: 'poke', where: 'bpf_arch_text_poke' },
];

/** Throws an InputError for a name of which nothing allocates, or pokes text. */
export function requireFault({ what, where }: InjectedFault): void {
  const named = FAULTS.filter((fault) => fault.what === what).map((fault) => fault.where);
  const names = what === 'poke' ? named : [...KERNEL_PROGRAM.entries.keys(), ...named];
  if (names.includes(where)) return;
  const hint = meantOr(where, names, `as ${names.slice(0, 2).join(' and ')} do`);
  const fault = what === 'poke' ? 'a poke' : 'an allocation';
  throw new InputError(`there is no function ${where} with ${fault} that may fail; ${hint}`, where);
}

/** Those of a kernel: its design of multi links may have its own allocations. */
export function faultsFor(profile: string): readonly InjectedFault[] {
  const design = designOf(profileNamed(profile));
  if (design === undefined) return FAULTS;
  const own = routinesOf(design).filter(({ name, parts }) => {
    return parts.some(allocates) && FAULTS.every(({ where }) => where !== name);
  });
  return [...FAULTS, ...own.map(({ name }): InjectedFault => ({ what: 'allocation', where: name }))];
}

function routinesOf({ attach, detach, background = [], routines = [] }: Design): readonly Routine[] {
  return [attach, detach, ...background, ...routines] as readonly Routine[];
}

function allocates(part: Part): boolean {
  if (part.kind === 'allocate') return true;
  const inner = [
    ...('parts' in part ? part.parts : []),
    ...('otherwise' in part ? part.otherwise : []),
    ...('busy' in part ? part.busy : []),
    ...('rollback' in part ? part.rollback : []),
  ];
  return inner.some(allocates);
}
