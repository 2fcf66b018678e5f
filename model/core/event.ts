import type { FunctionName, Ip } from './ids.ts';

/** The actors that can see a call of a traced function, or a hit of a tracepoint. */
export type EventKind =
  | 'body'
  | 'replacement'
  | 'direct'
  | 'ftrace'
  | 'graph entry'
  | 'graph exit'
  | 'kprobe'
  | 'kprobe post'
  | 'kretprobe entry'
  | 'kretprobe'
  | 'fprobe entry'
  | 'fprobe exit'
  | 'kprobe.multi'
  | 'kprobe.multi return'
  | 'program'
  | 'extension'
  | 'xdp program'
  | 'tracepoint probe';

/**
 * One observation of a call by one client, read off the run of the machine code. Words are hexadecimal text.
 */
export interface CallEvent {
  readonly kind: EventKind;
  /** The client: `ops#1`, `my_tramp1`, `prog#2`; the function itself for its body. */
  readonly who: string;
  /** The traced function that the event belongs to. */
  readonly fn: FunctionName;
  /** Argument words as the client sees them. */
  readonly args?: readonly string[];
  /** The return value that it sees. */
  readonly ret?: string;
  readonly cookie?: string;
  /**
   * Of a tracepoint's probe: the object that it was given as its data. Of a handler of function graph: the `fgraph_ops`
   * that it was given, if those are not its own.
   */
  readonly data?: string;
  /** Of a perf event on a kprobe: the program that ran. */
  readonly prog?: string;
  /** Of an fprobe: the word that its entry handler leaves, or its exit handler finds, in its entry data. */
  readonly entryData?: string;
  /** Offset of bpf_get_func_ip()'s result from the function, if it was called. */
  readonly ip?: Ip;
  /** It is the half of a session on a trampoline that runs at the return. */
  readonly atReturn?: boolean;
  /** Where a direct trampoline will return to: `f2+0x9`, `replacement`. */
  readonly returnsTo?: string;
}
