import type { Crash } from '../../model/core/crash.ts';
import type { CallEvent, EventKind } from '../../model/core/event.ts';
import type { FunctionName, ImageId, ProgId } from '../../model/core/ids.ts';
import type { Current } from '../../model/task/current.ts';

/** Breaches seen in a call of a traced function, and in what its clients see of it. Words are hexadecimal. */
export type CallFinding =
  | { readonly is: 'call-does-not-return'; readonly fn: FunctionName; readonly why: Crash }
  | CallerLost
  | {
      readonly is: 'return-value-differs';
      readonly fn: FunctionName;
      readonly expected: string;
      readonly observed: string;
    }
  /** The bodies, replacements and extensions that run in a call and its inner calls. */
  | {
      readonly is: 'runs-differ';
      readonly fn: FunctionName;
      readonly expected: readonly ToldRun[];
      readonly observed: readonly ToldRun[];
    }
  | ({ readonly is: 'hits-differ'; readonly expected: number; readonly observed: number } & ToldHit)
  | {
      readonly is: 'misses-differ';
      readonly who: string;
      readonly nodes: number;
      readonly calls: number;
      readonly expected: Missed;
      readonly observed: Missed;
    }
  /** Calls that a client misses, and what its counter says. */
  | {
      readonly is: 'counted-misses-differ';
      readonly who: string;
      readonly expected: number;
      readonly observed: number;
    }
  | {
      readonly is: 'overruns-differ';
      readonly who: string;
      readonly calls: number;
      readonly expected: Followed;
      readonly observed: Followed;
    }
  | {
      readonly is: 'exit-without-entry';
      readonly who: string;
      readonly fn: FunctionName;
      readonly kind: EventKind;
    }
  /** A direct trampoline has to run once and return to one place; `observed`: where it returned to. */
  | {
      readonly is: 'direct-call-differs';
      readonly who: string;
      readonly expected: string;
      readonly observed: readonly string[];
    }
  | { readonly is: 'seen-while-tracing-is-off'; readonly fn: FunctionName; readonly who: string }
  | {
      readonly is: 'arguments-differ';
      readonly who: string;
      readonly fn: FunctionName;
      /** Null: there is no such word. */
      readonly expected: readonly (string | null)[];
      readonly observed: readonly string[];
    }
  | {
      readonly is: 'seen-return-value-differs';
      readonly who: string;
      readonly fn: FunctionName;
      readonly expected: string;
      readonly observed: string;
    }
  | {
      readonly is: 'cookies-differ';
      readonly who: string;
      readonly fn: FunctionName;
      readonly expected: readonly string[];
      /** Null: none. */
      readonly observed: readonly (string | null)[];
    }
  | {
      readonly is: 'entry-data-differs';
      readonly who: string;
      readonly fn: FunctionName;
      readonly expected: string;
      /** Null: none. */
      readonly observed: string | null;
    }
  | {
      readonly is: 'function-ip-differs';
      readonly who: string;
      readonly fn: FunctionName;
      readonly expected: string;
      readonly observed: string | null;
    }
  | {
      readonly is: 'event-runs-another-program';
      readonly who: string;
      readonly fn: FunctionName;
      readonly expected: string;
      readonly observed: string;
    }
  | OrderFinding
  | LeftOfACall;

/** Breaches of an order of events. */
type OrderFinding =
  | {
      readonly is: 'older-client-runs-first';
      readonly fn: FunctionName;
      readonly newer: string;
      readonly older: string;
      readonly kind: EventKind;
    }
  | {
      readonly is: 'stages-change-places';
      readonly fn: FunctionName;
      readonly first: ToldStage;
      readonly second: ToldStage;
    }
  | {
      readonly is: 'inner-call-runs-first';
      readonly fn: FunctionName;
      readonly inner: string;
      readonly who: string;
    }
  | {
      readonly is: 'returns-change-places';
      readonly fn: FunctionName;
      readonly first: string;
      readonly kind: EventKind;
      readonly second: string;
    }
  /** A replaced return address, at a slot of the stack. */
  | {
      readonly is: 'return-address-is-unknown';
      readonly slot: string;
      readonly trampoline: 'return_to_handler' | 'arch_rethook_trampoline';
    }
  | {
      readonly is: 'return-address-is-lost';
      readonly slot: string;
      readonly leadsTo: string;
      readonly waiting: number;
    };

/** What a call did not preserve for its caller. */
export type CallerLost =
  | { readonly is: 'registers-changed'; readonly registers: readonly string[] }
  | { readonly is: 'stack-pointer-differs' }
  | { readonly is: 'stack-was-written-to' };

/** State that a finished call left changed. */
export type LeftOfACall =
  | { readonly is: 'function-graph-has-stopped' }
  | { readonly is: 'shadow-stack-is-not-empty'; readonly frames: number; readonly words: number }
  | { readonly is: 'returns-stay-hooked'; readonly count: number }
  | {
      readonly is: 'nodes-are-not-free';
      readonly pool: string;
      readonly expected: number;
      readonly observed: number;
    }
  | { readonly is: 'run-context-stays-set'; readonly context: string }
  | {
      readonly is: 'task-stays-in-a-section';
      readonly field: keyof Current;
      readonly value: number | boolean;
    }
  | { readonly is: 'image-stays-entered'; readonly image: ImageId; readonly refs: number }
  | { readonly is: 'program-stays-active'; readonly prog: ProgId; readonly active: number };

/** One kind of event that a client sees of a function. */
export interface ToldHit extends Pick<CallEvent, 'who' | 'fn' | 'kind'> {
  /** The half of a session that runs at the return. */
  readonly atReturn: boolean;
}

/** What ran: a function's body, its extension, or a replacement. */
export type ToldRun =
  | { readonly is: 'body' | 'extension'; readonly of: string }
  | { readonly is: 'replacement' };

export interface Missed {
  readonly returns: number;
  readonly misses: number;
}

export interface Followed {
  readonly entries: number;
  readonly exits: number;
  readonly overrun: number;
}

/** A client seen in a stage of a call, and its role there; for a program, its half. */
export interface ToldStage {
  readonly who: string;
  readonly as: Exclude<EventKind, 'program'> | 'entry' | 'body' | 'exit';
}
