import type { Warning } from './warning.ts';

/** The WARN line that a report prints: nothing reads it back. */
export function warningText<K extends Warning['is']>(warning: Warning<K>): string {
  return WORDS[warning.is](warning);
}

const WORDS: { readonly [K in Warning['is']]: (warning: Warning<K>) => string } = {
  'ftrace bug': ({ ip }) => `ftrace bug: ${ip} does not hold the instruction that its record says`,
  'too many references': () => 'a record has too many references',
  'no reference to lose': () => 'a record loses a reference that it does not have',
  'direct record not in table': ({ inEffect }) =>
    inEffect
      ? 'a site calls directly and direct_functions does not have it (ftrace_get_addr_curr)'
      : 'a record is direct and direct_functions does not have it (ftrace_get_addr_new)',
  'no trampoline of the record': ({ inEffect }) =>
    `bad trampoline accounting (ftrace_get_addr_${inEffect ? 'curr' : 'new'})`,
  'direct already': ({ ip }) => `${ip} is direct already (__ftrace_hash_update_ipmodify)`,
  'ops without func': ({ ops }) => `${ops} has no func (__ftrace_ops_list_func)`,
  'flags without ops': () => 'a record has flags and no ops is registered (ftrace_shutdown)',
  'waits for a loaded function': ({ ops, ip }) =>
    `${ops} waits for ${ip}, which is loaded only now (referenced_filters)`,
  'direct site not in table': ({ ip }) =>
    `${ip} is direct and direct_functions does not have it (register_ftrace_direct)`,
  'not in direct_ops': ({ ip }) => `direct_ops does not have ${ip} (unregister_ftrace_direct)`,
  'no descriptor': ({ addr, by }) => `${addr} has no descriptor (${by})`,
  'descriptor below zero': ({ addr }) =>
    `the descriptor of ${addr} has a negative count (unregister_ftrace_direct)`,
  'direct record and table disagree': ({ ip }) =>
    `the record of ${ip} and direct_functions disagree (find_direct_entry)`,
  'graph ops registered again': () => 'function graph ops registered again (register_ftrace_graph)',
  'kprobe ops not unregistered': () => 'kprobes could not unregister their ops (__disarm_kprobe_ftrace)',
  'optprobe on a list': ({ ip }) =>
    `the kprobe at ${ip} is on a list of the optimiser already (optimize_kprobe)`,
  'kprobe not disarmed': ({ ip }) => `the kprobe at ${ip} could not be disarmed (__disarm_kprobe_ftrace)`,
  'kprobe registered again': () => 'a kprobe is registered again (register_kprobe)',
  'enabled subops started': () => 'an enabled subops is started (ftrace_startup_subops)',
  'subops not enabled': () => 'a subops that is not enabled is shut down (ftrace_shutdown_subops)',
  'ipmodify and direct': () => 'an ops is both IPMODIFY and DIRECT (__ftrace_hash_update_ipmodify)',
  'enabled ops registered': () => 'an enabled ops is registered (__register_ftrace_function)',
  'filter of an enabled ops freed': () => 'the filter of an enabled ops is freed (ftrace_free_filter)',
  'ops not enabled': () => 'an ops that is not enabled is unregistered (__unregister_ftrace_function)',
  'unwanted return': () => 'fprobe_return() is called for a return that no fprobe asked for',
  'return not on the shadow stack': () => 'a return is not on the shadow stack (ftrace_return_to_handler)',
  'negative start_up': () => 'ftrace_start_up is negative (ftrace_shutdown)',
  'probe there already': ({ func, tracepoint }) =>
    `${func} is on ${tracepoint} already (tracepoint_add_func)`,
  'notifier there already': ({ notifier }) => `${notifier} is registered already (notifier_chain_register)`,
  'no probes': ({ tracepoint }) => `${tracepoint} has no probes (tracepoint_remove_func)`,
  'image not patched': () => 'a retired image could not be patched (bpf_tramp_image_put)',
  'program not skipped': () => 'a program could not be skipped (bpf_trampoline_skip_prog)',
  'no extension': ({ target }) =>
    `${target} has no extension that could leave (__bpf_trampoline_unlink_prog)`,
  'sleep in an atomic section': ({ prog }) => `prog#${prog} may sleep in an atomic section (__might_resched)`,
  'shares already': () => 'the image shares and does not look so (bpf_tramp_ftrace_ops_func)',
  'image outgrows its page': ({ target }) =>
    `the image of ${target} outgrows its page (__arch_prepare_bpf_trampoline)`,
  'graph user of fprobes refused': () =>
    'the user that fprobes share could not be registered (fprobe_graph_add_ips)',
  'no array of addresses': () =>
    'no memory for the addresses of a module; the filters keep them (fprobe_module_callback)',
  'put with its mutex locked': ({ target }) =>
    `the trampoline of ${target} is put with its mutex locked (bpf_trampoline_put)`,
  'put with programs': ({ target }) =>
    `the trampoline of ${target} is put with programs attached (bpf_trampoline_put)`,
  'program not taken off': ({ errno, by }) => `a program could not be taken off: ${errno} (${by})`,
  'multi link not taken off': ({ errno, by }) => `a multi link could not be taken off: ${errno} (${by})`,
  'multi link keeps its sites': () => 'a multi link cannot take its sites back (bpf_trampoline_multi_attach)',
  'split trampoline not made': ({ targets, errno }) =>
    `the trampoline of ${targets.join(', ')} is not as it should be: ${errno} (bpf_trampoline_split)`,
  'metadata without users': () => 'metadata has no users (kfunc_md_put)',
  'no metadata': ({ target }) => `${target} has no metadata (__bpf_gtrampoline_unlink_prog)`,
};
