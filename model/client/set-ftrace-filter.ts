import { filtered } from '../contract/changes.ts';
import { EVERYWHERE } from '../contract/footprint.ts';
import type { Ip } from '../core/ids.ts';
import { ftraceSetHash } from '../ftrace/set-filter.ts';
import type { ClientCall } from './client-call.ts';
import { never, servedBy } from './client-call.ts';

/*
 * A write to set_ftrace_filter in tracefs: ftrace_regex_release() moves the hash of `global_ops` at close(),
 * under its `regex_lock` and `ftrace_lock`. Of the users in this model only function graph of 6.1 goes by that
 * filter (`graph_ops` shares the hash of `global_ops`); since 6.11 each user has its own.
 */

/** One function is added (`>>`), or removed (`!`). `>` and patterns are left out: they are several of these. */
export interface SetFtraceFilter {
  readonly do: 'set_ftrace_filter';
  readonly ip: Ip;
  readonly remove: boolean;
}

const OPS = 'global_ops';

export const setFtraceFilterCall: ClientCall<SetFtraceFilter> = {
  sentence:
    'Writes a function into the filter of the tracing directory, by which the only user of function graph of 6.1 goes, or takes it out.',
  examples: [
    { do: 'set_ftrace_filter', ip: 'f1', remove: false },
    { do: 'set_ftrace_filter', ip: 'f1', remove: true },
  ],
  service: servedBy(ftraceSetHash, ({ ip, remove }) => ({
    ops: OPS,
    which: 'filter' as const,
    ips: [ip],
    remove,
    reset: false,
  })),
  role: 'something else',
  isMisuse: never,
  promised: (p, { ip, remove }) => filtered(p, OPS, 'filter', ip, remove, false),
  // The last function that is removed turns the filter into one of every function.
  touched: () => EVERYWHERE,
  undo: (action) => [{ ...action, remove: !action.remove }],
  print: ({ ip, remove }) => `echo ${remove ? '!' : ''}${ip} >> set_ftrace_filter`,
  parse({ text }) {
    const [, not, ip] = /^echo (!?)(\w+) >> set_ftrace_filter$/.exec(text) ?? [];
    return ip === undefined ? undefined : { do: 'set_ftrace_filter', ip, remove: not === '!' };
  },
};
