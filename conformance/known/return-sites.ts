import type { ReturnSite } from '../../counterexamples/sequences/sites.ts';

/** The status of all return sites, one long table on purpose. "reached" refers to the default run's search. */
export const REACHING = { seed: 1, sequences: 400 } as const;

/**
 * All return sites, in the order of the routines. In kernels that a site does not name, the path to it does not
 * exist.
 */
export const RETURN_SITES: readonly ReturnSite[] = [
  { site: 'ftrace_set_hash: ENODEV  ftrace is dead', reached: ['6.1', '6.12', '7.2'] },
  { site: 'ftrace_set_hash: ENOMEM  allocate a copy of the hash', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'ftrace_set_hash: EINVAL  an ip is no call site, or is not in the hash',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'ftrace_set_hash: ENOENT  an ip is no call site, or is not in the hash',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'ftrace_regex_write: ENODEV  ftrace is dead',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'ftrace_regex_write: ENOMEM  allocate the private hash',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'ftrace_regex_write: EINVAL  no function matches',
    reached: ['6.1', '6.12', '7.2'],
  },
  { site: 'unregister_ftrace_function: ENODEV  ftrace_shutdown failed', reached: ['6.1', '6.12', '7.2'] },
  { site: 'unregister_ftrace_function: EBUSY  ftrace_shutdown failed', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'unregister_ftrace_function: EPERM  ftrace_shutdown failed',
    reached: [],
    never: 'an ops that is enabled is on the list',
  },
  {
    site: 'register_ftrace_direct: EINVAL  the ops has a func or a trampoline',
    reached: ['6.1', '6.12', '7.2'],
  },
  { site: 'register_ftrace_direct: EINVAL  the ops is not initialised', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'register_ftrace_direct: EINVAL  the ops is enabled',
    reached: [],
    seldom: ['6.1', '6.12', '7.2'],
  },
  { site: 'register_ftrace_direct: EINVAL  the filter is empty', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'register_ftrace_direct: EBUSY  a site of the filter has a direct call',
    reached: ['6.1', '6.12', '7.2'],
  },
  { site: 'register_ftrace_direct: ENOMEM  allocate a larger direct_functions', reached: ['6.1'] },
  { site: 'register_ftrace_direct: ENOMEM  allocate the entries', reached: ['6.1'] },
  {
    site: 'register_ftrace_direct: ENOMEM  allocate the new direct_functions',
    reached: ['6.12', '7.2'],
  },
  { site: 'modify_ftrace_direct: EINVAL  the ops is not direct', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'modify_ftrace_direct: EINVAL  the ops is not enabled',
    reached: ['6.12', '7.2'],
    seldom: ['6.1'],
  },
  { site: 'unregister_ftrace_direct: EINVAL  the ops is not direct', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'unregister_ftrace_direct: EINVAL  the ops is not enabled',
    reached: ['6.12', '7.2'],
    seldom: ['6.1'],
  },
  {
    site: 'unregister_ftrace_direct: ENODEV  unregister_ftrace_function failed',
    reached: [],
    seldom: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'unregister_ftrace_direct: EBUSY  unregister_ftrace_function failed',
    reached: [],
    never: 'an ops that is not enabled was refused before',
  },
  { site: 'register_ftrace_direct(ip): ENODEV  not a call site', reached: ['6.1'] },
  { site: 'register_ftrace_direct(ip): EBUSY  the site has a direct call', reached: ['6.1'] },
  { site: 'register_ftrace_direct(ip): ENODEV  the record is direct without an entry', reached: ['6.1'] },
  { site: 'register_ftrace_direct(ip): ENOMEM  allocate the descriptor of the trampoline', reached: ['6.1'] },
  { site: 'register_ftrace_direct(ip): ENOMEM  allocate a larger direct_functions', reached: ['6.1'] },
  { site: 'register_ftrace_direct(ip): ENOMEM  allocate the entry', reached: ['6.1'] },
  { site: 'modify_ftrace_direct(ip): ENODEV  not a call site', reached: ['6.1'] },
  { site: 'modify_ftrace_direct(ip): ENODEV  the site has no direct call', reached: ['6.1'] },
  { site: 'modify_ftrace_direct(ip): EINVAL  the direct call has another address', reached: ['6.1'] },
  { site: 'modify_ftrace_direct(ip): EINVAL  the trampoline has no descriptor', reached: ['6.1'] },
  {
    site: 'modify_ftrace_direct(ip): ENOMEM  allocate the descriptor of the new trampoline',
    reached: [],
    seldom: ['6.1'],
  },
  { site: 'unregister_ftrace_direct(ip): ENODEV  not a call site', reached: ['6.1'] },
  { site: 'unregister_ftrace_direct(ip): ENODEV  the site has no direct call', reached: ['6.1'] },
  {
    site: 'unregister_ftrace_direct(ip): ENOENT  direct_ops did not have the site',
    reached: ['6.1'],
  },
  { site: 'unregister_ftrace_direct(ip): ENODEV  direct_ops did not have the site', reached: ['6.1'] },
  { site: 'unregister_ftrace_direct(ip): ENOMEM  direct_ops did not have the site', reached: ['6.1'] },
  { site: 'update_ftrace_direct_add: EINVAL  nothing is added', reached: ['7.2'] },
  { site: 'update_ftrace_direct_add: EINVAL  a site has a direct call', reached: ['7.2'] },
  { site: 'update_ftrace_direct_add: EINVAL  the ops is in use', reached: ['7.2'] },
  {
    site: 'update_ftrace_direct_add: ENOMEM  allocate the new filter and the new direct_functions',
    reached: ['7.2'],
  },
  { site: 'update_ftrace_direct_del: EINVAL  nothing is removed', reached: ['7.2'] },
  { site: 'update_ftrace_direct_del: EINVAL  the ops is not direct', reached: [], seldom: ['7.2'] },
  {
    site: 'update_ftrace_direct_del: EINVAL  the ops is not enabled',
    reached: [],
    never: 'an ops with a filter of direct calls is enabled',
  },
  {
    site: 'update_ftrace_direct_del: EINVAL  no function has a direct call',
    reached: [],
    never: 'an enabled direct ops has an entry in direct_functions',
  },
  {
    site: 'update_ftrace_direct_del: EINVAL  the filter is empty',
    reached: [],
    never: 'an enabled direct ops has a filter',
  },
  { site: 'update_ftrace_direct_del: EINVAL  a site does not call there', reached: ['7.2'] },
  {
    site: 'update_ftrace_direct_del: ENOMEM  allocate the smaller filter and the smaller direct_functions',
    reached: [],
    seldom: ['7.2'],
  },
  { site: 'update_ftrace_direct_mod: EINVAL  nothing is changed', reached: ['7.2'] },
  { site: 'update_ftrace_direct_mod: EINVAL  the ops is not direct', reached: ['7.2'] },
  {
    site: 'update_ftrace_direct_mod: EINVAL  the ops is not enabled',
    reached: [],
    never: 'an ops with a filter of direct calls is enabled',
  },
  { site: 'register_kprobe: EINVAL  the address is no instruction', reached: ['6.1', '6.12', '7.2'] },
  { site: 'register_kprobe: EINVAL  the kprobe is registered', reached: ['6.1', '6.12'], seldom: ['7.2'] },
  {
    site: 'register_kprobe: ENOENT  its module is going, or has gone',
    reached: [],
    never: 'needs another CPU, which unloads the module meanwhile',
  },
  {
    site: 'register_kprobe: EINVAL  its module is going, or has gone',
    reached: ['6.1', '6.12', '7.2'],
  },
  { site: 'register_kprobe: ENOMEM  allocate an aggregate', reached: ['6.1', '6.12', '7.2'] },
  { site: 'register_kprobe: EILSEQ  no instruction begins there', reached: ['6.1', '6.12', '7.2'] },
  { site: 'register_kprobe: EBUSY  the ops of kprobes could not be registered', reached: ['6.1', '6.12'] },
  { site: 'register_kprobe: ENODEV  ftrace is dead', reached: ['6.1', '6.12'] },
  {
    site: 'register_kprobe: EAGAIN  a direct call cannot share now',
    reached: [],
    never: 'needs a trampoline that is being changed by another CPU',
  },
  { site: 'register_kprobe: ENOMEM  no memory to arm it', reached: ['6.1', '6.12'] },
  { site: 'disable_kprobe: EINVAL  the kprobe is not registered', reached: ['6.1', '6.12', '7.2'] },
  { site: 'enable_kprobe: EINVAL  the kprobe is not registered', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'enable_kprobe: EINVAL  its module has gone',
    reached: ['6.1', '6.12'],
    seldom: ['7.2'],
  },
  { site: 'register_kretprobe: EINVAL  the address is no function entry', reached: ['6.1', '6.12', '7.2'] },
  { site: 'register_kretprobe: EINVAL  the kretprobe is registered', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'register_kretprobe: ENOMEM  allocate shadow stacks for all tasks',
    reached: [],
    never: 'no kernel has kretprobes on the shadow stack of function graph',
  },
  { site: 'register_kretprobe: ENOMEM  allocate the pool of return hooks', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'register_fprobe_ips: EOPNOTSUPP  no fprobes in this kernel',
    reached: [],
    never: 'a kernel without fprobes has no function for it; kprobe.multi answers before',
  },
  {
    site: 'unregister_fprobe: EOPNOTSUPP  no fprobes in this kernel',
    reached: [],
    never: 'a kernel without fprobes has no function for it',
  },
  { site: 'bpf_prog_load: EINVAL  the verifier refuses the kprobe program', reached: ['6.1', '6.12', '7.2'] },
  { site: 'bpf_prog_load: EINVAL  there is no such function', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'bpf_prog_load: EINVAL  the verifier refuses the program for its target',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_prog_load: EOPNOTSUPP  the verifier refuses the program for its target',
    reached: ['6.12', '7.2'],
  },
  {
    site: 'bpf_prog_load: EACCES  the verifier refuses the program for its target',
    reached: [],
    never: 'only a design of multi links that no kernel has checks them without a function',
  },
  {
    site: 'bpf_prog_load: EINVAL  its target is on a list, or on none',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_prog_load: EINVAL  the verifier refuses what the program does',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_prog_load: EACCES  the verifier refuses what the program does',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_prog_load: ENOTSUPP  the verifier refuses what the program does',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'link_create: EFAULT  the name of a tracepoint is NULL',
    reached: ['6.12'],
    seldom: ['6.1', '7.2'],
  },
  {
    site: 'link_create: EINVAL  BPF_RAW_TRACEPOINT_OPEN takes no kprobe program',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'link_create: EINVAL  BPF_RAW_TRACEPOINT_OPEN names no cgroup',
    reached: [],
    seldom: ['6.1', '6.12', '7.2'],
  },
  { site: 'cgroup_bpf_link_attach: ENOMEM  allocate the link', reached: [], seldom: ['6.1', '6.12', '7.2'] },
  {
    site: '__cgroup_bpf_attach: EINVAL  all slots are taken by other hooks',
    reached: [],
    never: 'a sequence has fewer hooks than there are slots',
  },
  {
    site: '__cgroup_bpf_attach: E2BIG  too many programs',
    reached: [],
    never: 'a sequence has fewer links',
  },
  {
    site: '__cgroup_bpf_attach: ENOMEM  allocate the entry',
    reached: [],
    seldom: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_trampoline_link_cgroup_shim: ENOMEM  allocate the shim',
    reached: ['6.1'],
    seldom: ['6.12', '7.2'],
  },
  {
    site: '__cgroup_bpf_attach: ENOMEM  allocate the effective programs',
    reached: [],
    seldom: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_prog_load: EBUSY  multi links have its target',
    reached: [],
    never: 'only a design of multi links that no kernel has keeps functions for itself',
  },
  {
    site: 'bpf_prog_load: ENOMEM  multi links have its target',
    reached: [],
    never: 'only a design of multi links that no kernel has keeps functions for itself',
  },
  {
    site: 'bpf_prog_load: ENOENT  its module is going',
    reached: ['7.2'],
  },
  { site: 'link_create: EBADF  there is no such program', reached: ['6.1', '6.12', '7.2'] },
  { site: 'link_create: EINVAL  there is no such attach type', reached: ['6.1', '6.12', '7.2'] },
  { site: 'link_create: EINVAL  no function is named', reached: ['7.2'] },
  { site: 'link_create: EINVAL  a function is named twice', reached: ['7.2'] },
  { site: 'bpf_link_release: EBADF  there is no such link', reached: ['6.1', '6.12', '7.2'] },
  { site: 'bpf_prog_release: EBADF  there is no such program', reached: ['6.1', '6.12', '7.2'] },
  { site: 'ftrace_enable_sysctl: ENODEV  ftrace is dead', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'ftrace_enable_sysctl: EBUSY  a permanent ops is registered',
    reached: ['6.1'],
    seldom: ['6.12', '7.2'],
  },
  { site: 'init_module: EEXIST  the module is loaded', reached: ['6.1', '6.12', '7.2'] },
  { site: 'delete_module: ENOENT  no such module is loaded', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'delete_module: EAGAIN  the module is held',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: '__ftrace_hash_move_and_update_ops: EINVAL  a notrace hash for an IPMODIFY ops',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: '__ftrace_hash_move_and_update_ops: ENOMEM  allocate the new hash',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'prepare_direct_functions_for_ipmodify: EBUSY  the direct ops cannot share',
    reached: ['6.1', '6.12', '7.2'],
  },
  { site: 'ftrace_shutdown: ENODEV  ftrace is dead', reached: ['6.1', '6.12', '7.2'] },
  {
    site: '__modify_ftrace_direct: EAGAIN  its owner cannot share with IPMODIFY',
    reached: ['6.12'],
    seldom: ['6.1'],
  },
  {
    site: '__modify_ftrace_direct: EBUSY  its owner cannot share with IPMODIFY',
    reached: [],
    seldom: ['6.1'],
  },
  {
    site: 'update_ftrace_direct_mod: modify: EINVAL  no function has a direct call',
    reached: [],
    never: 'an enabled direct ops has an entry in direct_functions',
  },
  {
    site: 'update_ftrace_direct_mod: modify: EINVAL  the ops has no filter',
    reached: [],
    never: 'an enabled direct ops has a filter',
  },
  {
    site: 'update_ftrace_direct_mod: modify: EAGAIN  an owner cannot share with IPMODIFY',
    reached: [],
    seldom: ['7.2'],
  },
  {
    site: 'update_ftrace_direct_mod: modify: EBUSY  an owner cannot share with IPMODIFY',
    reached: [],
    seldom: ['7.2'],
  },
  {
    site: 'update_ftrace_direct_mod: modify: EINVAL  an owner cannot share with IPMODIFY',
    reached: [],
    never: 'the owner knows the trampoline of each of its sites',
  },
  { site: 'register_ftrace_graph (one user): EBUSY  there is a user', reached: ['6.1'] },
  {
    site: 'register_ftrace_graph (one user): ENOMEM  allocate shadow stacks for all tasks',
    reached: ['6.1'],
  },
  { site: 'register_ftrace_graph (many users): EBUSY  the gops is registered', reached: ['7.2'] },
  {
    site: 'register_ftrace_graph (many users): EEXIST  sched_switch has the probe of function graph',
    reached: [],
    seldom: ['6.12', '7.2'],
  },
  {
    site: 'register_ftrace_graph (many users): ENOSPC  every index is taken',
    reached: [],
    never: 'needs sixteen users; a search has three, and fprobes share one',
  },
  {
    site: 'register_ftrace_graph (many users): ENOMEM  allocate shadow stacks for all tasks',
    reached: ['7.2'],
    seldom: ['6.12'],
  },
  { site: 'register_fprobe_ips (rethook): EINVAL  no function is named', reached: ['6.12'] },
  { site: 'register_fprobe_ips (rethook): ENOMEM  allocate the pool of return hooks', reached: ['6.12'] },
  { site: 'register_fprobe_ips (fgraph): EEXIST  the fprobe is registered', reached: ['7.2'] },
  { site: 'register_fprobe_ips (fgraph): EINVAL  no function is named', reached: ['7.2'] },
  { site: 'register_fprobe_ips (fgraph): ENOMEM  allocate the nodes', reached: ['7.2'] },
  { site: 'register_fprobe_ips (fgraph): ENOENT  not a call site', reached: ['7.2'] },
  {
    site: 'unregister_fprobe (rethook): EINVAL  the fprobe was never registered',
    reached: ['6.12'],
  },
  { site: 'unregister_fprobe (fgraph): EINVAL  the fprobe is not registered', reached: ['7.2'] },
  { site: 'bpf_trampoline_get: ENOMEM  allocate a trampoline', reached: ['6.1', '6.12', '7.2'] },
  { site: 'bpf_kprobe_multi_link_attach: EOPNOTSUPP  no fprobes in this kernel', reached: ['6.1'] },
  {
    site: 'bpf_kprobe_multi_link_attach: EINVAL  a sleepable program',
    reached: ['6.12'],
    seldom: ['7.2'],
  },
  {
    site: 'bpf_kprobe_multi_link_attach: EINVAL  no function is named',
    reached: ['6.12'],
    seldom: ['7.2'],
  },
  {
    site: 'bpf_kprobe_multi_link_attach: ESRCH  ftrace_lookup_symbols() does not find each of them',
    reached: [],
    never: 'links of a search name addresses',
  },
  { site: 'bpf_kprobe_multi_link_attach: EINVAL  a module is going', reached: ['6.12', '7.2'] },
  {
    site: 'bpf_trampoline_multi_attach: EINVAL  the program cannot attach to the function',
    reached: ['7.2'],
  },
  {
    site: 'bpf_trampoline_multi_attach: EOPNOTSUPP  the program cannot attach to the function',
    reached: ['7.2'],
  },
  {
    site: 'bpf_trampoline_multi_attach: ENOENT  the program cannot attach to the function',
    reached: [],
    never: 'a link names functions that exist',
  },
  { site: 'bpf_trampoline_multi_attach: ENOMEM  allocate three hashes', reached: ['7.2'] },
  { site: 'bpf_tracing_prog_attach: ENOMEM  allocate the link', reached: ['6.1', '6.12', '7.2'] },
  {
    site: 'bpf_tracing_prog_attach: EINVAL  a BPF program was its target, and is not named',
    reached: ['6.1', '6.12', '7.2'],
  },
  { site: 'bpf_tracing_prog_attach: ENOENT  its target was unloaded', reached: [], seldom: ['6.1'] },
  {
    site: 'bpf_tracing_prog_attach: EBUSY  multi links have its target',
    reached: [],
    never: 'only a design of multi links that no kernel has keeps functions for itself',
  },
  {
    site: 'bpf_tracing_prog_attach: ENOMEM  multi links have its target',
    reached: [],
    never: 'only a design of multi links that no kernel has keeps functions for itself',
  },
  {
    site: 'bpf_tracing_prog_attach: EBUSY  multi links have the function',
    reached: [],
    never: 'only a design of multi links that no kernel has keeps functions for itself',
  },
  {
    site: 'bpf_tracing_prog_attach: ENOMEM  multi links have the function',
    reached: [],
    never: 'only a design of multi links that no kernel has keeps functions for itself',
  },
  {
    site: '__ftrace_hash_update_ipmodify: EINVAL  the ops would trace every function',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: '__ftrace_hash_update_ipmodify: EBUSY  another IPMODIFY ops has the function',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: '__ftrace_hash_update_ipmodify: EBUSY  the direct call cannot share with IPMODIFY',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_tramp_ftrace_ops_func: EINVAL  no trampoline is known for the site',
    reached: [],
    never: 'the ops of a trampoline has the sites of trampolines only',
  },
  {
    site: 'bpf_tramp_ftrace_ops_func: EBUSY  it should share already',
    reached: [],
    never: 'needs another CPU between the two locks of an update',
  },
  {
    site: 'bpf_tramp_ftrace_ops_func: EAGAIN  the image has to be made again',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_tramp_ftrace_ops_func: EAGAIN  the trampoline is being changed',
    reached: [],
    never: 'needs another CPU, which holds the mutex of the trampoline',
  },
  { site: 'ftrace_startup: ENODEV  ftrace is dead', reached: ['6.1', '6.12', '7.2'] },
  { site: 'ftrace_startup: ENODEV  ftrace died over it', reached: ['6.1', '6.12', '7.2'] },
  { site: '__unregister_ftrace_function: EBUSY  the ops is not enabled', reached: ['6.1', '6.12', '7.2'] },
  {
    site: '__unregister_ftrace_function: EPERM  the ops is not on the list',
    reached: [],
    never: 'an ops that is enabled is on the list',
  },
  { site: 'ftrace_startup_subops: ENODEV  ftrace is dead', reached: ['6.12', '7.2'] },
  { site: 'ftrace_startup_subops: EBUSY  the subops is enabled', reached: ['6.12'], seldom: ['7.2'] },
  {
    site: 'ftrace_startup_subops: ENOMEM  allocate the hashes of the manager',
    reached: ['7.2'],
    seldom: ['6.12'],
  },
  { site: 'ftrace_shutdown_subops: ENODEV  ftrace is dead', reached: ['7.2'], seldom: ['6.12'] },
  {
    site: 'ftrace_shutdown_subops: EINVAL  the subops is not enabled',
    reached: [],
    never: 'a user that is in the array has an enabled subops',
  },
  {
    site: 'append_hashes: ENOMEM  allocate the union of the filters',
    reached: ['6.12'],
  },
  {
    site: 'intersect_hashes: ENOMEM  allocate the intersection of the notrace hashes',
    reached: [],
    seldom: ['6.12'],
  },
  {
    site: 'rebuild_hashes: ENOMEM  allocate the hashes of the manager',
    reached: ['7.2'],
  },
  {
    site: 'ftrace_hash_move_and_update_subops: ENOMEM  allocate the new hash',
    reached: ['7.2'],
    seldom: ['6.12'],
  },
  {
    site: '__bpf_trampoline_link_prog: EBUSY  an extension has the target for itself',
    reached: ['6.12', '7.2'],
    seldom: ['6.1'],
  },
  {
    site: '__bpf_trampoline_link_prog: E2BIG  too many programs',
    reached: [],
    never: 'needs more programs than a sequence has actions; the recordings reach it',
  },
  {
    site: '__bpf_trampoline_link_prog: EBUSY  the program is attached there',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_trampoline_update: ENOMEM  allocate the list of programs',
    reached: ['6.1', '6.12'],
    seldom: ['7.2'],
  },
  {
    site: 'bpf_trampoline_update: ENOMEM  allocate the image',
    reached: ['6.12', '7.2'],
    seldom: ['6.1'],
  },
  { site: 'bpf_trampoline_update: ENOTSUPP  the image cannot be generated', reached: [], seldom: ['6.1'] },
  {
    site: 'bpf_trampoline_update: EFAULT  the image cannot be generated',
    reached: [],
    never: 'needs programs that fill a page; recorded images reach it',
  },
  {
    site: 'bpf_trampoline_update: EINVAL  the image cannot be generated',
    reached: [],
    never: 'loading a program refuses what the generator would',
  },
  {
    site: 'bpf_trampoline_update: EBUSY  the call site cannot be pointed at the image',
    reached: ['6.1', '6.12'],
    seldom: ['7.2'],
  },
  {
    site: 'bpf_trampoline_update: EINVAL  the call site cannot be pointed at the image',
    reached: ['6.1', '7.2'],
  },
  {
    site: 'bpf_trampoline_update: ENODEV  the call site cannot be pointed at the image',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_trampoline_update: ENOMEM  the call site cannot be pointed at the image',
    reached: ['6.1', '6.12'],
    seldom: ['7.2'],
  },
  {
    site: 'bpf_trampoline_update: ENOENT  the call site cannot be pointed at the image',
    reached: [],
    never: 'the target of a trampoline is a call site',
  },
  {
    site: '__register_ftrace_function: EINVAL  the ops was deleted',
    reached: [],
    never: 'needs an ops of a tracing instance that is being removed, which is not modelled',
  },
  {
    site: '__register_ftrace_function: EBUSY  the ops is enabled',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: '__register_ftrace_function: EBUSY  the ops is permanent and kernel.ftrace_enabled is 0',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: '__bpf_trampoline_link_prog (extension): EBUSY  programs are attached to the target',
    reached: ['6.1'],
    seldom: ['6.12', '7.2'],
  },
  {
    site: '__bpf_trampoline_unlink_prog (extension): EBUSY  the call site still calls the extension',
    reached: ['6.12', '7.2'],
    seldom: ['6.1'],
  },
  {
    site: 'register_fentry: ENOENT  its module is going',
    reached: [],
    never: 'needs another CPU, which unloads the module meanwhile',
  },
  { site: 'unregister_fentry: ENODEV  the call site still calls the image', reached: [], seldom: ['7.2'] },
  {
    site: 'unregister_fentry: EINVAL  the call site still calls the image',
    reached: [],
    never: 'a registered direct call of a trampoline has its filter',
  },
  {
    site: 'unregister_fentry: EBUSY  the call site still calls the image',
    reached: [],
    never: 'a registered direct call of a trampoline is enabled',
  },
  { site: 'unregister_fentry: ENOMEM  the call site still calls the image', reached: [], seldom: ['7.2'] },
  {
    site: 'unregister_fentry: ENODEV  the call site could not be changed',
    reached: [],
    seldom: ['6.1', '6.12'],
  },
  {
    site: 'unregister_fentry: EINVAL  the call site could not be changed',
    reached: [],
    never: 'a registered direct call of a trampoline has its filter',
  },
  {
    site: 'unregister_fentry: EBUSY  the call site could not be changed',
    reached: [],
    seldom: ['6.1', '6.12'],
  },
  {
    site: 'bpf_arch_text_poke: EINVAL  it is no text of the kernel, nor of BPF',
    reached: [],
    never: 'a function whose module is gone has no image that could be changed: modules are held',
  },
  {
    site: 'bpf_arch_text_poke: EBUSY  text does not hold the old instruction',
    reached: ['6.1', '6.12', '7.2'],
  },
  { site: 'direct_ops_add: ENOMEM  the filter cannot be set', reached: ['6.12'] },
  { site: 'direct_ops_add: ENODEV  the filter cannot be set', reached: ['6.12'] },
  {
    site: 'direct_ops_add: EINVAL  the filter cannot be set',
    reached: [],
    never: 'the target of a trampoline is a call site',
  },
  {
    site: 'direct_ops_add: EBUSY  the filter cannot be set',
    reached: [],
    never: 'the ops is not enabled when its filter is set',
  },
  {
    site: 'modify_ftrace_direct_nolock: EINVAL  the ops is not direct',
    reached: [],
    never: 'a queried owner is a direct ops',
  },
  {
    site: 'modify_ftrace_direct_nolock: EINVAL  the ops is not enabled',
    reached: [],
    never: 'a queried owner has an enabled ops',
  },
  {
    site: 'tracepoint_add_func: EEXIST  the probe is there',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'tracepoint_remove_func: ENOENT  the tracepoint has no probes',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'allocate_probes: ENOMEM  allocate the new array',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'perf_event_open: ENOMEM  allocate the event',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'perf_event_open: EINVAL  no event has this id',
    reached: [],
    never: 'a search opens events of tracepoints that there are',
  },
  {
    site: 'perf_trace_event_reg: ENOMEM  allocate the lists of events',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'perf_release: EBADF  there is no such event',
    reached: ['6.1', '7.2'],
    seldom: ['6.12'],
  },
  {
    site: '_perf_ioctl: EBADF  there is no such event',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: '_perf_ioctl: EBADF  there is no such program',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_perf_link_attach: EBADF  there is no such program',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_perf_link_attach: EINVAL  it is no program for perf events',
    reached: ['6.1', '6.12'],
    seldom: ['7.2'],
  },
  {
    site: 'bpf_perf_link_attach: EBADF  there is no such event',
    reached: ['6.12', '7.2'],
    seldom: ['6.1'],
  },
  {
    site: 'bpf_perf_link_attach: ENOMEM  allocate the link',
    reached: ['6.1', '6.12'],
    seldom: ['7.2'],
  },
  {
    site: 'perf_event_set_bpf_prog: EINVAL  it is no program for events of tracepoints',
    reached: ['7.2'],
    seldom: ['6.1', '6.12'],
  },
  {
    site: 'perf_event_set_bpf_prog: EINVAL  it may sleep, and the probes of the tracepoint may not',
    reached: ['7.2'],
  },
  {
    site: 'perf_event_set_bpf_prog: EACCES  the program reads after the last field',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'perf_event_attach_bpf_prog: EEXIST  the event has a program',
    reached: ['6.12'],
    seldom: ['6.1', '7.2'],
  },
  {
    site: 'perf_event_attach_bpf_prog: E2BIG  the tracepoint has too many',
    reached: [],
    never: 'a sequence has fewer programs',
  },
  {
    site: 'bpf_prog_array_copy: EEXIST  the program is there',
    reached: ['6.12', '7.2'],
    seldom: ['6.1'],
  },
  {
    site: 'bpf_prog_array_copy: ENOMEM  allocate the new array',
    reached: [],
    seldom: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_raw_tp_link_attach: EBADF  there is no such program',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_raw_tp_link_attach: EINVAL  it is no program for raw tracepoints',
    reached: ['6.1', '6.12', '7.2'],
  },
  {
    site: 'bpf_raw_tp_link_attach: ENOENT  there is no such tracepoint',
    reached: ['6.12', '7.2'],
    seldom: ['6.1'],
  },
  {
    site: 'bpf_raw_tp_link_attach: EINVAL  it may sleep, and the probes of the tracepoint may not',
    reached: ['7.2'],
  },
  {
    site: 'bpf_raw_tp_link_attach: ENOMEM  allocate the link',
    reached: ['6.12'],
    seldom: ['6.1', '7.2'],
  },
  {
    site: 'bpf_raw_tp_link_attach: EINVAL  the program reads after the last argument',
    reached: ['6.1', '6.12', '7.2'],
  },
];
