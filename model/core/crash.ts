import type { FprobeId, FunctionName, KretprobeId, OpsId, ProgId } from './ids.ts';
import type { KernelObject } from './kernel-object.ts';
import type { Whereabouts } from './whereabouts.ts';

/*
 * The ways in which a modelled kernel stops. Some are found by the routine that follows the pointer, others by
 * the machine that executes the code; both are facts with the objects that they name, which laws and known
 * breaches compare. The sentences are in `crash-words.ts`.
 */

/** Crashes of the kernel's own functions. `by` is the function that follows the pointer; empty: any may. */
interface OopsCauses {
  'use after free': { readonly object: KernelObject; readonly by: string };
  /** The same, of machine code that reads. */
  'read of freed data': { readonly object: KernelObject; readonly by: string };
  /**
   * An ops that has lost its func: arch_ftrace_update_trampoline() follows it, or a walk of the list reads it
   * again for the call, after its own check has passed.
   */
  'ops without func': { readonly ops: OpsId };
  /**
   * register_ftrace_function() and unregister_ftrace_function() follow the filter of an IPMODIFY ops that has none: either pointer is
   * NULL.
   */
  'ops without filter hash': { readonly ops: OpsId; readonly pointer: 'func_hash' | 'filter_hash' };
  /** fprobe_return() of 7.2 calls the handler of an fprobe that was registered again without one. */
  'fprobe without exit handler': { readonly fprobe: FprobeId };
  /** The callback of a link on function graph, as its static call is patched, gets the stub for its `fgraph_ops`. */
  'fgraph_stub for a link': object;
  /** The series of July 2025: bpf_global_caller_run() does not check the result of kfunc_md_get_rcu(). */
  'function without metadata': { readonly address: string };
  /**
   * unregister_ftrace_direct(ip, addr) until 6.3, before any call of the same interface: `filter_hash` is NULL.
   */
  'direct_ops without filter': object;
  /** intersect_hashes() of 6.12 does not check its second allocation, and intersect_hash() adds a function to that hash. */
  'hash without memory': object;
  /** bpf_trampoline_update() of a trampoline that has no image any more. */
  'trampoline without image': object;
  /** rethook_try_get() of a kretprobe that is in the table, while the registration that made its pool was refused. */
  'kretprobe without pool': { readonly kretprobe: KretprobeId };
  /** kprobe_dispatcher() of a perf event that was closed: its `struct trace_kprobe` has no event any more. */
  'probe without event': { readonly event: string };
  /**
   * A client took a kprobe for unregistered and used its memory again: `list.next` of the aggregate is gone.
   */
  'reused kprobe': object;
  /**
   * An fprobe of 6.12 that was freed with its kprobe.multi link, while its ops is on the list of a dead ftrace.
   */
  'reused fprobe': object;
  /** bpf_tracing_prog_attach() computes the key of a target that is a BPF program: `prog->aux->attach_btf` is NULL. */
  'target without BTF': { readonly target: FunctionName };
  /**
   * A program of kprobe.multi on the perf event of a kprobe asks for its cookie: trace_call_bpf() has set a shorter run context
   * than the helper follows.
   */
  'run context of an event': { readonly prog: ProgId; readonly field: 'link' | 'data' };
  /** A walk of `fprobe_ip_table` follows the fprobe of a node that has been cleared. */
  'node without fprobe': { readonly by: string };
  /** A walk of `fgraph_array` takes the stub for a user: its ops has no `func_hash`. */
  'fgraph_stub without hash': object;
  /** ops_func is called for a direct call that belongs to no trampoline. */
  'no trampoline': { readonly target: FunctionName };
  /**
   * The shadow stack has no frame for the return: ftrace_pop_return_trace() answers panic() as the address,
   * because the task cannot continue anywhere.
   */
  'lost return': object;
  /** A frame or its data does not fit the shadow stack, and overwrites the task variables at its end. */
  'shadow stack overflows': object;
  /**
   * A CPU has fetched bytes of the instruction before and of the one after a change, without an int3 between.
   */
  'torn instruction': { readonly place: string; readonly bytes: string };
  /** A breakpoint that no handler claims any more: text_poke's was removed while the trap was on its way. */
  'unknown int3': { readonly place: string };
  /** The int3 handler searches a batch of text pokes whose entries are gone: text_poke_bp_batch() has not waited for it. */
  'retired batch': { readonly place: string };
}

/**
 * Why the machine refuses an access. `below the stack pointer` has no counterpart in hardware: the kernel has
 * no red zone, and an interrupt would overwrite what is there.
 */
type Refusal =
  | 'unmapped'
  | 'not readable'
  | 'not writable'
  | 'not executable'
  | 'below the stack pointer'
  | 'undefined address'
  | 'undefined branch'
  | 'breakpoint trap'
  | 'invalid opcode';

/** Exceptions of our own: a routine uses something that is gone, or is not there. */
interface ExceptionCauses {
  /** Its name and its message, and the file of the routine. */
  exception: { readonly error: string; readonly file: string };
}

/** Crashes of machine code, each with its place. */
interface CodeCauses {
  fault: {
    readonly why: Refusal;
    readonly access: 'read' | 'write' | 'execute';
    readonly place: Whereabouts;
    readonly bytes: number;
    readonly at: Whereabouts;
    /** The function in C that has just returned there; empty: none has. */
    readonly behind: string;
  };
  'bad address': {
    readonly access: 'read' | 'write';
    readonly place: Whereabouts;
    readonly why: 'unmapped' | 'not aligned' | 'not readable' | 'not writable';
    readonly at: Whereabouts;
  };
  /** After how many instructions it was given up; undefined: before it came to the next point of its call. */
  endless: { readonly at: Whereabouts; readonly instructions: number | undefined };
  /** Code that was called through a pointer returns with another stack pointer. */
  'lost stack': object;
  /** The bytes at which a task resumes belong to something else by now. */
  'written over': { readonly at: Whereabouts };
}

interface Crashes extends OopsCauses, CodeCauses, ExceptionCauses {
  /** A lock was asked for that is held: the task waits for ever. */
  deadlock: { readonly routine: string; readonly lock: string; readonly holder: string };
}

/** Why nothing that follows means anything; with a kind, a crash of that kind. */
export type Crash<K extends keyof Crashes = keyof Crashes> = {
  [P in K]: { readonly is: P } & Crashes[P];
}[K];

export type OopsCause = Crash<keyof OopsCauses>;
export type CodeCause = Crash<keyof CodeCauses>;
