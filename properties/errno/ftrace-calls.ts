import type { FilterWrite } from '../../model/client/filter-file.ts';
import type { FtraceEnabled } from '../../model/client/ftrace-enabled.ts';
import type { FtraceSetFilterIp } from '../../model/client/ftrace-set-filter-ip.ts';
import type { FtraceSetNotrace } from '../../model/client/ftrace-set-notrace.ts';
import type { RegisterFtraceFunction } from '../../model/client/register-ftrace-function.ts';
import type { SetFtraceFilter } from '../../model/client/set-ftrace-filter.ts';
import type { SetFtraceNotrace } from '../../model/client/set-ftrace-notrace.ts';
import type { UnregisterFtraceFunction } from '../../model/client/unregister-ftrace-function.ts';
import { fits } from '../../model/contract/fits.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { AskedCall, CallErrnos } from './contract.ts';
import { reason } from './contract.ts';
import {
  any,
  clientsDirectAt,
  filterNamed,
  hasIpmodify,
  isBySite,
  isCallSite,
  isIpmodify,
  isOfDesign,
  isPermanent,
  isRegistered,
} from './promised-sites.ts';

/*
 * The calls on an ops and its filter (Documentation/trace/ftrace-uses.rst), and the files of tracefs. An IPMODIFY ops has to
 * name its functions, and each of them has one such ops at most.
 */

type Filters = AskedCall<FtraceSetFilterIp>;

/** What a registered IPMODIFY ops gains by the call. */
function joins({ action: { ops, ip, remove }, promised: p }: Filters): boolean {
  const isJoining = !remove && !filterNamed(p, ops).includes(ip);
  return isJoining && isIpmodify(p, ops) && isRegistered(p, ops);
}

/** The last function is taken out: the ops would trace everything. */
function empties({ action: { ops, ip, remove, reset }, promised: p }: Filters): boolean {
  return remove && (reset || filterNamed(p, ops).every((other) => other === ip));
}

export const FTRACE_SET_FILTER_IP: CallErrnos<FtraceSetFilterIp> = {
  stages: [
    [
      reason(
        'EINVAL',
        'the address is no call site',
        ({ action, promised }) => !isCallSite(promised, action.ip),
      ),
      reason('ENOENT', 'the function is not in the filter', ({ action, promised }) => {
        const { ops, ip, remove, reset } = action;
        return remove && (reset || !filterNamed(promised, ops).includes(ip)) && isCallSite(promised, ip);
      }),
    ],
    [
      reason('EINVAL', 'an IPMODIFY ops would trace every function', (asked) => {
        const { action, promised } = asked;
        return empties(asked) && isIpmodify(promised, action.ops) && isRegistered(promised, action.ops);
      }),
    ],
    [
      reason('EBUSY', 'the function has another IPMODIFY ops', (asked) => {
        const { action, promised } = asked;
        return joins(asked) && hasIpmodify(promised, action.ip, action.ops);
      }),
    ],
  ],
};

export const FTRACE_SET_NOTRACE: CallErrnos<FtraceSetNotrace> = {
  stages: [
    [
      reason(
        'EINVAL',
        'no function has this name',
        ({ action, promised }) => !isCallSite(promised, action.ip),
      ),
      reason('EINVAL', 'an IPMODIFY ops names its functions', ({ action, promised }) =>
        isIpmodify(promised, action.ops),
      ),
    ],
  ],
};

function fileErrnos<A extends FilterWrite<string> & (SetFtraceFilter | SetFtraceNotrace)>(): CallErrnos<A> {
  return {
    stages: [
      [
        reason('EINVAL', 'no function matches', ({ action: { glob }, promised: p }) => {
          return glob !== '' && !p.functions.some((fn) => isCallSite(p, fn) && fits(glob, fn));
        }),
      ],
    ],
  };
}

/** What close() cannot do, the writer does not learn. */
export const SET_FTRACE_FILTER: CallErrnos<SetFtraceFilter> = fileErrnos();
export const SET_FTRACE_NOTRACE: CallErrnos<SetFtraceNotrace> = fileErrnos();

type Registers = AskedCall<RegisterFtraceFunction>;

/** The functions that an IPMODIFY ops would have for itself. */
function claimed({ action: { ops }, promised: p }: Registers): readonly string[] {
  return isIpmodify(p, ops) ? filterNamed(p, ops) : [];
}

export const REGISTER_FTRACE_FUNCTION: CallErrnos<RegisterFtraceFunction> = {
  stages: [
    [
      reason('EBUSY', 'a direct call cannot share with IPMODIFY', (asked) =>
        any(claimed(asked), (ip) => {
          const { promised: p, profile } = asked;
          return clientsDirectAt(p, ip) !== undefined || (isOfDesign(p, profile, ip) && 'perhaps');
        }),
      ),
    ],
    [
      reason('EBUSY', 'the ops is registered', ({ action, promised }) => isRegistered(promised, action.ops)),
      reason('EBUSY', 'the ops is PERMANENT while tracing is off', ({ action: { ops }, promised: p }) => {
        return isPermanent(p, ops) && !p.tracing;
      }),
    ],
    [
      reason('EINVAL', 'an IPMODIFY ops would trace every function', ({ action: { ops }, promised: p }) => {
        return isIpmodify(p, ops) && filterNamed(p, ops).length === 0;
      }),
    ],
    [
      reason('EBUSY', 'a function has another IPMODIFY ops', (asked) =>
        any(
          claimed(asked).filter((ip) => isCallSite(asked.promised, ip)),
          (ip) => hasIpmodify(asked.promised, ip, asked.action.ops),
        ),
      ),
    ],
  ],
};

export const UNREGISTER_FTRACE_FUNCTION: CallErrnos<UnregisterFtraceFunction> = {
  stages: [
    [
      reason(
        'EBUSY',
        'the ops is not registered',
        ({ action, promised }) => !isRegistered(promised, action.ops),
      ),
    ],
  ],
};

export const KERNEL_FTRACE_ENABLED: CallErrnos<FtraceEnabled> = {
  stages: [
    [
      reason(
        'EOPNOTSUPP',
        'ftrace is not disabled at run time',
        ({ action: { value }, promised: { tracing }, profile }) =>
          !value && tracing && !profile.disabledBySysctl,
      ),
    ],
    [
      reason('EBUSY', 'a PERMANENT ops is registered', ({ action: { value }, promised: p }) => {
        return (
          !value && p.tracing && p.clients.some((client) => isBySite(client) || isPermanentClient(p, client))
        );
      }),
    ],
  ],
};

function isPermanentClient(p: Promises, { kind, object }: Promises['clients'][number]): boolean {
  return kind === 'ftrace' && isPermanent(p, object);
}
