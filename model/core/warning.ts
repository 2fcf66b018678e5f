import type { Errno } from './errno.ts';
import type { CodeName, FunctionName, Ip, OpsId, ProgId } from './ids.ts';

/*
 * A WARN is no crash: the operation continues. Those of ftrace that are FTRACE_WARN_ON() call ftrace_kill() as
 * well, after which each call of ftrace answers ENODEV until the next boot; they are marked *kills ftrace*.
 */

/** WARNs of the kernel: what each is about, and whom it names. `by` is the function, where several warn alike. */
interface Warnings {
  /**
   * ftrace_bug(): text is not what its record says, found by ftrace_verify_code() before a poke. Kills ftrace.
   */
  'ftrace bug': { readonly ip: Ip };
  /**
   * __ftrace_hash_rec_update(): the count of a record reaches FTRACE_REF_MAX, and would spill into the flags.
   * Kills ftrace.
   */
  'too many references': object;
  /** The same function, counting down a record at 0. Kills ftrace. */
  'no reference to lose': object;
  /**
   * ftrace_get_addr_new() and ftrace_get_addr_curr(): the record is direct, or its site calls directly, and the
   * table does not have it.
   */
  'direct record not in table': { readonly inEffect: boolean };
  /**
   * The same two functions: a record has a trampoline, or its site calls one, and no ops has it. Kills ftrace.
   */
  'no trampoline of the record': { readonly inEffect: boolean };
  /**
   * __ftrace_hash_update_ipmodify(): a direct ops joins a record that is IPMODIFY and direct already. Kills
   * ftrace.
   */
  'direct already': { readonly ip: Ip };
  /** __ftrace_ops_list_func(): a walk of the list meets it, and skips the rest. Kills ftrace. */
  'ops without func': { readonly ops: OpsId };
  /** ftrace_shutdown(): the list of ops is empty, and a record has flags left. Kills ftrace. */
  'flags without ops': object;
  /**
   * referenced_filters(): the filter of a direct or IPMODIFY ops names a function of a module that is loaded
   * now.
   */
  'waits for a loaded function': { readonly ops: OpsId; readonly ip: Ip };
  /** register_ftrace_direct(ip, addr) until 6.3: the record has the flag, and the table has no entry. */
  'direct site not in table': { readonly ip: Ip };
  /** unregister_ftrace_direct(ip, addr) until 6.3: the entry was made by an ops of a client. */
  'not in direct_ops': { readonly ip: Ip };
  /** The same interface: the address that was given has no `struct ftrace_direct_func`. */
  'no descriptor': {
    readonly addr: CodeName;
    readonly by: 'unregister_ftrace_direct' | 'modify_ftrace_direct';
  };
  /** unregister_ftrace_direct(ip, addr) until 6.3: no site had used the descriptor. */
  'descriptor below zero': { readonly addr: CodeName };
  'direct record and table disagree': { readonly ip: Ip };
  /** register_ftrace_graph() of 7.2; 6.12 overwrites the index of the user without a check. */
  'graph ops registered again': object;
  /**
   * __disarm_kprobe_ftrace(): unregister_ftrace_function() of the shared ops has failed, and the probe stays
   * armed.
   */
  'kprobe ops not unregistered': object;
  /** optimize_kprobe(): a kprobe that waits to be freed is queued to be optimised. */
  'optprobe on a list': { readonly ip: Ip };
  'kprobe not disarmed': { readonly ip: Ip };
  'kprobe registered again': object;
  /**
   * ftrace_startup_subops(), and below ftrace_shutdown_subops(): a user of function graph whose state was
   * overwritten.
   */
  'enabled subops started': object;
  'subops not enabled': object;
  /** __ftrace_hash_update_ipmodify(): the ops has both flags; its answer is 0, and no record is marked. */
  'ipmodify and direct': object;
  /** __register_ftrace_function() answers EBUSY, and __unregister_ftrace_function() below does. */
  'enabled ops registered': object;
  'ops not enabled': object;
  'filter of an enabled ops freed': object;
  /** fprobe_return() of 7.2: the frame has no fprobe in it. */
  'unwanted return': object;
  'return not on the shadow stack': object;
  'negative start_up': object;
  /** tracepoint_add_func() answers EEXIST; raw tracepoint links come without the WARN (may_exist). */
  'probe there already': { readonly func: string; readonly tracepoint: string };
  'no probes': { readonly tracepoint: string };
  /** notifier_chain_register(). */
  'notifier there already': { readonly notifier: string };
  /**
   * bpf_tramp_image_put() and, below, the skipping of a program: the poke of an image fails, and tasks in it
   * run on.
   */
  'image not patched': object;
  'program not skipped': object;
  'no extension': { readonly target: FunctionName };
  /** __might_resched(): a sleepable program runs where a task must not sleep. */
  'sleep in an atomic section': { readonly prog: ProgId };
  /** bpf_tramp_ftrace_ops_func(): a trampoline joins a live patch, and its flags say that it shares already. */
  'shares already': object;
  /** __arch_prepare_bpf_trampoline(): WARN_ON_ONCE() before EFAULT. */
  'image outgrows its page': { readonly target: FunctionName };
  /** fprobe_graph_add_ips(): register_ftrace_graph() of the user that fprobes share has failed. */
  'graph user of fprobes refused': object;
  /** fprobe_module_callback(): the functions of the module stay in the filters. */
  'no array of addresses': object;
  /** bpf_trampoline_put() of 6.1 and 6.12, with the last reference: a client is changing the trampoline. */
  'put with its mutex locked': { readonly target: FunctionName };
  /**
   * bpf_trampoline_put() of the last reference: programs are attached that nothing holds, so the trampoline is
   * leaked.
   */
  'put with programs': { readonly target: FunctionName };
  'program not taken off': { readonly errno: Errno; readonly by: string };
  'multi link not taken off': { readonly errno: Errno; readonly by: string };
  'multi link keeps its sites': object;
  'split trampoline not made': { readonly targets: readonly FunctionName[]; readonly errno: Errno };
  'metadata without users': object;
  'no metadata': { readonly target: FunctionName };
}

/** A WARN line, as a fact; with a kind, one of that kind. */
export type Warning<K extends keyof Warnings = keyof Warnings> = {
  [P in K]: { readonly is: P } & Warnings[P];
}[K];
