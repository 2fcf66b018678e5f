import type { Errno } from '../core/errno.ts';
import type { CallRun } from './call-frame.ts';

/** What came of an action. */
export interface Outcome {
  /** 0, or the errno that the client gets. `EBADF` also where the client has no such object. */
  readonly errno: Errno | 0;
  readonly warnings: readonly string[];
  /** The kernel crashed, or waits for ever: nothing that follows means anything. */
  readonly died?: string;
  /** For a call: what happened. */
  readonly call?: CallRun;
}
