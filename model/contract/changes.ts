import type { CodeName, Ip, OpsId } from '../core/ids.ts';
import { item } from '../core/present.ts';
import { fits } from './fits.ts';
import type { DirectSite, Filter, PromisedClient, Promises } from './promises.ts';

/** A client as most are: one entry handler, no return, no replacement. */
export const PLAIN = {
  site: undefined,
  filterOf: '',
  ips: [],
  ipmodify: false,
  entry: true,
  exit: false,
  post: false,
  vetoes: false,
  disabled: 'never',
  program: undefined,
  getFuncIp: false,
} as const;

/**
 * An object that is registered again is promised what was requested last, and at the end of the list: the order
 * of `clients` is the order in which handlers of one kind may be expected.
 */
export function joined(p: Promises, client: PromisedClient): Promises {
  return { ...p, clients: [...without(p, client.object).clients, client] };
}

/**
 * A program for a cgroup joins those of its hook: before them in the order of `clients`, as it runs after them, and
 * newer ones first.
 */
export function joinedCgroup(p: Promises, client: PromisedClient): Promises {
  const { clients } = without(p, client.object);
  const first = clients.findIndex(({ program, ips }) => program?.cgroup === true && ips[0] === client.ips[0]);
  return { ...p, clients: clients.toSpliced(first < 0 ? clients.length : first, 0, client) };
}

/**
 * Nothing of an object is promised any more. What a call under way still sees is no matter of promises: the
 * laws of tasks have it.
 */
export function without(p: Promises, object: string): Promises {
  return { ...p, clients: p.clients.filter((client) => client.object !== object) };
}

/** A probe of the client's is disabled, or enabled again. Its place among the others stays. */
export function switched(p: Promises, object: string, enabled: boolean): Promises {
  const clients = p.clients.map((client) => {
    if (client.object !== object || (client.disabled === 'now') !== enabled) return client;
    return { ...client, disabled: enabled ? ('before' as const) : ('now' as const) };
  });
  return { ...p, clients };
}

/** A direct call of one site. */
export function direct(site: DirectSite, addr: CodeName): PromisedClient {
  return { ...PLAIN, who: addr, object: nameOfSite(site), site, kind: 'direct', ips: [site.ip] };
}

/** The name of such a call: it is an object of its own. */
export function nameOfSite({ ops = 'direct', ip }: DirectSite): string {
  return `${ops} ${ip}`;
}

/** Whether a client is a direct call of an ops: of all its sites, or of a single one. */
export function isDirectOf(ops: OpsId, { kind, object, site }: PromisedClient): boolean {
  return kind === 'direct' && (object === ops || site?.ops === ops);
}

/** An ops that was registered with one trampoline for all its sites has one for each from now on. */
export function bySite(p: Promises, ops: OpsId): Promises {
  const clients = p.clients.flatMap((client) =>
    client.kind === 'direct' && client.object === ops
      ? client.ips.map((ip) => direct({ ops, ip }, client.who))
      : [client],
  );
  return { ...p, clients };
}

/** Direct calls of single sites call another trampoline from now on. */
export function retarget(p: Promises, hash: Readonly<Record<string, string>>): Promises {
  const clients = p.clients.map((client) => {
    const addr = client.kind === 'direct' && client.ips.length === 1 ? hash[item(client.ips, 0)] : undefined;
    return addr === undefined ? client : { ...client, who: addr };
  });
  return { ...p, clients };
}

/** Without the direct calls of single sites. */
export function withoutDirect(p: Promises, ips: readonly Ip[]): Promises {
  const clients = p.clients.filter(
    (client) => client.kind !== 'direct' || client.ips.length !== 1 || !ips.includes(item(client.ips, 0)),
  );
  return { ...p, clients };
}

/**
 * A function joins a filter, or leaves it. An address that is in the hash already is no second entry:
 * ftrace_match_addr() adds none.
 */
export function filtered(
  p: Promises,
  object: string,
  which: keyof Filter,
  ip: Ip,
  remove: boolean,
  reset: boolean,
): Promises {
  const old = p.filters[object] ?? { filter: [], notrace: [] };
  const start = reset ? [] : old[which].filter((other) => other !== ip);
  const hash = remove ? start : [...start, ip];
  return { ...p, filters: { ...p.filters, [object]: { ...old, [which]: hash } } };
}

/** What a write to a filter file leaves in the hash: `>` starts from an empty one. */
export function written(
  p: Promises,
  object: string,
  which: keyof Filter,
  { glob, remove, truncate = false }: { glob: string; remove: boolean; truncate?: boolean },
): Promises {
  const old = p.filters[object] ?? { filter: [], notrace: [] };
  const start = truncate ? { ...p, filters: { ...p.filters, [object]: { ...old, [which]: [] } } } : p;
  const unloaded = Object.values(p.modules).flatMap(({ live, functions }) => (live ? [] : functions));
  return p.functions
    .filter((fn) => glob !== '' && fits(glob, fn) && !unloaded.includes(fn))
    .reduce((q, fn) => filtered(q, object, which, fn, remove, false), start);
}

/** An object asks for nothing any more: that is, for every function. */
export function withoutFilter(p: Promises, object: string): Promises {
  return { ...p, filters: { ...p.filters, [object]: { filter: [], notrace: [] } } };
}
