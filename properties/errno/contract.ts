import type { Action } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { FunctionName, Ip } from '../../model/core/ids.ts';
import type { Profile } from '../../model/core/profile.ts';

/*
 * What the description of a call says of its refusals. A condition is computed from what clients were promised, from the
 * functions and tracepoints that are declared, and from the behaviours of a kernel: never from its routines or its state.
 */

/** A call, and what is known when it is made. */
export interface AskedCall<A> {
  readonly action: A;
  readonly promised: Promises;
  readonly profile: Profile;
  readonly declared: DeclaredInKernel;
}

/** What a kernel was built with, and every client can look up. */
export interface DeclaredInKernel {
  /** Whether an instruction of a body begins at an address where a breakpoint may be put. */
  readonly isInstruction: (ip: Ip) => boolean;
  /** The words that the arguments of a function take. */
  readonly argumentWords: (fn: FunctionName) => number;
  /** The tracepoints by name: how many arguments each has, and whether its probes may fault. */
  readonly tracepoints: Readonly<Record<string, { readonly arguments: number; readonly faultable: boolean }>>;
  /** Multi links are users of function graph. */
  readonly multiLinksOnGraph: boolean;
}

/** Whether a condition holds; perhaps: promises do not say it, and the kernel may refuse or not. */
export type Holds = boolean | 'perhaps';

/** A condition under which a call is refused, and the errno that says so. */
export interface ReasonToRefuse<A> {
  readonly errno: Errno;
  /** In the words of the call's description, as reports print it. */
  readonly because: string;
  readonly holds: (asked: AskedCall<A>) => Holds;
}

/**
 * The reasons of a call, by precedence: those of one stage come before those of the next. Of several that hold in one
 * stage any is right.
 */
export interface CallErrnos<A extends Action> {
  readonly stages: readonly (readonly ReasonToRefuse<A>[])[];
}

export function reason<A>(
  errno: Errno,
  because: string,
  holds: ReasonToRefuse<A>['holds'],
): ReasonToRefuse<A> {
  return { errno, because, holds };
}

/** One condition that decides another: it is only asked where the first one holds. */
export function perhapsIf(condition: boolean): Holds {
  return condition ? 'perhaps' : false;
}

/** What a call may answer. */
export interface Allowed {
  readonly errnos: readonly Errno[];
  /** Why it has to be refused; undefined: it may be accepted. */
  readonly because: string | undefined;
}

/** The answers that the reasons allow: no errno of a stage after the first that has to refuse. */
export function allowedBy<A extends Action>({ stages }: CallErrnos<A>, asked: AskedCall<A>): Allowed {
  const errnos: Errno[] = [];
  for (const stage of stages) {
    const held = stage
      .map((own) => ({ own, holds: own.holds(asked) }))
      .filter(({ holds }) => holds !== false);
    errnos.push(...held.map(({ own }) => own.errno));
    const certain = held.find(({ holds }) => holds === true);
    if (certain !== undefined) return { errnos, because: certain.own.because };
  }
  return { errnos, because: undefined };
}

/** Every errno that a call has a reason for, whether it holds or not. */
export function errnosOf<A extends Action>({ stages }: CallErrnos<A>): readonly Errno[] {
  return stages.flat().map(({ errno }) => errno);
}
