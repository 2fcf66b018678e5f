import { joined, PLAIN } from '../contract/changes.ts';
import { traced } from '../contract/footprint.ts';
import type { OpsId } from '../core/ids.ts';
import { FTRACE_OPS_FL_IPMODIFY, opsOf } from '../ftrace/ops.ts';
import { registerFtraceFunction } from '../ftrace/register.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isDirect } from './ops-in-use.ts';
import { called } from './spelling.ts';

export interface RegisterFtraceFunction {
  readonly do: 'register_ftrace_function';
  readonly ops: OpsId;
}

export const registerFtraceFunctionCall: ClientCall<RegisterFtraceFunction> = {
  sentence: 'Registers an ops on the functions of its filter; an empty filter is all of them.',
  examples: [{ do: 'register_ftrace_function', ops: 'ops#1' }],
  service: servedBy(registerFtraceFunction, argsOf),
  role: 'attaches',
  isMisuse: (k, { ops }) => opsOf(k, ops).func === '' || isDirect(k, ops),
  promised: (p, { ops }) =>
    joined(p, {
      ...PLAIN,
      who: ops,
      object: ops,
      kind: 'ftrace',
      filterOf: ops,
      ipmodify: ((p.flags[ops] ?? 0) & FTRACE_OPS_FL_IPMODIFY) !== 0,
    }),
  registered: ({ ops }) => ops,
  touched: (p, _, { ops }) => ({ functions: traced(p, ops), objects: [ops] }),
  detach: ({ ops }) => ({ do: 'unregister_ftrace_function', ops }),
  print: ({ do: name, ops }) => called(name, ops),
  parse: ({ name, args: [ops = ''] }) =>
    name === 'register_ftrace_function' ? { do: name, ops } : undefined,
};
