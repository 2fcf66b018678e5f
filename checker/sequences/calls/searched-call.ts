import type fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import type { FunctionName } from '../../../model/core/ids.ts';
import type { Profile } from '../../../model/core/profile.ts';
import type { InjectedFault } from '../../../model/core/world.ts';
import type { DeclaredTracepoint } from '../../../model/tracepoint/boot.ts';
import type { TracingKind } from '../../../model/trampoline/program.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import type { AttachCase } from '../attach-case.ts';
import type { Weighed } from '../draw/weighed.ts';

/**
 * The properties of one client call for the searches: how it is drawn, when it is sensible, and its simpler forms.
 * `all.ts` has a line for each, in the order in which they are drawn. Methods, as in `ClientCall`: `searchedCall()`
 * finds a call by the name of an action, and so each receives only its own actions.
 */
export interface SearchedCall<A> {
  /**
   * How it is drawn: with which arguments, and how often among the others. Undefined: a search does not begin with
   * it.
   */
  draw(from: Drawing): readonly Weighed[];
  /** The same on tracepoints; absent: not at all. */
  drawHits?(tracepoints: readonly DeclaredTracepoint[]): readonly Weighed[];
  /** Whether a sensible client would do it now. */
  isLikely(p: Promises, action: A): boolean;
  /** Whether the model has what the kernel does with it now; absent: it does. What it does not have is not drawn. */
  isModelled?(p: Promises, action: A): boolean;
  /** The same as its objects need it; absent: it is right for all. */
  fitted?(p: Promises, action: A): A;
  /** In how many cases of ten it is made although it is not sensible, to exercise its refusals; one when absent. */
  readonly rashness?: number;
  /** How much a reader has to know of the interface: kprobes the least, live patches and tables of sites the most. */
  readonly effort: number;
  /** The optional requests of an action. */
  optionEffort?(action: A): number;
  /** The same with one request less. */
  plainer?(action: A, c: AttachCase): readonly Action[];
  /** The object whose life it is part of; the action is one of these, at this place. Undefined: of no object. */
  lifeOf(action: A, actions: readonly Action[], index: number): string | undefined;
  /** The objects that it uses, by the field and the name: clients that share one have to coordinate. */
  objectsOf(action: A): readonly string[];
  /** The next calls that its client may make, each in a word and as an action: undo it, or free the memory. */
  next?(action: A): NextNumber;
  /** How the memory of a detached object is freed; the client has made all of these. */
  givesBack?(action: A, done: readonly Action[]): Action | undefined;
  /** The same with a multi link in place of a single one; absent: it stays as it is. */
  ofMultiLinks?(action: A, kinds: readonly TracingKind[], targets: readonly FunctionName[]): Action;
}

export interface NextNumber {
  readonly word: string;
  readonly action: Action;
}

/** The choices that arguments are drawn from. */
export interface Drawing {
  readonly profile: Profile;
  readonly functions: readonly TracedFunction[];
  /** A function's call site, or now and then none. */
  readonly ip: fc.Arbitrary<string>;
  readonly ips: fc.Arbitrary<readonly string[]>;
  readonly faults: readonly InjectedFault[];
}

/** A call that is sensible at any time. */
export function always(): boolean {
  return true;
}

/** A call that is not drawn. */
export function notDrawn(): readonly Weighed[] {
  return [];
}

/** A call that uses no object. */
export function noObjects(): readonly string[] {
  return [];
}

export function count(...flags: readonly boolean[]): number {
  return flags.filter(Boolean).length;
}
