import { filtered } from '../contract/changes.ts';
import { EVERYWHERE } from '../contract/footprint.ts';
import type { Ip } from '../core/ids.ts';
import { ftraceSetHash } from '../ftrace/set-filter.ts';
import type { ClientCall } from './client-call.ts';
import { never, servedBy } from './client-call.ts';

/** The tracing directory's set_ftrace_notrace: what its own users do not trace, whatever their filter says. */
export interface SetFtraceNotrace {
  readonly do: 'set_ftrace_notrace';
  readonly ip: Ip;
  readonly remove: boolean;
}

const OPS = 'global_ops';

export const setFtraceNotraceCall: ClientCall<SetFtraceNotrace> = {
  sentence:
    'Keeps a function out of the only user of function graph of 6.1, whatever its filter says, or no longer.',
  examples: [
    { do: 'set_ftrace_notrace', ip: 'f1', remove: false },
    { do: 'set_ftrace_notrace', ip: 'f1', remove: true },
  ],
  service: servedBy(ftraceSetHash, ({ ip, remove }) => ({
    ops: OPS,
    which: 'notrace' as const,
    ips: [ip],
    remove,
    reset: false,
  })),
  role: 'something else',
  isMisuse: never,
  promised: (p, { ip, remove }) => filtered(p, OPS, 'notrace', ip, remove, false),
  touched: () => EVERYWHERE,
  undo: (action) => [{ ...action, remove: !action.remove }],
  print: ({ ip, remove }) => `echo ${remove ? '!' : ''}${ip} >> set_ftrace_notrace`,
  parse({ text }) {
    const [, not, ip] = /^echo (!?)(\w+) >> set_ftrace_notrace$/.exec(text) ?? [];
    return ip === undefined ? undefined : { do: 'set_ftrace_notrace', ip, remove: not === '!' };
  },
};
