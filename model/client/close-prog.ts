import type { ProgId } from '../core/ids.ts';
import { closeProg } from '../trampoline/release.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, nothingTouched, servedBy, unchanged } from './client-call.ts';
import { called, numberOf } from './spelling.ts';

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
  promised: unchanged,
  touched: nothingTouched,
  print: ({ prog }) => called('close', `prog#${prog}`),
  parse: ({ name, args: [prog = ''] }) =>
    name === 'close' && prog.startsWith('prog#')
      ? { do: 'close(prog)', prog: numberOf(prog, 'prog') }
      : undefined,
};
