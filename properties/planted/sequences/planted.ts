import type { Action } from '../../../model/client/all.ts';
import type { Edit } from '../../../model/core/link.ts';
import type { DeclaredTracepoint } from '../../../model/tracepoint/boot.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import type { AttachLaw } from '../../law/sequence-law.ts';

/** A deliberate fault in one step of the kernel's routines, as data outside the model. */
export interface AttachPlanted {
  readonly name: string;
  /** The fault in one sentence. */
  readonly sentence: string;
  /** The real bug that it re-enacts: subject of its fix and first fixed release, when there is one. */
  readonly history: string | undefined;
  /** The law that has to find it. */
  readonly law: AttachLaw;
  /** The kernel in which it is looked for. */
  readonly profile: string;
  readonly edits: readonly Edit[];
  /** The functions of the simplest sequence that shows it; default `F1`. */
  readonly functions?: readonly TracedFunction[];
  /** The tracepoints of that sequence; default none. */
  readonly tracepoints?: readonly DeclaredTracepoint[];
  /** That sequence: every search ends there. */
  readonly smallest: readonly Action[];
  /** The law's finding there: expected / observed. */
  readonly finding: string;
  /** Why a search of a few thousand sequences does not find it: a saved trace of it is written by hand. */
  readonly rare?: string;
}
