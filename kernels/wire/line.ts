import type { Action } from '../../model/client/all.ts';
import { failLine } from './failing-calls.ts';
import type { Lines } from './ftrace.ts';
import { DIRECT_LINES, FTRACE_LINES } from './ftrace.ts';
import type { Wording } from './numbers.ts';
import { CannotSay, callLine, cannot, op } from './numbers.ts';
import { PROBE_LINES } from './probes.ts';
import { PROGRAM_LINES } from './programs.ts';
import { TRACEPOINT_LINES } from './tracepoints.ts';

/*
 * A client call as a line for the recorder: a verb, and numbers. `x` is an operation of the module (recorder.h); `p`, `d`,
 * `l`, `r`, `q` are programs and links, `s` the sysctl, `f` a filter file, `m` the second module, `c` a call.
 */

/** A call that the recorder cannot make, and why. */
export interface Unsayable {
  readonly why: string;
}

/** The line of an action. */
export function wireLine(action: Action, wording: Wording): string | Unsayable {
  try {
    return lineOf(action, wording);
  } catch (error) {
    if (error instanceof CannotSay) return { why: error.message };
    throw error;
  }
}

/** Every call of a client: one that is missing here does not compile. */
const LINES: Lines<Action['do']> = {
  ...FTRACE_LINES,
  ...DIRECT_LINES,
  ...PROBE_LINES,
  ...PROGRAM_LINES,
  ...TRACEPOINT_LINES,
  init_module: () => 'm 1',
  delete_module: () => 'm 0',
  fail: ({ fault }, wording) => failLine(fault, wording),
  settle: () => op('SETTLE'),
  dev_change_xdp_fd: () => cannot('programs of devices'),
  call: callLine,
};

function lineOf<A extends Action>(action: A, wording: Wording): string {
  const spell = LINES[action.do] as (action: A, wording: Wording) => string;
  return spell(action, wording);
}
