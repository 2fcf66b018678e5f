import type { Schedule } from '../../../checker/interleavings/schedule.ts';
import type { AttachCase } from '../../../checker/sequences/attach-case.ts';

/** What the page of an interleaving holds as data: all else is computed from it. */
export interface InterleavingOnPage {
  readonly schedule: Schedule;
  /** The law that the schedule breaks; undefined: the file names none. */
  readonly law: string | undefined;
  readonly planted: string | undefined;
}

/** The same of a sequence. */
export interface SequenceOnPage {
  readonly case: AttachCase;
  readonly law: string | undefined;
  readonly planted: string | undefined;
}

/** The same of a history in two kernels. */
export interface HistoryOnPage {
  readonly sides: readonly [
    { readonly name: string; readonly case: AttachCase },
    { readonly name: string; readonly case: AttachCase },
  ];
  /** Why the first does not behave as the second. */
  readonly difference: string;
}
