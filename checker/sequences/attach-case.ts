import type { Action } from '../../model/client/all.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';

/** A sequence of client calls in one kernel. */
export interface AttachCase {
  /** Kernel and overridden behaviours, as `profileNamed()` takes them. */
  readonly profile: string;
  /** All traced functions, their callees included. */
  readonly functions: readonly TracedFunction[];
  /** Tracepoints that the kernel declares; a task hits one by its name. */
  readonly tracepoints?: readonly DeclaredTracepoint[];
  readonly actions: readonly Action[];
}
