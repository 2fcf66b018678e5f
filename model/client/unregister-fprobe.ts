import { without } from '../contract/changes.ts';
import { ofClient } from '../contract/footprint.ts';
import type { FprobeId } from '../core/ids.ts';
import { unregisterFprobe } from '../ftrace/fprobe.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * unregister_fprobe() in kernel/trace/fprobe.c: EINVAL for one that is not registered. On rethook (6.12) that is
 * one that never was: a second call stops the pool that the first has freed, and answers EBUSY with a WARN. The pool
 * is stopped before the ops is unregistered, so that a failure there leaves an fprobe that is called and
 * cannot hook returns. On function graph (7.2) the fprobe leaves the table under `fprobe_mutex`, errors of the
 * shared users are ignored, and RCU is waited for.
 */

export interface UnregisterFprobe {
  readonly do: 'unregister_fprobe';
  readonly fprobe: FprobeId;
}

export const unregisterFprobeCall: ClientCall<UnregisterFprobe> = {
  sentence: 'Unregisters an fprobe.',
  examples: [{ do: 'unregister_fprobe', fprobe: 'fprobe#1' }],
  service: servedBy(unregisterFprobe, argsOf),
  role: 'detaches',
  isMisuse: never,
  promised: (p, { fprobe }) => without(p, fprobe),
  registered: ({ fprobe }) => fprobe,
  touched: (p, k, { fprobe }) => ofClient(p, k, fprobe),
  sharesOps: 'of fprobes',
  print: ({ do: name, fprobe }) => called(name, fprobe),
  parse: ({ name, args: [fprobe = ''] }) => (name === 'unregister_fprobe' ? { do: name, fprobe } : undefined),
};
