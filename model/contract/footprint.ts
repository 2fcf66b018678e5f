import type { CodeName, FunctionName, GraphOpsId, Ip, LinkId, OpsId, ProgId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { GLOBAL_OPS } from '../ftrace/ops.ts';
import type { KernelView } from '../kernel.ts';
import { functionOf } from '../text/body-address.ts';
import { isDirectOf } from './changes.ts';
import { hooksThroughGraph, isCalledByGraph, multiLinksOnGraph } from './on-graph.ts';
import type { PromisedClient, Promises } from './promises.ts';
import { filterOf, isLoadedForOne } from './promises.ts';

/*
 * Two calls that touch nothing in common should give the same kernel in either order. A footprint is computed
 * from the promises and never from the kernel, because the mechanism is what that law tests. It errs on the
 * large side: an effect on every function when a filter can come to mean all of them.
 */

/** The functions and the objects that a call touches. */
export interface Footprint {
  /** Undefined: every function. */
  readonly functions: readonly string[] | undefined;
  readonly objects: readonly string[];
}

/** An effect on every function, or on those of a module, which no other call touches then. */
export const EVERYWHERE: Footprint = { functions: undefined, objects: [] };

/**
 * The index of a user of function graph decides which other users' returns it sees, and in which order. All
 * fprobes with an exit handler have one together, which the first of them takes and the last gives back.
 */
export const GRAPH_INDEX = 'the indices of function graph';

/** The functions of an object's filter; undefined: all. */
export function traced({ filters }: Promises, object: string): readonly string[] | undefined {
  const { filter, notrace } = filters[object] ?? { filter: [], notrace: [] };
  return filter.length === 0 || notrace.length > 0 ? undefined : filter;
}

/** A user of function graph, and whatever its filter says. */
export function ofGraph(p: Promises, gops: GraphOpsId): Footprint {
  const filter = p.graphFilter === 'own' ? `${gops}.ops` : GLOBAL_OPS;
  return { functions: traced(p, filter), objects: [gops, GRAPH_INDEX] };
}

/** A filter that no ops on the list uses yet is memory of its client; one in use may come to mean every function. */
export function ofFilter(p: Promises, object: string, ...ips: readonly Ip[]): Footprint {
  const objects = object.endsWith('.ops') ? [object, GRAPH_INDEX] : [object];
  const used = p.clients.some((client) =>
    [client.filterOf, client.object, client.site?.ops].includes(object),
  );
  const functions = traced(p, object);
  if (!used) return { functions: [], objects };
  return {
    functions: functions === undefined || functions.length < 2 ? undefined : [...functions, ...ips],
    objects,
  };
}

/**
 * A direct call by an ops: the trampoline that is named, and those that the ops calls now. Trampolines are
 * objects, because the entries of one address are removed together (remove_direct_functions_hash()).
 */
export function ofDirect(p: Promises, ops: OpsId, addr: CodeName): Footprint {
  const own = p.clients.filter((client) => isDirectOf(ops, client));
  const sites = own.flatMap(({ site, ips }) => (site === undefined ? [] : ips));
  const functions = sites.length > 0 ? [...new Set([...sites, ...(traced(p, ops) ?? [])])] : traced(p, ops);
  return { functions, objects: [ops, addr, ...own.map(({ who }) => who)] };
}

/** Direct calls of single sites. */
export function ofHash(ops: OpsId, hash: Readonly<Record<string, string>>): Footprint {
  return { functions: Object.keys(hash), objects: [ops, ...Object.values(hash)] };
}

/** Everything that was attached by one object. */
export function ofClient(p: Promises, k: KernelView, object: string): Footprint {
  const own = p.clients.filter((client) => client.object === object);
  const index = own.some((client) => isCalledByGraph(k, client))
    ? [GRAPH_INDEX]
    : indexOf(
        p,
        k,
        own.some((client) => isOnGraph(k, client)),
      );
  return {
    functions: own.flatMap((client) => filterOf(p, client).filter.map(functionOf)),
    objects: [object, ...own.map(({ who }) => who), ...index],
  };
}

/**
 * A link that is made: its targets, or the target of its program. An unknown program is EBADF, and touches
 * nothing more.
 */
export function ofLink(
  p: Promises,
  k: KernelView,
  link: LinkId,
  prog: ProgId,
  targets: readonly FunctionName[],
): Footprint {
  const load = p.programs[prog];
  const functions = load !== undefined && isLoadedForOne(load) ? [load.target] : targets;
  const exit = load !== undefined && load.probe !== '' && load.probe !== 'entry';
  const graph = load?.program.multi === true && multiLinksOnGraph(k);
  return { functions, objects: [link, `prog#${prog}`, ...(graph ? [GRAPH_INDEX] : indexOf(p, k, exit))] };
}

/** Whether the client's returns are followed by function graph. */
export function isOnGraph(k: KernelView, client: PromisedClient): boolean {
  return client.kind === 'graph' || hooksThroughGraph(k, client);
}

/** An fprobe with an exit handler takes the index if it is the first, and gives it back if it is the last. */
export function indexOf({ clients }: Promises, k: KernelView, exit: boolean): string[] {
  if (!exit || profileNamed(k.profile).fprobe !== 'fgraph') return [];
  const others = clients.filter(
    (client) => client.kind !== 'graph' && client.kind !== 'program' && isOnGraph(k, client),
  );
  return others.length < 2 ? [GRAPH_INDEX] : [];
}
