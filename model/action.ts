import type { Fault } from './core/world.ts';
import type { DirectHash } from './ftrace/direct-hash.ts';
import type { Program } from './trampoline/program.ts';
import type { BpfProg } from './trampoline/world.ts';
import type { Word } from './x86/word.ts';

/**
 * Every call that a client can make, as plain data. Objects are the client's own and have names (`ops#1`, `prog#2`);
 * one that does not exist is not an error of the action but something that the kernel, or the client, refuses.
 */
export type Action =
  /** Fresh memory for an ops: with a handler and flags, or empty for a direct call. */
  | { readonly do: 'ftrace_ops'; readonly ops: string; readonly flags: number; readonly direct: boolean }
  | {
      readonly do: 'ftrace_set_filter_ip';
      readonly ops: string;
      readonly ip: string;
      readonly remove: boolean;
      readonly reset: boolean;
    }
  | { readonly do: 'ftrace_set_notrace'; readonly ops: string; readonly ip: string; readonly reset: boolean }
  | { readonly do: 'ftrace_free_filter'; readonly ops: string }
  | { readonly do: 'register_ftrace_function'; readonly ops: string }
  | { readonly do: 'unregister_ftrace_function'; readonly ops: string }
  | { readonly do: 'register_ftrace_direct'; readonly ops: string; readonly addr: string }
  | { readonly do: 'modify_ftrace_direct'; readonly ops: string; readonly addr: string }
  | {
      readonly do: 'unregister_ftrace_direct';
      readonly ops: string;
      readonly addr: string;
      readonly freeFilters: boolean;
    }
  | { readonly do: 'register_ftrace_direct(ip)'; readonly ip: string; readonly addr: string }
  | {
      readonly do: 'modify_ftrace_direct(ip)';
      readonly ip: string;
      readonly oldAddr: string;
      readonly newAddr: string;
    }
  | { readonly do: 'unregister_ftrace_direct(ip)'; readonly ip: string; readonly addr: string }
  | { readonly do: 'update_ftrace_direct_add'; readonly ops: string; readonly hash: DirectHash }
  | { readonly do: 'update_ftrace_direct_del'; readonly ops: string; readonly hash: DirectHash }
  | { readonly do: 'update_ftrace_direct_mod'; readonly ops: string; readonly hash: DirectHash }
  /** The tracing directory's set_ftrace_filter. */
  | { readonly do: 'set_ftrace_filter'; readonly ip: string; readonly remove: boolean }
  | { readonly do: 'register_ftrace_graph'; readonly gops: string }
  | { readonly do: 'unregister_ftrace_graph'; readonly gops: string }
  | { readonly do: 'register_kprobe'; readonly kprobe: string; readonly ip: string; readonly post: boolean }
  | { readonly do: 'unregister_kprobe'; readonly kprobe: string }
  | {
      readonly do: 'register_kretprobe';
      readonly kretprobe: string;
      readonly ip: string;
      readonly maxactive: number;
      readonly entryHandler: boolean;
    }
  | { readonly do: 'unregister_kretprobe'; readonly kretprobe: string }
  | {
      readonly do: 'register_fprobe_ips';
      readonly fprobe: string;
      readonly ips: readonly string[];
      readonly entry: boolean;
      readonly exit: boolean;
    }
  | { readonly do: 'unregister_fprobe'; readonly fprobe: string }
  | {
      readonly do: 'tracepoint_probe_register_prio';
      readonly tracepoint: string;
      readonly func: string;
      readonly data: string;
      readonly prio: number;
    }
  | {
      readonly do: 'tracepoint_probe_unregister';
      readonly tracepoint: string;
      readonly func: string;
      readonly data: string;
    }
  /** The memory of an ops, a user of function graph, a kprobe, a kretprobe or an fprobe is given back. */
  | { readonly do: 'kfree'; readonly object: string }
  | {
      readonly do: 'BPF_PROG_LOAD';
      readonly program: Program;
      readonly target: string;
      readonly probe: BpfProg['probe'];
      readonly returns: Word;
    }
  | {
      readonly do: 'BPF_LINK_CREATE';
      readonly link: string;
      readonly prog: number;
      readonly targets: readonly string[];
    }
  | {
      readonly do: 'BPF_RAW_TRACEPOINT_OPEN';
      readonly link: string;
      readonly prog: number;
      /** Absent: the program is for tracing, and has its target already. */
      readonly tracepoint?: string;
    }
  | { readonly do: 'close(link)'; readonly link: string }
  | { readonly do: 'close(prog)'; readonly prog: number }
  | { readonly do: 'init_module'; readonly module: string }
  | { readonly do: 'delete_module'; readonly module: string }
  | { readonly do: 'kernel.ftrace_enabled'; readonly value: boolean }
  /** The next allocation, or the next poke, in a function fails. */
  | { readonly do: 'fail'; readonly fault: Fault }
  /** Time passes: everything that waits for a grace period goes on. */
  | { readonly do: 'settle' }
  | {
      readonly do: 'call';
      readonly fn: string;
      readonly registers: readonly Word[];
      readonly stack: readonly Word[];
    };

/** An action of one kind. */
export type ActionOf<D extends Action['do']> = Extract<Action, { readonly do: D }>;
