import type { FprobeId, FunctionName, OpsId } from './ids.ts';
import type { KernelObject } from './kernel-object.ts';
import type { Whereabouts } from './whereabouts.ts';

/** What the kernel's own functions crash of. `by` is the function that follows the pointer; empty: any may. */
interface OopsCauses {
  'use after free': { readonly object: KernelObject; readonly by: string };
  /** The same, of machine code that reads. */
  'read of freed data': { readonly object: KernelObject; readonly by: string };
  /** An ops that is on the list and has lost its func. */
  'ops without func': { readonly ops: OpsId };
  'fprobe without exit handler': { readonly fprobe: FprobeId };
  'function without metadata': { readonly address: string };
  'direct_ops without filter': object;
  /** bpf_trampoline_update() of a trampoline that has no image any more. */
  'trampoline without image': object;
  'reused kprobe': object;
  'reused fprobe': object;
  /** ops_func is called for a direct call that belongs to no trampoline. */
  'no trampoline': { readonly target: FunctionName };
  'lost return': object;
  'torn instruction': { readonly place: string; readonly bytes: string };
  'unknown int3': { readonly place: string };
}

/** Why the machine refuses an access. */
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

/** What machine code crashes of, and where. */
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
    readonly why: 'unmapped' | 'not aligned' | 'not writable';
    readonly at: Whereabouts;
  };
  /** After how many instructions it was given up; undefined: before it came to the next point of its call. */
  endless: { readonly at: Whereabouts; readonly instructions: number | undefined };
  /** Code that was called through a pointer returns with another stack pointer. */
  'lost stack': object;
  /** The bytes at which a task resumes belong to something else by now. */
  'written over': { readonly at: Whereabouts };
}

interface Crashes extends OopsCauses, CodeCauses {
  /** A lock was asked for that is held: the task waits for ever. */
  deadlock: { readonly routine: string; readonly lock: string; readonly holder: string };
}

/** Why nothing that follows means anything; with a kind, a crash of that kind. */
export type Crash<K extends keyof Crashes = keyof Crashes> = {
  [P in K]: { readonly is: P } & Crashes[P];
}[K];

export type OopsCause = Crash<keyof OopsCauses>;
export type CodeCause = Crash<keyof CodeCauses>;
