import type { Errno } from './errno.ts';
import type { CodeName, FunctionName, Ip, OpsId } from './ids.ts';

/** WARNs of the kernel: what each is about, and whom it names. `by` is the function, where several warn alike. */
interface Warnings {
  /** ftrace_bug(): text is not what its record says. */
  'ftrace bug': { readonly ip: Ip };
  'too many references': object;
  'no reference to lose': object;
  /** The record is direct, or its site calls directly, and the table does not have it. */
  'direct record not in table': { readonly inEffect: boolean };
  /** A record has a trampoline, or its site calls one, and no ops has it. */
  'no trampoline of the record': { readonly inEffect: boolean };
  'direct already': { readonly ip: Ip };
  'ops without func': { readonly ops: OpsId };
  'flags without ops': object;
  'waits for a loaded function': { readonly ops: OpsId; readonly ip: Ip };
  'direct site not in table': { readonly ip: Ip };
  'not in direct_ops': { readonly ip: Ip };
  'no descriptor': {
    readonly addr: CodeName;
    readonly by: 'unregister_ftrace_direct' | 'modify_ftrace_direct';
  };
  'direct record and table disagree': { readonly ip: Ip };
  'graph ops registered again': object;
  'kprobe ops not unregistered': object;
  'kprobe not disarmed': { readonly ip: Ip };
  'kprobe registered again': object;
  'enabled subops started': object;
  'subops not enabled': object;
  'ipmodify and direct': object;
  'enabled ops registered': object;
  'ops not enabled': object;
  'unwanted return': object;
  'return not on the shadow stack': object;
  'negative start_up': object;
  'probe there already': { readonly func: string; readonly tracepoint: string };
  'no probes': { readonly tracepoint: string };
  'image not patched': object;
  'program not skipped': object;
  'no extension': { readonly target: FunctionName };
  'shares already': object;
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
