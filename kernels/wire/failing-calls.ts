import type { Profile } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import type { Wording } from './numbers.ts';
import { cannot } from './numbers.ts';

/*
 * What a kernel calls where the model has an allocation, or a poke. The recorder finds these calls in the machine code, and
 * skips the one that is to fail:
 *
 *   i 1  __ftrace_hash_move alloc_ftrace_hash __ftrace_hash_move_and_update_ops 0 0
 */

/** A call in a function; a kernel that does not have it, has another of the same place. */
interface FailingCall {
  readonly in: string;
  readonly calls: string;
  /** Of several in the text, the nth only. */
  readonly nth?: number;
  /** The function that has called `in`, where others do so as well. */
  readonly by?: string;
  /** What it answers when it fails; absent: NULL. */
  readonly answer?: number;
}

interface FailingPlace {
  readonly calls: readonly FailingCall[];
  /** What the model has as one allocation are several: only the next of them can be ordered to fail. */
  readonly several?: true;
  /**
   * Whether a history with tracepoints has it, or one without: function graph registers a probe of its own, and events of
   * tracepoints and of kprobes have one allocation.
   */
  readonly besideTracepoints?: boolean;
  /** Of this function graph alone: the other has it in a function of the same name. */
  readonly fgraph?: Profile['fgraph'];
}

const EINVAL = -22;
const EBUSY = -16;

const OF_HASHES = ['alloc_ftrace_hash', 'alloc_and_copy_ftrace_hash'];
/** kmalloc() of a size that the compiler knows. */
const OF_OBJECTS = ['kmalloc_trace', '__kmalloc_cache_noprof'];
const OF_ARRAYS = ['__kmalloc', '__kmalloc_noprof'];
const OF_EVENTS = ['kmem_cache_alloc_node', 'kmem_cache_alloc_node_noprof'];
const OF_CPUS = ['__alloc_percpu', 'pcpu_alloc_noprof'];

const ALLOCATIONS: Readonly<Record<string, FailingPlace>> = {
  __ftrace_hash_move_and_update_ops: {
    calls: [
      {
        in: '__ftrace_hash_move',
        calls: 'alloc_ftrace_hash',
        by: '__ftrace_hash_move_and_update_ops',
      },
      { in: 'dup_hash', calls: 'alloc_ftrace_hash', by: 'ftrace_hash_move_and_update_ops' },
    ],
  },
  ftrace_set_hash: { calls: within('ftrace_set_hash', OF_HASHES) },
  register_ftrace_direct: {
    calls: [...within('register_ftrace_direct', OF_HASHES), ...entryOf('register_ftrace_direct_multi')],
    several: true,
  },
  'register_ftrace_direct(ip)': {
    calls: [
      { in: 'register_ftrace_direct', calls: 'ftrace_alloc_direct_func' },
      ...entryOf('register_ftrace_direct'),
    ],
  },
  'modify_ftrace_direct(ip)': {
    calls: [{ in: 'modify_ftrace_direct', calls: 'ftrace_alloc_direct_func' }],
  },
  update_ftrace_direct_add: { calls: [{ in: 'update_ftrace_direct_add', calls: 'hash_add', nth: 1 }] },
  update_ftrace_direct_del: { calls: [{ in: 'update_ftrace_direct_del', calls: 'hash_sub', nth: 1 }] },
  ftrace_startup_subops: {
    calls: [
      ...within('ftrace_startup_subops', OF_HASHES),
      ...within('add_first_hash', OF_HASHES, 'ftrace_startup_subops'),
      ...within('add_next_hash', OF_HASHES, 'ftrace_startup_subops'),
    ],
    several: true,
  },
  ftrace_hash_move_and_update_subops: {
    calls: [
      { in: '__ftrace_hash_move', calls: 'alloc_ftrace_hash', by: 'ftrace_hash_move_and_update_subops' },
    ],
  },
  append_hashes: { calls: [{ in: 'append_hash', calls: 'alloc_ftrace_hash', by: 'append_hashes' }] },
  intersect_hashes: { calls: within('intersect_hashes', OF_HASHES) },
  rebuild_hashes: {
    calls: [
      ...within('add_first_hash', OF_HASHES, 'rebuild_hashes'),
      ...within('add_next_hash', OF_HASHES, 'rebuild_hashes'),
    ],
    several: true,
  },
  'register_ftrace_graph (one user)': shadowStacks('single'),
  'register_ftrace_graph (many users)': shadowStacks('multi'),
  register_kprobe: { calls: [{ in: 'register_kprobe', calls: 'alloc_aggr_kprobe', nth: 1 }] },
  register_kretprobe: { calls: within('rethook_alloc', OF_OBJECTS, 'register_kretprobe') },
  'register_fprobe_ips (rethook)': { calls: within('rethook_alloc', OF_OBJECTS, 'fprobe_init_rethook') },
  'register_fprobe_ips (fgraph)': { calls: within('register_fprobe_ips', OF_ARRAYS) },
  arch_ftrace_update_trampoline: {
    calls: within('arch_ftrace_update_trampoline', ['module_alloc', 'execmem_alloc', 'execmem_alloc_rw']),
  },
  bpf_trampoline_get: {
    calls: within('bpf_trampoline_lookup', OF_OBJECTS, 'bpf_trampoline_get'),
    several: true,
  },
  bpf_trampoline_update: { calls: within('bpf_trampoline_update', OF_OBJECTS) },
  bpf_tracing_prog_attach: { calls: within('bpf_tracing_prog_attach', OF_OBJECTS) },
  bpf_trampoline_multi_attach: { calls: within('bpf_trampoline_multi_attach', OF_HASHES), several: true },
  'perf_event_open (kprobe)': { calls: within('perf_event_alloc', OF_EVENTS), besideTracepoints: false },
  allocate_probes: {
    calls: ['tracepoint_add_func', 'tracepoint_remove_func', 'tracepoint_probe_unregister'].flatMap(
      (caller) => within(caller, OF_ARRAYS),
    ),
    besideTracepoints: true,
  },
  bpf_raw_tp_link_attach: { calls: within('bpf_raw_tp_link_attach', OF_OBJECTS) },
  create_local_trace_kprobe: { calls: within('alloc_trace_kprobe', OF_ARRAYS, 'create_local_trace_kprobe') },
  perf_trace_event_reg: { calls: within('perf_trace_event_init', OF_CPUS), several: true },
  bpf_prog_array_copy: { calls: within('bpf_prog_array_copy', OF_ARRAYS) },
  bpf_perf_link_attach: { calls: within('bpf_perf_link_attach', OF_OBJECTS) },
};

const POKES: Readonly<Record<string, FailingPlace>> = {
  ftrace_replace_code: {
    calls: [{ in: 'ftrace_replace_code', calls: 'ftrace_verify_code', answer: EINVAL }],
  },
  // Which of them has the call, the compiler decides.
  bpf_arch_text_poke: {
    calls: [
      'bpf_trampoline_update',
      'modify_fentry',
      'register_fentry',
      'unregister_fentry',
      '__bpf_trampoline_link_prog',
      'bpf_trampoline_link_prog',
      '__bpf_trampoline_unlink_prog',
      'bpf_trampoline_unlink_prog',
      'bpf_tramp_image_put',
      'arch_bpf_trampoline_skip',
    ].map((caller) => ({ in: caller, calls: 'bpf_arch_text_poke', answer: EBUSY })),
  },
};

/** The line that lets an allocation or a poke fail. */
export function failLine(
  { what, where, nth = 1 }: InjectedFault,
  { profile, tracepoints = [] }: Pick<Wording, 'profile' | 'tracepoints'>,
): string {
  const place = (what === 'poke' ? POKES : ALLOCATIONS)[where];
  if (place === undefined) return cannot(`a failing ${what} in a function that is not known in machine code`);
  const { besideTracepoints = tracepoints.length > 0 } = place;
  if (besideTracepoints !== tracepoints.length > 0)
    return cannot('a failing allocation that is of tracepoints, or of others');
  if (place.fgraph !== undefined && place.fgraph !== profileNamed(profile).fgraph)
    return cannot('a failing allocation of another kernel');
  if (nth > 1 && place.several === true) return cannot('the second of allocations that the model has as one');
  return ['i', nth, ...place.calls.flatMap(wordsOf)].join(' ');
}

function wordsOf({ in: caller, calls, by = '-', nth = 0, answer = 0 }: FailingCall): (string | number)[] {
  return [caller, calls, by, nth, answer];
}

/** Every call of these allocators. */
function within(name: string, allocators: readonly string[], by?: string): FailingCall[] {
  return allocators.map((calls) => ({ in: name, calls, ...(by === undefined ? {} : { by }) }));
}

/** ftrace_add_rec_direct(), until 6.3: a larger table if the old one is full or empty, then the entry. */
function entryOf(by: string): FailingCall[] {
  return within('ftrace_add_rec_direct', ['dup_hash', ...OF_OBJECTS], by);
}

/** start_graph_tracing(): the list of stacks, and each of them. */
function shadowStacks(fgraph: Profile['fgraph']): FailingPlace {
  const allocators = [...OF_OBJECTS, 'kmem_cache_alloc_noprof'];
  return { calls: within('register_ftrace_graph', allocators), several: true, fgraph };
}
