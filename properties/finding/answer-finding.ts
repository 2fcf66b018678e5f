import type { Action } from '../../model/client/all.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { CallEvent } from '../../model/core/event.ts';
import type { Ip, OpsId } from '../../model/core/ids.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { ToldPlace, ToldValue } from './value.ts';

type Does = Action['do'];

/** Breaches seen in a client's answer, or in what its call leaves behind. */
export type AnswerFinding =
  /** `warning`: the last one, if any. */
  | { readonly is: 'ftrace-is-dead'; readonly warning: Warning | null }
  | { readonly is: 'ftrace-is-alive-again' }
  | { readonly is: 'call-warns'; readonly action: Does; readonly warnings: readonly [Warning, ...Warning[]] }
  | ({ readonly is: 'dead-ftrace-changes' } & Changed)
  | { readonly is: 'dead-ftrace-accepts'; readonly action: Does }
  | { readonly is: 'dead-ftrace-keeps-ops'; readonly ops: OpsId }
  | { readonly is: 'operation-dies'; readonly action: Does; readonly died: Crash }
  /** The changes made by a refused call; the words name the first. */
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
  /** Leftovers after every client has detached and time has passed; the words name the first. */
  | { readonly is: 'leftovers'; readonly what: readonly [Leftover, ...Leftover[]] }
  /** An object was registered a second time, or changed or unregistered without being registered. */
  | {
      readonly is: 'object-is-accepted';
      readonly action: Does;
      readonly object: string;
      readonly registered: boolean;
    }
  /** `because` is what is wrong with the call, and allowed its answers to that; empty: any other errno, or 0. */
  | {
      readonly is: 'errno-differs';
      readonly action: Does;
      readonly because: string;
      readonly allowed: readonly (Errno | 0)[];
      readonly observed: Errno | 0;
    }
  /** A client got 0, and no ops that could serve it traces the function. */
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
      /** At most this often. */
      readonly expected: number;
      readonly observed: number;
    }
  /** `action` null: a later call. */
  | {
      readonly is: 'answers-depend-on-the-order';
      readonly action: Does | null;
      readonly expected: ToldAnswer;
      readonly observed: ToldAnswer;
    }
  | ({ readonly is: 'state-depends-on-the-order' } & Changed);

/** A path into a state, with the expected and the observed value. */
export interface Changed {
  readonly place: ToldPlace;
  readonly expected: ToldValue;
  readonly observed: ToldValue;
}

/** How a lack of memory during a detach shows. */
export type LackShown =
  | { readonly is: 'errno'; readonly errno: Errno }
  | { readonly is: 'warning'; readonly warning: Warning }
  | { readonly is: 'stays with its manager'; readonly subops: readonly string[] };

/** The ops that may serve a client: one of these, or any direct ops. */
export type Servers = readonly string[] | 'a direct ops';

/** One answer of an operation, or one observation of a call. */
export type ToldAnswer =
  | { readonly is: 'answer'; readonly errno: Errno | 0 }
  | { readonly is: 'died'; readonly died: Crash }
  | ({ readonly is: 'event' } & Pick<CallEvent, 'kind' | 'who' | 'fn' | 'args' | 'ret'>)
  | { readonly is: 'fault'; readonly fault: Crash }
  | { readonly is: 'gone' }
  | { readonly is: 'returned'; readonly rax: string }
  | { readonly is: 'no more' };

/** Something left after every client has detached. */
export interface Leftover {
  readonly is:
    | 'call site'
    | 'record'
    | 'page'
    | 'ops'
    | 'direct entry'
    | 'lost direct entry'
    | 'descriptor'
    | 'subops'
    | 'ftrace_graph_active'
    | 'notifier of suspends'
    | 'kprobe'
    | 'optimised kprobe'
    | 'breakpoint'
    | 'pool'
    | 'fprobe'
    | 'trampoline'
    | 'image'
    | 'link'
    | 'program'
    | 'deferred routine'
    | 'module reference'
    | 'batch of pokes'
    | 'CPU in the int3 handler'
    | 'filter'
    | 'enabled ops'
    | 'replaced hash'
    | 'replaced direct_functions'
    | 'slot of fgraph_array'
    | 'probe of sched_switch'
    | 'return frame'
    | 'armed kprobe'
    | 'return hook'
    | 'fprobe node'
    | 'registered fprobe ops'
    | 'probe'
    | 'array of probes'
    | 'array of programs'
    | 'perf event'
    | 'device'
    | 'dispatched program'
    | 'static call'
    | 'object of the design'
    | 'lock';
  /** Its name, or that of its function or routine; empty where there is only one. */
  readonly of: string;
}
