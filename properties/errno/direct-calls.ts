import type { ModifyFtraceDirect } from '../../model/client/modify-ftrace-direct.ts';
import type { ModifyFtraceDirectIp } from '../../model/client/modify-ftrace-direct-ip.ts';
import type { RegisterFtraceDirect } from '../../model/client/register-ftrace-direct.ts';
import type { RegisterFtraceDirectIp } from '../../model/client/register-ftrace-direct-ip.ts';
import type { UnregisterFtraceDirect } from '../../model/client/unregister-ftrace-direct.ts';
import type { UnregisterFtraceDirectIp } from '../../model/client/unregister-ftrace-direct-ip.ts';
import type { UpdateFtraceDirectAdd } from '../../model/client/update-ftrace-direct-add.ts';
import type { UpdateFtraceDirectDel } from '../../model/client/update-ftrace-direct-del.ts';
import type { UpdateFtraceDirectMod } from '../../model/client/update-ftrace-direct-mod.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { Ip, OpsId } from '../../model/core/ids.ts';
import type { AskedCall, CallErrnos, Holds, ReasonToRefuse } from './contract.ts';
import { reason } from './contract.ts';
import {
  any,
  clientsDirectAt,
  filterNamed,
  hasDirectCall,
  hasIpmodify,
  isBySite,
  isCallSite,
  isDirectOps,
  isRegistered,
  registeredBy,
} from './promised-sites.ts';

/*
 * Direct calls: the three interfaces. A site has one direct call at most, through any interface; the answer for a second is EBUSY of
 * a registration, and EINVAL of a table.
 */

/** The owner of a client's direct call has no ops_func to agree with. */
function cannotShare(p: Promises, ips: readonly Ip[]): Holds {
  return any(
    ips.filter((ip) => isCallSite(p, ip)),
    (ip) => hasIpmodify(p, ip),
  );
}

/** The sites that an ops has, as its client knows them. */
function sitesOf(p: Promises, ops: OpsId): readonly Ip[] {
  return p.clients
    .filter(({ object, site }) => object === ops || site?.ops === ops)
    .flatMap(({ ips }) => ips);
}

function notDirect<A extends { readonly ops: OpsId }>(): ReasonToRefuse<A> {
  return reason('EINVAL', 'the ops has no direct calls', ({ action, promised }) => {
    return !isDirectOps(promised, action.ops);
  });
}

function nothingNamed<A extends { readonly hash: object }>(): ReasonToRefuse<A> {
  return reason('EINVAL', 'the table is empty', ({ action }) => Object.keys(action.hash).length === 0);
}

export const REGISTER_FTRACE_DIRECT: CallErrnos<RegisterFtraceDirect> = {
  stages: [
    [
      reason('EINVAL', 'the ops is registered', ({ action: { ops }, promised: p }) => {
        return registeredBy(p, ops) !== undefined;
      }),
      reason('EINVAL', 'the ops has a handler', ({ action: { ops }, promised: p }) =>
        p.handled.includes(ops),
      ),
      reason('EINVAL', 'its filter is empty', ({ action: { ops }, promised: p }) => {
        return filterNamed(p, ops).length === 0;
      }),
      reason('EINVAL', 'an earlier registration has failed', ({ profile }) =>
        profile.directReset ? false : 'perhaps',
      ),
    ],
    [
      reason('EBUSY', 'a site has a direct call', ({ action, promised: p, profile }) =>
        any(filterNamed(p, action.ops), (ip) => hasDirectCall(p, profile, ip)),
      ),
      reason('EBUSY', 'a direct call cannot share with IPMODIFY', ({ action, promised: p }) =>
        cannotShare(p, filterNamed(p, action.ops)),
      ),
    ],
  ],
};

export const MODIFY_FTRACE_DIRECT: CallErrnos<ModifyFtraceDirect> = {
  stages: [
    [notDirect()],
    [
      reason('EBUSY', 'a direct call cannot share with IPMODIFY', ({ action, promised: p }) =>
        cannotShare(p, sitesOf(p, action.ops)),
      ),
    ],
  ],
};

export const UNREGISTER_FTRACE_DIRECT: CallErrnos<UnregisterFtraceDirect> = { stages: [[notDirect()]] };

type AtSite = Pick<AskedCall<{ readonly ip: Ip }>, 'action' | 'promised'>;

function noSite({ action, promised }: AtSite): boolean {
  return !isCallSite(promised, action.ip);
}

function noDirectCall({ action, promised, profile }: AtSite & Pick<AskedCall<unknown>, 'profile'>): Holds {
  const has = hasDirectCall(promised, profile, action.ip);
  return has === 'perhaps' ? has : !has;
}

/** A direct call at the site that this interface did not make. */
function isOthers({ action, promised: p }: AtSite): boolean {
  const client = clientsDirectAt(p, action.ip);
  return client === undefined || !isBySite(client);
}

export const REGISTER_FTRACE_DIRECT_IP: CallErrnos<RegisterFtraceDirectIp> = {
  stages: [
    [reason('ENODEV', 'the address is no call site', noSite)],
    [
      reason('EBUSY', 'the site has a direct call', ({ action, promised, profile }) =>
        hasDirectCall(promised, profile, action.ip),
      ),
      reason('EBUSY', 'the kernel has no direct calls yet, and tracing is off', ({ promised: p }) => {
        return !p.tracing && !p.clients.some(isBySite);
      }),
      reason('EBUSY', 'a direct call cannot share with IPMODIFY', ({ action, promised: p }) =>
        cannotShare(p, [action.ip]),
      ),
    ],
  ],
};

export const MODIFY_FTRACE_DIRECT_IP: CallErrnos<ModifyFtraceDirectIp> = {
  stages: [
    [
      reason('ENODEV', 'the address is no call site', noSite),
      reason('ENODEV', 'the site has no direct call', noDirectCall),
    ],
    [
      reason('EINVAL', 'the direct call has another address', ({ action: { ip, oldAddr }, promised: p }) => {
        return clientsDirectAt(p, ip)?.who !== oldAddr;
      }),
      reason('EINVAL', 'no direct call by address has this trampoline', ({ action, promised: p }) => {
        if (!p.clients.some((client) => isBySite(client) && client.who === action.oldAddr)) return true;
        return isOthers({ action, promised: p }) ? 'perhaps' : false;
      }),
    ],
  ],
};

export const UNREGISTER_FTRACE_DIRECT_IP: CallErrnos<UnregisterFtraceDirectIp> = {
  stages: [
    [
      reason('ENODEV', 'the address is no call site', noSite),
      reason('ENODEV', 'the site has no direct call', noDirectCall),
    ],
    [reason('ENOENT', 'the direct call was made by an ops', isOthers)],
  ],
};

export const UPDATE_FTRACE_DIRECT_ADD: CallErrnos<UpdateFtraceDirectAdd> = {
  stages: [
    [
      nothingNamed(),
      reason('EINVAL', 'a site has a direct call', ({ action, promised: p, profile }) =>
        any(Object.keys(action.hash), (ip) => hasDirectCall(p, profile, ip)),
      ),
      reason('EINVAL', 'the ops is in use for something else', ({ action: { ops }, promised: p }) => {
        const isUsed = p.handled.includes(ops) || isRegistered(p, ops);
        if (!isUsed || isDirectOps(p, ops)) return false;
        return filterNamed(p, ops).length === 0 ? true : 'perhaps';
      }),
    ],
    [
      reason(
        'EBUSY',
        'a direct call cannot share with IPMODIFY',
        ({ action: { ops, hash }, promised: p }) => {
          const isFirst = filterNamed(p, ops).length === 0 || isDirectOps(p, ops);
          return (
            cannotShare(p, Object.keys(hash)) && (isFirst ? cannotShare(p, Object.keys(hash)) : 'perhaps')
          );
        },
      ),
    ],
  ],
};

export const UPDATE_FTRACE_DIRECT_DEL: CallErrnos<UpdateFtraceDirectDel> = {
  stages: [
    [
      nothingNamed(),
      notDirect(),
      reason('EINVAL', 'a site does not call there', ({ action: { hash }, promised: p }) =>
        Object.entries(hash).some(([ip, addr]) => clientsDirectAt(p, ip)?.who !== addr),
      ),
    ],
  ],
};

export const UPDATE_FTRACE_DIRECT_MOD: CallErrnos<UpdateFtraceDirectMod> = {
  stages: [
    [nothingNamed(), notDirect()],
    [
      reason('EBUSY', 'a direct call cannot share with IPMODIFY', ({ action, promised: p }) =>
        cannotShare(p, sitesOf(p, action.ops)),
      ),
    ],
  ],
};
