import type { RegisterFprobeIps } from '../../model/client/register-fprobe-ips.ts';
import type { RegisterFtraceGraph } from '../../model/client/register-ftrace-graph.ts';
import type { UnregisterFprobe } from '../../model/client/unregister-fprobe.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { Profile } from '../../model/core/profile.ts';
import type { AskedCall, CallErrnos, DeclaredInKernel } from './contract.ts';
import { reason } from './contract.ts';
import { isCallSite, isRegistered } from './promised-sites.ts';

/*
 * Users of function graph (Documentation/trace/ftrace.rst), and fprobes (Documentation/trace/fprobe.rst), which are such
 * users since 6.14: there is one user at a time, or there are sixteen.
 */

/** `FGRAPH_ARRAY_SIZE`. */
const USERS_MOST = 16;

/** All fprobes that hook returns are one user together, until their last function is unloaded. */
function hasUserOfFprobes(promised: Promises): boolean {
  return promised.clients.some(
    ({ kind, exit, ips }) =>
      exit && (kind === 'fprobe' || kind === 'kprobe.multi') && ips.some((ip) => isCallSite(promised, ip)),
  );
}

function usersOf(promised: Promises, { fprobe }: Profile, { multiLinksOnGraph }: DeclaredInKernel): number {
  const { clients } = promised;
  const hooking = hasUserOfFprobes(promised);
  const links = clients.filter(({ kind, program }) => kind === 'program' && program?.multi === true);
  const graphs = clients.filter(({ kind }) => kind === 'graph').length;
  return graphs + (hooking && fprobe === 'fgraph' ? 1 : 0) + (multiLinksOnGraph ? links.length : 0);
}

function noIndexLeft({ promised, profile, declared }: Omit<AskedCall<unknown>, 'action'>): boolean {
  return profile.fgraph === 'multi' && usersOf(promised, profile, declared) >= USERS_MOST;
}

export const REGISTER_FTRACE_GRAPH: CallErrnos<RegisterFtraceGraph> = {
  stages: [
    [
      reason('EBUSY', 'there is a user', ({ promised: p, profile }) => {
        return profile.fgraph === 'single' && p.clients.some(({ kind }) => kind === 'graph');
      }),
      reason('EBUSY', 'the user is registered', ({ action, promised }) =>
        isRegistered(promised, action.gops),
      ),
      reason('ENOSPC', 'every index is taken', noIndexLeft),
      reason('EEXIST', 'a registration that has failed left its probe of sched_switch', () => false),
    ],
  ],
};

/** Whether the fprobes, which have one user together, still have to take an index for it. */
export function lacksIndex(
  asked: Omit<AskedCall<unknown>, 'action'>,
  { exit }: { readonly exit: boolean },
): boolean {
  const { promised, profile } = asked;
  return profile.fprobe === 'fgraph' && exit && !hasUserOfFprobes(promised) && noIndexLeft(asked);
}

export const REGISTER_FPROBE_IPS: CallErrnos<RegisterFprobeIps> = {
  stages: [
    [reason('EOPNOTSUPP', 'the kernel has no fprobes', ({ profile }) => profile.fprobe === 'none')],
    [
      reason('EEXIST', 'the fprobe is registered', ({ action, promised, profile }) => {
        return profile.fprobe === 'fgraph' && isRegistered(promised, action.fprobe);
      }),
    ],
    [reason('EINVAL', 'no function is named', ({ action }) => action.ips.length === 0)],
    [
      reason('EINVAL', 'an address is no call site', ({ action, promised, profile }) => {
        return profile.fprobe === 'rethook' && !action.ips.every((ip) => isCallSite(promised, ip));
      }),
      reason('ENOENT', 'an address is no call site', ({ action, promised, profile }) => {
        return profile.fprobe === 'fgraph' && !action.ips.every((ip) => isCallSite(promised, ip));
      }),
    ],
    [
      reason('ENOSPC', 'function graph has no index left', (asked) => lacksIndex(asked, asked.action)),
      reason('EEXIST', 'a registration that has failed left its probe of sched_switch', () => false),
    ],
  ],
};

/** On rethook the ops of one that was registered once refuses, and not the fprobe. */
export const UNREGISTER_FPROBE: CallErrnos<UnregisterFprobe> = {
  stages: [
    [reason('EOPNOTSUPP', 'the kernel has no fprobes', ({ profile }) => profile.fprobe === 'none')],
    [
      reason('EINVAL', 'the fprobe is not registered', ({ action, promised }) => {
        return !isRegistered(promised, action.fprobe);
      }),
      reason('EBUSY', 'the fprobe was unregistered', ({ action, promised, profile }) => {
        return profile.fprobe === 'rethook' && !isRegistered(promised, action.fprobe) && 'perhaps';
      }),
    ],
  ],
};
