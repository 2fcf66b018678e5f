import type { ProgId } from '../core/ids.ts';
import { closeProg } from '../trampoline/release.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, nothingTouched, servedBy } from './client-call.ts';
import { called, numberOf } from './spelling.ts';

/*
 * bpf_prog_release() in kernel/bpf/syscall.c drops one reference. Each link has its own, so a program with
 * links keeps running. With the last reference __bpf_prog_put_noref() frees it: after call_rcu(), or
 * call_rcu_tasks_trace() for a sleepable program; 7.2 waits for RCU-tasks before that when an image has ever
 * contained it.
 */

/** close() of a program, the last of its file descriptors; links hold it still. */
export interface CloseProg {
  readonly do: 'close(prog)';
  readonly prog: ProgId;
}

export const closeProgCall: ClientCall<CloseProg> = {
  sentence: 'Closes a program; its links hold it still.',
  examples: [{ do: 'close(prog)', prog: 1 }],
  service: servedBy(closeProg, argsOf),
  role: 'something else',
  isMisuse: never,
  promised: (p, { prog }) => ({ ...p, open: p.open.filter((other) => other !== prog) }),
  touched: nothingTouched,
  print: ({ prog }) => called('close', `prog#${prog}`),
  parse: ({ name, args: [prog = ''] }) =>
    name === 'close' && prog.startsWith('prog#')
      ? { do: 'close(prog)', prog: numberOf(prog, 'prog') }
      : undefined,
};
