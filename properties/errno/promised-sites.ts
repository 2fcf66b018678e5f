import type { PromisedClient, Promises } from '../../model/contract/promises.ts';
import { filterOf } from '../../model/contract/promises.ts';
import type { Ip, OpsId } from '../../model/core/ids.ts';
import type { Profile } from '../../model/core/profile.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_PERMANENT } from '../../model/ftrace/ops.ts';
import { functionOf } from '../../model/text/body-address.ts';
import type { Holds } from './contract.ts';

/*
 * The owners of call sites, as clients were promised: what makes a function taken, for a direct call or for a change of
 * `regs->ip`.
 */

/** A call site that ftrace knows: of a declared function, whose module is loaded. */
export function isCallSite(p: Promises, ip: Ip): boolean {
  return p.functions.includes(ip) && !isUnloaded(p, ip);
}

/** Its module has been unloaded, so that no symbol is there. */
export function isUnloaded(p: Promises, ip: Ip): boolean {
  return Object.values(p.modules).some(({ live, functions }) => !live && functions.includes(functionOf(ip)));
}

/** Whether one holds for sure, then whether one may. */
export function any<T>(list: readonly T[], holds: (item: T) => Holds): Holds {
  const answers = list.map(holds);
  return answers.includes(true) || (answers.includes('perhaps') && 'perhaps');
}

/** A direct call that a client made, through any interface. */
export function clientsDirectAt({ clients }: Promises, ip: Ip): PromisedClient | undefined {
  return clients.find(({ kind, ips }) => kind === 'direct' && ips.includes(ip));
}

/**
 * A site has a direct call: a client's, or that of a BPF trampoline. Whether one of a multi link is a direct call is a
 * matter of its design.
 */
export function hasDirectCall(p: Promises, profile: Profile, ip: Ip): Holds {
  const { multiLinks } = profile;
  if (clientsDirectAt(p, ip) !== undefined) return true;
  if (mayHaveShim(p, profile, ip)) return 'perhaps';
  return any(p.clients, ({ kind, ips }) => {
    if (kind !== 'program' || !ips.includes(ip) || p.bpf.includes(ip)) return false;
    return isOwnMultiLinks(multiLinks) ? true : 'perhaps';
  });
}

/** A design of multi links may trace a function by a direct call that does not share with IPMODIFY. */
export function isOfDesign({ clients }: Promises, { multiLinks }: Profile, ip: Ip): boolean {
  return (
    !isOwnMultiLinks(multiLinks) && clients.some(({ kind, ips }) => kind === 'program' && ips.includes(ip))
  );
}

/** The last link of a hook to a cgroup takes its shim along, at once or in a work item after it was closed. */
function mayHaveShim({ programs }: Promises, { linkPut }: Profile, ip: Ip): boolean {
  const isOfHook = Object.values(programs).some(
    ({ program, target }) => program.cgroup === true && target === ip,
  );
  return linkPut === 'work item' && isOfHook;
}

/** The multi links of the kernels themselves, whose trampolines are those of single links; and no design besides. */
export function isOwnMultiLinks(multiLinks: string): boolean {
  return multiLinks === 'none' || multiLinks === 'tracing multi';
}

/**
 * A site has an IPMODIFY ops of another client: one that asks for it, or the one that kprobes with a post_handler share.
 * An address keeps that one when such a kprobe leaves it before the others.
 */
export function hasIpmodify(p: Promises, ip: Ip, except = ''): Holds {
  return any(p.clients, (client) => {
    if (client.object === except) return false;
    if (isKprobe(client)) return client.ips.includes(ip) ? 'perhaps' : false;
    return client.kind === 'ftrace' && client.ipmodify && filterOf(p, client).filter.includes(ip);
  });
}

/** At a call site, through one of the two ops that all of them share. */
export function isKprobe({ kind }: PromisedClient): boolean {
  return kind === 'kprobe' || kind === 'kretprobe';
}

/** The client that was registered by an ops: as a whole, or by one of the sites in its table. */
export function registeredBy({ clients }: Promises, ops: OpsId): PromisedClient | undefined {
  return clients.find(({ object, site }) => object === ops || site?.ops === ops);
}

export function isRegistered(p: Promises, object: string): boolean {
  return p.clients.some((client) => client.object === object);
}

export function isDirectOps(p: Promises, ops: OpsId): boolean {
  return registeredBy(p, ops)?.kind === 'direct';
}

export function filterNamed({ filters }: Promises, object: string): readonly Ip[] {
  return filters[object]?.filter ?? [];
}

export function isIpmodify({ flags }: Promises, ops: OpsId): boolean {
  return ((flags[ops] ?? 0) & FTRACE_OPS_FL_IPMODIFY) !== 0;
}

export function isPermanent({ flags }: Promises, ops: OpsId): boolean {
  return ((flags[ops] ?? 0) & FTRACE_OPS_FL_PERMANENT) !== 0;
}

/** Direct calls by address: the kernel's own ops has them, which is PERMANENT. */
export function isBySite({ kind, site }: PromisedClient): boolean {
  return kind === 'direct' && site !== undefined && site.ops === undefined;
}
