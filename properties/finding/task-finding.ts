import type { Action } from '../../model/client/all.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { FunctionName, ImageId, OpsId, ProgId } from '../../model/core/ids.ts';
import type { Flavour } from '../../model/core/part.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { Wait } from '../law/wait.ts';
import type { AttachFinding } from './attach-finding.ts';
import type { ToldHit } from './call-finding.ts';

/** What laws of interleavings find wrong, by what it is. */
interface TaskFindings {
  /** `unmet`: what should have kept it from that. */
  crashes: { readonly unmet: Unmet; readonly crash: Crash };
  warns: { readonly warnings: readonly Warning[] };
  /** A call returns none of the values that it may. */
  'value-differs': {
    readonly fn: FunctionName;
    readonly allowed: readonly string[];
    readonly returned: string;
  };
  /** How often each event may be seen, in one way or another, and how often each is. */
  'events-differ': {
    readonly events: readonly ToldHit[];
    readonly allowed: readonly (readonly number[])[];
    readonly seen: readonly number[];
    /** Who should see them is a kprobe that was registered and could not be armed. */
    readonly unarmed: boolean;
  };
  /** Nobody is told of that by anybody, and it happens. */
  'event-of-nobody': { readonly event: ToldHit };
  /** The half of a session that runs at the return, without the other one. */
  'return-without-entry': { readonly event: ToldHit };
  /** A probe of a tracepoint is called with data that was never registered with it. */
  'data-of-another': { readonly who: string; readonly own: readonly string[]; readonly data: string };
  'reference-is-kept': { readonly image: ImageId; readonly refs: number };
  'image-stays': { readonly image: ImageId };
  'programs-are-not-left': {
    readonly left: readonly { readonly prog: string; readonly cpu: number }[];
  };
  'program-runs-in-itself': { readonly prog: ProgId; readonly bodies: number };
  'filter-differs': {
    readonly ops: OpsId;
    readonly allowed: readonly (readonly string[])[];
    readonly filter: readonly string[];
  };
  'operation-waits': { readonly action: Action['do']; readonly flavour: Flavour };
  /** Nobody can go on. */
  'all-wait': { readonly waits: readonly Wait[] };
  'cannot-finish': { readonly unfinished: readonly string[]; readonly waits: readonly Wait[] };
  /** Asked where nothing is promised: an operation answers EAGAIN; a call finds the old address after the new one. */
  'is-put-off': { readonly action: Action['do'] };
  'old-address-again': { readonly fn: FunctionName; readonly before: string };
  /** So many moves lead back to where they began. */
  'goes-round': { readonly unfinished: readonly string[]; readonly moves: number };
}

/** What keeps the kernel from a crash, as a law has it. */
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

/** What a law of interleavings alone finds wrong; with a kind, one of that kind. */
export type OwnTaskFinding<K extends keyof TaskFindings = keyof TaskFindings> = {
  [P in K]: { readonly is: P } & TaskFindings[P];
}[K];

/** What a law of interleavings finds wrong; those of sequences are asked there as well, when everybody has finished. */
export type TaskFinding = AttachFinding | OwnTaskFinding;
