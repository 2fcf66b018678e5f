import type { Action } from '../../model/client/all.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { FunctionName, ImageId, OpsId, ProgId } from '../../model/core/ids.ts';
import type { Flavour } from '../../model/core/part.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { Wait } from '../law/wait.ts';
import type { AttachFinding } from './attach-finding.ts';
import type { ToldHit } from './call-finding.ts';

/** Breaches that only interleavings have, by tag. */
interface TaskFindings {
  /** `unmet`: the guarantee that should have prevented the crash. */
  crashes: { readonly unmet: Unmet; readonly crash: Crash };
  warns: { readonly warnings: readonly Warning[] };
  /** A call returns none of the allowed values. */
  'value-differs': {
    readonly fn: FunctionName;
    readonly allowed: readonly string[];
    readonly returned: string;
  };
  /** How often each event may be seen, in each allowed world, and how often it was. */
  'events-differ': {
    readonly events: readonly ToldHit[];
    readonly allowed: readonly (readonly number[])[];
    readonly seen: readonly number[];
    /** The clients are kprobes that were registered and could not be armed. */
    readonly unarmed: boolean;
  };
  /** An event that no client was promised. */
  'unpromised-event': { readonly event: ToldHit };
  /** A client sees the return of a call whose entry it has not seen. */
  'return-without-entry': { readonly event: ToldHit };
  /** A tracepoint's probe, or a handler of function graph, ran with data that was never registered with it. */
  'data-of-another': { readonly who: string; readonly own: readonly string[]; readonly data: string };
  'reference-is-kept': { readonly image: ImageId; readonly refs: number };
  'image-stays': { readonly image: ImageId };
  'programs-are-not-left': {
    readonly left: readonly { readonly prog: string; readonly cpu: number }[];
  };
  'handler-runs-in-a-handler': { readonly event: ToldHit };
  'program-runs-in-itself': { readonly prog: ProgId; readonly bodies: number };
  'filter-differs': {
    readonly ops: OpsId;
    readonly allowed: readonly (readonly string[])[];
    readonly filter: readonly string[];
  };
  'operation-waits': { readonly action: Action['do']; readonly flavour: Flavour };
  /** No actor can run. */
  'all-wait': { readonly waits: readonly Wait[] };
  'cannot-finish': { readonly unfinished: readonly string[]; readonly waits: readonly Wait[] };
  /**
   * Questions about what is not promised: an operation gets EAGAIN; a call finds the old address after the new one.
   */
  'is-put-off': { readonly action: Action['do'] };
  'old-address-again': { readonly fn: FunctionName; readonly before: string };
  /** A cycle of this many moves. */
  'goes-round': { readonly unfinished: readonly string[]; readonly moves: number };
}

/** A law's guarantee against a crash. */
export type Unmet =
  | 'breakpoints are known'
  | 'instructions are whole'
  | 'code stays'
  | 'code is not written over'
  | 'programs stay'
  | 'objects of clients stay'
  | 'objects of operations stay'
  | 'tables stay'
  | 'module text stays'
  | 'arrays of probes stay'
  | 'nothing crashes';

/** A breach that only interleavings have; with a kind, one of that kind. */
export type OwnTaskFinding<K extends keyof TaskFindings = keyof TaskFindings> = {
  [P in K]: { readonly is: P } & TaskFindings[P];
}[K];

/** A breach in an interleaving; settled laws on sequences apply there too, after all operations have finished. */
export type TaskFinding = AttachFinding | OwnTaskFinding;
