import type { KernelView } from '../../model/kernel.ts';
import { OF_BPF } from './of-bpf.ts';
import { OF_FTRACE } from './of-ftrace.ts';
import { OF_PROBES } from './of-probes.ts';
import { OF_TEXT } from './of-text.ts';
import { OF_TRACEPOINTS } from './of-tracepoints.ts';

/*
 * What each piece of shared state of the kernel is protected by, as its source says: in an assertion, in the comment of
 * a struct, or in every function that writes it. The model's routines are not read for it. Readers are not listed: most
 * of this state is read under RCU.
 */

/** State, and the locks that its writers hold. */
export interface GuardedState {
  /** The path to it: `ftrace.records.*.flags`. `*` is any key, `**` at the end all that lies below. */
  readonly state: string;
  /** All of these are held, exclusively, by who writes it. */
  readonly locks: readonly Guard[];
  /** The kernel's file, and what there says so. */
  readonly source: string;
  /** Only such writes; the others are private, or their writers are on their own. */
  readonly when?: (write: Write) => boolean;
}

/** A lock by its name; or several, one of which is held, by what the state belongs to. */
export type Guard = string | ((write: Write) => readonly string[]);

/** A change of one value of the state. */
export interface Write {
  readonly before: KernelView;
  readonly after: KernelView;
  /** The keys at each `*` of the path, and below. */
  readonly keys: readonly string[];
  readonly old: unknown;
  readonly new: unknown;
}

export const GUARDED_STATE: readonly GuardedState[] = [
  ...OF_FTRACE,
  ...OF_TEXT,
  ...OF_PROBES,
  ...OF_BPF,
  ...OF_TRACEPOINTS,
];
