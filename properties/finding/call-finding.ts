import type { Crash } from '../../model/core/crash.ts';
import type { CallEvent, EventKind } from '../../model/core/event.ts';
import type { FunctionName, ImageId, ProgId } from '../../model/core/ids.ts';

/** What is wrong with a call of a traced function, and with what its clients see of it. Words are hexadecimal. */
export type CallFinding =
  | { readonly is: 'call-does-not-return'; readonly fn: FunctionName; readonly why: Crash }
  | CallerLost
  | {
      readonly is: 'return-value-differs';
      readonly fn: FunctionName;
      readonly expected: string;
      readonly observed: string;
    }
  /** What runs in a call and in those within it: bodies, replacements, extensions. */
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
  /** A direct call has to be made once, and to return to one place; where it returns to when it was made. */
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
  | OrderFinding
  | LeftOfACall;

/** What is wrong with the order of what is seen. */
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
  /** A return address that was replaced, at a slot of the stack. */
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

/** What a call has not given back to its caller as it was. */
export type CallerLost =
  | { readonly is: 'registers-changed'; readonly registers: readonly string[] }
  | { readonly is: 'stack-pointer-differs' }
  | { readonly is: 'stack-was-written-to' };

/** What is not as before when a call is over. */
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
  | { readonly is: 'image-stays-entered'; readonly image: ImageId; readonly refs: number }
  | { readonly is: 'program-stays-active'; readonly prog: ProgId; readonly active: number };

/** Something that somebody sees of a function. */
export interface ToldHit extends Pick<CallEvent, 'who' | 'fn' | 'kind'> {
  /** It is the half of a session that runs at the return. */
  readonly atReturn: boolean;
}

/** What ran: the body of a function, its extension, or the replacement of some function. */
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

/** Who is seen in a stage of a call, and as what; of a program, in which half. */
export interface ToldStage {
  readonly who: string;
  readonly as: Exclude<EventKind, 'program'> | 'entry' | 'body' | 'exit';
}
