import type { DisableKprobe } from '../../model/client/disable-kprobe.ts';
import type { EnableKprobe } from '../../model/client/enable-kprobe.ts';
import type { PerfEventOpenKprobe } from '../../model/client/perf-event-open-kprobe.ts';
import type { RegisterKprobe } from '../../model/client/register-kprobe.ts';
import type { RegisterKretprobe } from '../../model/client/register-kretprobe.ts';
import type { PromisedClient, Promises } from '../../model/contract/promises.ts';
import { filterOf } from '../../model/contract/promises.ts';
import type { Ip } from '../../model/core/ids.ts';
import { functionOf, ipAt, isInBody } from '../../model/text/body-address.ts';
import type { AskedCall, CallErrnos, Holds } from './contract.ts';
import { perhapsIf, reason } from './contract.ts';
import {
  clientsDirectAt,
  isCallSite,
  isKprobe,
  isOfDesign,
  isRegistered,
  isUnloaded,
} from './promised-sites.ts';

/*
 * Kprobes and kretprobes (Documentation/trace/kprobes.rst): -ENOENT where no symbol is, -EINVAL for a bad address or a
 * second registration, -EILSEQ within an instruction. Those with a post_handler share an IPMODIFY ops, which another such
 * ops, or the owner of a direct call, keeps off.
 */

function addressOf({ ip, offset = 0 }: { readonly ip: Ip; readonly offset?: number }): Ip {
  return ipAt(ip, offset);
}

/** The text of the kernel and of modules has kprobes; that of a BPF program has none. */
function isProbedText(p: Promises, ip: Ip): boolean {
  return p.functions.includes(functionOf(ip));
}

function probesAt({ clients }: Promises, ip: Ip): readonly PromisedClient[] {
  return clients.filter((client) => isKprobe(client) && client.ips.includes(ip));
}

/**
 * Arming for the first enabled probe of an address asks for IPMODIFY if one of its probes has, or had, a post_handler. The
 * owner of a direct call agrees, or not, with the first address of all alone.
 */
function cannotBeArmed(
  { promised: p, profile }: Pick<AskedCall<unknown>, 'promised' | 'profile'>,
  ip: Ip,
  post: boolean,
): Holds {
  const others = probesAt(p, ip);
  if (!isCallSite(p, ip) || (others.length === 0 && !post)) return false;
  const isArmed = others.some(({ disabled, onEvent }) => disabled !== 'now' && onEvent === undefined);
  // Unless that one has failed, and its client does not know.
  if (isArmed && !profile.kprobeErrorLost) return false;
  const isPatched = p.clients.some(
    (client) => client.kind === 'ftrace' && client.ipmodify && filterOf(p, client).filter.includes(ip),
  );
  if (isPatched) return others.length === 0 ? true : 'perhaps';
  return perhapsIf(clientsDirectAt(p, ip) !== undefined || isOfDesign(p, profile, ip));
}

/** 7.2 answers 0 for the first probe of an address, although it could not be armed. */
function cannotBeRegistered(
  known: Pick<AskedCall<unknown>, 'promised' | 'profile'>,
  ip: Ip,
  post: boolean,
): Holds {
  const isFirst = probesAt(known.promised, ip).length === 0;
  return !(isFirst && known.profile.kprobeErrorLost) && cannotBeArmed(known, ip, post);
}

export const REGISTER_KPROBE: CallErrnos<RegisterKprobe> = {
  stages: [
    [
      reason('ENOENT', 'no symbol has the address', ({ action, promised }) =>
        isUnloaded(promised, action.ip),
      ),
    ],
    [
      reason('EINVAL', 'the address is not of the text of the kernel', ({ action, promised }) => {
        return !isProbedText(promised, action.ip);
      }),
      reason('EINVAL', 'the kprobe is registered', ({ action, promised }) => {
        return isRegistered(promised, action.kprobe);
      }),
    ],
    [
      reason('EILSEQ', 'no instruction begins there', ({ action, declared }) => {
        const ip = addressOf(action);
        return isInBody(ip) && !declared.isInstruction(ip);
      }),
    ],
    [
      reason('EBUSY', 'another IPMODIFY ops, or a direct call, has the function', (asked) => {
        const ip = addressOf(asked.action);
        if (isInBody(ip) || asked.action.disabled === true) return false;
        return cannotBeRegistered(asked, ip, asked.action.post);
      }),
    ],
  ],
};

export const REGISTER_KRETPROBE: CallErrnos<RegisterKretprobe> = {
  stages: [
    [
      reason('ENOENT', 'no symbol has the address', ({ action, promised }) =>
        isUnloaded(promised, action.ip),
      ),
    ],
    [
      reason('EINVAL', 'the address is no function entry', ({ action, promised }) => {
        return !isCallSite(promised, action.ip);
      }),
      reason('EINVAL', 'the kretprobe is registered', ({ action, promised }) => {
        return isRegistered(promised, action.kretprobe);
      }),
    ],
    [
      reason('EBUSY', 'another IPMODIFY ops, or a direct call, has the function', (asked) => {
        return cannotBeRegistered(asked, asked.action.ip, false);
      }),
    ],
  ],
};

function notRegistered({ action, promised }: AskedCall<DisableKprobe | EnableKprobe>): boolean {
  return !isRegistered(promised, action.kp);
}

export const DISABLE_KPROBE: CallErrnos<DisableKprobe> = {
  stages: [[reason('EINVAL', 'the kprobe is not registered', notRegistered)]],
};

export const ENABLE_KPROBE: CallErrnos<EnableKprobe> = {
  stages: [
    [
      reason('EINVAL', 'the kprobe is not registered', notRegistered),
      reason('EINVAL', 'its module has been unloaded', ({ action, promised: p }) => {
        const ips = p.clients.filter(({ object }) => object === action.kp).flatMap(({ ips }) => ips);
        return ips.some((ip) => !isProbedText(p, ip));
      }),
    ],
    [
      reason('EBUSY', 'another IPMODIFY ops, or a direct call, has the function', (asked) => {
        const { action, promised: p } = asked;
        const own = p.clients.find(({ object }) => object === action.kp);
        if (own === undefined || own.disabled !== 'now') return false;
        return perhapsIf(own.ips.some((ip) => cannotBeArmed(asked, ip, true) !== false));
      }),
    ],
  ],
};

export const PERF_EVENT_OPEN_KPROBE: CallErrnos<PerfEventOpenKprobe> = {
  stages: [
    [
      reason('ENOENT', 'no symbol has this name', ({ action, promised }) => {
        return !isCallSite(promised, action.ip);
      }),
    ],
    [
      reason('EINVAL', 'returns are of a function entry', ({ action }) => {
        return action.on === 'kretprobe' && isInBody(addressOf(action));
      }),
      reason('EILSEQ', 'no instruction begins there', ({ action, declared }) => {
        const ip = addressOf(action);
        return isInBody(ip) && !declared.isInstruction(ip);
      }),
    ],
    [
      reason('EBUSY', 'another IPMODIFY ops, or a direct call, has the function', (asked) => {
        return cannotBeArmed(asked, addressOf(asked.action), false);
      }),
    ],
  ],
};
