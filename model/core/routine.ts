import type { Errno } from './errno.ts';
import type { Flavour, Locals, Name, Part, Question, Routine } from './part.ts';
import type { DeepReadonly } from './readonly.ts';
import type { Ended, World, WorldView } from './world.ts';
import { fails } from './world.ts';

/**
 * The words in which a kernel function is written, for a state S and locals L (its arguments first of all). A
 * routine reads top to bottom like the function; what it does at a refusal (unlocking, rollback) is said by where a
 * part stands, not repeated.
 */
export interface RoutineWords<S, L> {
  /**
   * One atomic change of the state. With `once` it waits until that holds: for other CPUs, which an operation that runs
   * alone never has to wait for.
   */
  step(id: string, run: (k: S, locals: L) => void, once?: (k: DeepReadonly<S>, locals: L) => boolean): Part;
  /** A return site: refuses with this errno when the condition holds, which may warn as `if (WARN_ON(…))` does. */
  refuse(errno: Errno, why: string, when: (k: S, locals: L) => boolean): Part;
  /** Several refusals that are one expression in the kernel. */
  refuseWith(errnos: readonly Errno[], why: string, find: (k: S, locals: L) => Errno | undefined): Part;
  /** Memory is needed: ENOMEM when the failure of this function's next allocation was ordered. */
  allocate(what: string): Part;
  /** Returns 0 when the condition holds, which may warn. */
  finish(why: string, when: (k: S, locals: L) => boolean): Part;
  /** The parts run with a lock held; it is released however they end. */
  holding(lock: string | ((k: DeepReadonly<S>, locals: L) => string), parts: readonly Part[]): Part;
  /** The parts run with the lock if it is free, and `busy` if it is not. */
  trying(
    lock: string | ((k: DeepReadonly<S>, locals: L) => string),
    parts: readonly Part[],
    busy: readonly Part[],
  ): Part;
  when(
    id: string,
    when: (k: DeepReadonly<S>, locals: L) => boolean,
    parts: readonly Part[],
    otherwise?: readonly Part[],
  ): Part;
  /** The parts once for each item of a list that is taken at the start. */
  each<T>(
    id: string,
    list: (k: DeepReadonly<S>, locals: L) => readonly T[],
    take: (locals: L, item: T) => void,
    parts: readonly Part[],
  ): Part;
  /** The parts, repeated as long as the condition holds after them. */
  again(id: string, when: (k: DeepReadonly<S>, locals: L) => boolean, parts: readonly Part[]): Part;
  /** Another routine; its errno ends this one too, unless `take` takes it. */
  call<A>(
    routine: Routine<S, A>,
    give: (k: DeepReadonly<S>, locals: L) => A,
    take?: (k: S, locals: L, errno: Ended) => void,
  ): Part;
  /** A callback that a client of a lower layer supplied (`ops->ops_func`): a routine bound by name at link time. */
  upcall(
    name: string,
    give: (k: DeepReadonly<S>, locals: L) => object,
    take?: (k: S, locals: L, errno: Ended) => void,
  ): Part;
  /**
   * A call through a pointer (`ops->func`): the routine that `choose` names when execution gets there, of those
   * that there are when the kernel is linked.
   */
  indirect<A>(
    id: string,
    routines: () => Readonly<Record<string, Routine<S, A>>>,
    choose: (k: DeepReadonly<S>, locals: L) => string,
    give: (k: DeepReadonly<S>, locals: L) => A,
  ): Part;
  /** If one of the parts is refused, `rollback` runs, and then the refusal propagates outward. */
  attempt(parts: readonly Part[], rollback: readonly Part[]): Part;
  /** Waits for a grace period, and until the condition holds: what does not end by itself ends then. */
  wait(flavour: Flavour, over?: (k: DeepReadonly<S>, locals: L) => boolean): Part;
  /** Hands a routine to a grace period or work queue; it runs when this operation has ended. */
  defer<A>(id: string, routine: Routine<S, A>, give: (k: DeepReadonly<S>, locals: L) => A | undefined): Part;
  /** The same for memory that only calls read: between two operations that run one after the other there is none. */
  reclaim<A>(
    id: string,
    routine: Routine<S, A>,
    give: (k: DeepReadonly<S>, locals: L) => A | undefined,
  ): Part;
}

/**
 * A kernel function by its name: who calls it gives the arguments A, and its parts see the locals L, with what
 * its steps have assigned besides. The parts are written with the words that they are given, when they are first
 * asked for: routines may call what stands further down in a file.
 */
export function routine<S, A, L extends A = A>(
  name: string,
  write: (words: RoutineWords<S, L>) => readonly Part[],
): Routine<S, A> {
  let parts: readonly Part[] | undefined;
  return {
    name,
    get parts() {
      parts ??= write(wordsOf(name) as unknown as RoutineWords<S, L>);
      return parts;
    },
  };
}

/** The meaning of each word, for the routine of this name. One table on purpose: it defines the words. */
function wordsOf(name: string): RoutineWords<World, Locals> {
  return {
    step: (id, run, once) => ({ kind: 'step', id, run, once: once as Question | undefined }),
    refuse: (errno, id, when) => ({
      kind: 'refuse',
      id,
      errnos: [errno],
      find: (k, locals) => (when(k, locals) ? errno : undefined),
    }),
    refuseWith: (errnos, id, find) => ({ kind: 'refuse', id, errnos, find }),
    allocate: (what) => ({
      kind: 'allocate',
      id: `allocate ${what}`,
      lacks: (k) => fails(k, 'allocation', name),
    }),
    finish: (id, when) => ({ kind: 'finish', id, when }),
    holding: (lock, parts) => ({ kind: 'hold', id: lockId(lock), lock, parts }),
    trying: (lock, parts, busy) => ({ kind: 'try', id: `try ${lockId(lock)}`, lock, parts, busy }),
    when: (id, when, parts, otherwise = []) => ({ kind: 'when', id, when, parts, otherwise }),
    each: (id, list, take, parts) => ({
      kind: 'each',
      id,
      list,
      take: take as (locals: Locals, item: unknown) => void,
      parts,
    }),
    again: (id, when, parts) => ({ kind: 'again', id, when, parts }),
    call: (callee, give, take) => ({
      kind: 'call',
      id: callee.name,
      routine: callee as Routine,
      give: give as (k: WorldView, locals: Locals) => Locals,
      take,
    }),
    upcall: (upcall, give, take) => ({
      kind: 'call',
      id: upcall,
      routine: upcall,
      give: give as (k: WorldView, locals: Locals) => Locals,
      take,
    }),
    indirect: (id, routines, choose, give) => ({
      kind: 'indirect',
      id,
      routines: routines as unknown as () => Readonly<Record<string, Routine>>,
      choose,
      give: give as (k: WorldView, locals: Locals) => Locals,
    }),
    attempt: (parts, rollback) => ({ kind: 'attempt', id: 'attempt', parts, rollback }),
    wait: (flavour, over = () => true) => ({ kind: 'wait', id: `wait for ${flavour}`, flavour, over }),
    defer: (id, later, give) => handOver(id, later.name, give as Give),
    reclaim: (id, later, give) => handOver(id, later.name, give as Give, { reclaims: true }),
  };
}

type Give = (k: WorldView, locals: Locals) => Locals | undefined;

/** A step that hands a routine over to the background, unless it has nothing to work on. */
function handOver(id: string, later: string, give: Give, how: { readonly reclaims?: true } = {}): Part {
  return {
    kind: 'step',
    id,
    later,
    run: (k, locals) => {
      // `undefined` is a NULL pointer: the kernel does not call call_rcu() for it.
      const args = give(k, locals);
      if (args !== undefined) k.deferred.push({ routine: later, args, ...how });
    },
  };
}

function lockId(lock: Name): string {
  return typeof lock === 'string' ? `lock ${lock}` : 'lock';
}
