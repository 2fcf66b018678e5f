import type { Action } from '../../model/client/all.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { CallEvent } from '../../model/core/event.ts';
import type { Ip } from '../../model/core/ids.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { ToldPlace, ToldValue } from './value.ts';

type Does = Action['do'];

/** What is wrong with what a client is answered, and with what its call leaves behind. */
export type AnswerFinding =
  /** With the last thing that was warned about, if there was one. */
  | { readonly is: 'ftrace-is-dead'; readonly warning: Warning | null }
  | { readonly is: 'ftrace-is-alive-again' }
  | ({ readonly is: 'dead-ftrace-changes' } & Changed)
  | { readonly is: 'dead-ftrace-accepts'; readonly action: Does }
  | { readonly is: 'operation-dies'; readonly action: Does; readonly died: Crash }
  /** What a refused call has changed all the same: the first change is told of. */
  | {
      readonly is: 'refusal-leaves-a-trace';
      readonly errno: Errno;
      readonly changes: readonly [Changed, ...Changed[]];
    }
  | {
      readonly is: 'detaching-needs-memory';
      readonly action: Does;
      /** The routine whose allocation failed. */
      readonly routine: string;
      readonly shown: LackShown;
    }
  | { readonly is: 'detaching-dies'; readonly action: Does; readonly died: Crash }
  /** What is there when everybody has detached and time has passed: the first is told of. */
  | { readonly is: 'left-behind'; readonly what: readonly [Leftover, ...Leftover[]] }
  /** An object that is registered was accepted once more, or one that is not when it was changed or unregistered. */
  | {
      readonly is: 'object-is-accepted';
      readonly action: Does;
      readonly object: string;
      readonly registered: boolean;
    }
  /** A client was answered 0, and none of those who would serve it traces the function. */
  | {
      readonly is: 'client-is-not-served';
      readonly who: string;
      readonly ip: Ip;
      readonly servers: Servers;
      readonly tracing: readonly string[];
    }
  | {
      readonly is: 'pokes-differ';
      readonly action: Does;
      readonly ip: Ip;
      /** So often at most. */
      readonly expected: number;
      readonly observed: number;
    }
  /** `action` null: a call that follows. */
  | {
      readonly is: 'answers-depend-on-the-order';
      readonly action: Does | null;
      readonly expected: ToldAnswer;
      readonly observed: ToldAnswer;
    }
  | ({ readonly is: 'state-depends-on-the-order' } & Changed);

/** A place of a state, what should be there, and what is. */
export interface Changed {
  readonly place: ToldPlace;
  readonly expected: ToldValue;
  readonly observed: ToldValue;
}

/** How it is seen that a detach lacked memory. */
export type LackShown =
  | { readonly is: 'errno'; readonly errno: Errno }
  | { readonly is: 'warning'; readonly warning: Warning }
  | { readonly is: 'stays with its manager'; readonly subops: readonly string[] };

/** Who may serve a client: one of these ops, or any direct ops. */
export type Servers = readonly string[] | 'a direct ops';

/** One thing that an operation answers, or that is seen of a call. */
export type ToldAnswer =
  | { readonly is: 'answer'; readonly errno: Errno | 0 }
  | { readonly is: 'died'; readonly died: Crash }
  | ({ readonly is: 'event' } & Pick<CallEvent, 'kind' | 'who' | 'fn' | 'args' | 'ret'>)
  | { readonly is: 'fault'; readonly fault: Crash }
  | { readonly is: 'gone' }
  | { readonly is: 'returned'; readonly rax: string }
  | { readonly is: 'no more' };

/** Something that should not be there any more. */
export interface Leftover {
  readonly is:
    | 'call site'
    | 'record'
    | 'page'
    | 'ops'
    | 'direct entry'
    | 'descriptor'
    | 'subops'
    | 'ftrace_graph_active'
    | 'kprobe'
    | 'pool'
    | 'fprobe'
    | 'trampoline'
    | 'image'
    | 'link'
    | 'program'
    | 'deferred routine';
  /** Its name, or that of the function or routine that it is of; empty where there is but one. */
  readonly of: string;
}
