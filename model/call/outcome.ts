import type { Crash } from '../core/crash.ts';
import type { Errno } from '../core/errno.ts';
import type { Warning } from '../core/warning.ts';
import type { CallRun } from './call-frame.ts';

/** What came of an action. */
export interface Outcome {
  /** 0, or the errno that the client gets. `EBADF` also where the client has no such object. */
  readonly errno: Errno | 0;
  readonly warnings: readonly Warning[];
  /** The kernel crashed, or waits for ever: nothing that follows means anything. */
  readonly died?: Crash;
  /** For a call: what happened. */
  readonly call?: CallRun;
}
