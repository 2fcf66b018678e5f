import type { Errno } from './errno.ts';
import type { World, WorldView } from './world.ts';

/** The arguments and local variables of a routine that is being executed: plain data. */
export type Locals = Record<string, unknown>;

/** Functions of a routine: over the kernel's state and its own locals. A question may not write. */
export type Change = (k: World, locals: Locals) => void;
export type Question = (k: WorldView, locals: Locals) => boolean;

/** Flavours of grace periods, and other things that are waited for. */
export type Flavour = 'rcu' | 'rcu_tasks' | 'rcu_tasks_rude' | 'rcu_tasks_trace' | 'percpu_ref' | 'workqueue';

/**
 * A routine is a tree of these, one for each thing that the kernel function does. Each has an id that is its own
 * in its routine, by which planted bugs, costs and traces know it; what it is, is its kind. `link.ts` lays the
 * tree out as a flat list of instructions.
 */
export type Part =
  // Atomic: other actors see the state before or after it. What they may see in between is two steps.
  | {
      readonly kind: 'step';
      readonly id: string;
      readonly run: Change;
      /** Until this holds, the step waits: for other CPUs to get somewhere, as an IPI does. */
      readonly once?: Question | undefined;
      /** The routine that it hands to a grace period or work queue. */
      readonly later?: string;
    }
  | {
      readonly kind: 'refuse';
      readonly id: string;
      /** The errnos that this return site may give. */
      readonly errnos: readonly Errno[];
      readonly find: (k: World, locals: Locals) => Errno | undefined;
    }
  /** Memory is needed; without it the routine ends with ENOMEM. */
  | { readonly kind: 'allocate'; readonly id: string; readonly lacks: (k: World) => boolean }
  // An early `return 0`. Locks around it are released, and nothing is rolled back.
  | { readonly kind: 'finish'; readonly id: string; readonly when: (k: World, locals: Locals) => boolean }
  | { readonly kind: 'hold'; readonly id: string; readonly lock: Name; readonly parts: readonly Part[] }
  | {
      // mutex_trylock(): used where the order of locks is against the caller, as in
      // bpf_tramp_ftrace_ops_func().
      readonly kind: 'try';
      readonly id: string;
      readonly lock: Name;
      readonly parts: readonly Part[];
      readonly busy: readonly Part[];
    }
  | {
      readonly kind: 'when';
      readonly id: string;
      readonly when: Question;
      readonly parts: readonly Part[];
      readonly otherwise: readonly Part[];
    }
  | {
      readonly kind: 'each';
      readonly id: string;
      readonly list: (k: World, locals: Locals) => readonly unknown[];
      readonly take: (locals: Locals, item: unknown) => void;
      readonly parts: readonly Part[];
    }
  | {
      readonly kind: 'again';
      readonly id: string;
      readonly when: Question;
      readonly parts: readonly Part[];
    }
  | {
      readonly kind: 'call';
      readonly id: string;
      /** The routine, or the name of an upcall that is bound when a program is linked. */
      readonly routine: Routine | string;
      readonly give: (k: WorldView, locals: Locals) => Locals;
      /** Takes the callee's errno (0 for success); without it an errno ends the caller as well. */
      readonly take: ((k: World, locals: Locals, errno: Errno | 0) => void) | undefined;
    }
  | {
      // A pointer to a function. All that it may point to is laid out when the program is linked.
      readonly kind: 'indirect';
      readonly id: string;
      /** Targets that exist when this is linked, by their names; none of them gives anything back. */
      readonly routines: () => Readonly<Record<string, Routine>>;
      readonly choose: (k: WorldView, locals: Locals) => string;
      readonly give: (k: WorldView, locals: Locals) => Locals;
    }
  | {
      readonly kind: 'attempt';
      readonly id: string;
      readonly parts: readonly Part[];
      /** The rollback when one of the parts is refused. */
      readonly rollback: readonly Part[];
    }
  | {
      readonly kind: 'wait';
      readonly id: string;
      readonly flavour: Flavour;
      readonly over: Question;
    };

/** A lock's name, or how it follows from the locals. */
export type Name = string | ((k: WorldView, locals: Locals) => string);

/** A kernel function as steps. */
export interface Routine<S = never, A = never> {
  readonly name: string;
  readonly parts: readonly Part[];
  /** Never there: binds the types of the state and of the arguments. */
  readonly types?: (k: S, args: A) => void;
}
