import type { Action, ActionOf } from '../../model/action.ts';
import type { Client, Promises } from '../../model/contract/promises.ts';
import { filterOf } from '../../model/contract/promises.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Kernel } from '../../model/kernel.ts';
import { allCalls, expectedCall } from './expectation.ts';
import { hooksThroughGraph, isCalledByGraph, multiLinksOnGraph } from './on-graph.ts';

/** What an action is about: functions, and objects of clients by name. */
export interface Footprint {
  /** Undefined: every function. */
  readonly functions: readonly string[] | undefined;
  readonly objects: readonly string[];
}

/** Whether two actions have nothing to do with each other: no function and no object is touched by both. */
export function areIndependent(a: Footprint, b: Footprint): boolean {
  if (a.functions === undefined || b.functions === undefined) return false;
  const shared = a.functions.some((fn) => b.functions!.includes(fn));
  return !shared && !a.objects.some((object) => b.objects.includes(object));
}

const KPROBES: readonly Action['do'][] = [
  'register_kprobe',
  'unregister_kprobe',
  'register_kretprobe',
  'unregister_kretprobe',
];
const FPROBES: readonly Action['do'][] = [
  'register_fprobe_ips',
  'unregister_fprobe',
  'BPF_LINK_CREATE',
  'close(link)',
];

/** Whether two actions may share an ops: that stands in the list of ops where the first of its users came in. */
export function shareOps(a: Action, b: Action): boolean {
  return [KPROBES, FPROBES].some((sharers) => sharers.includes(a.do) && sharers.includes(b.do));
}

/**
 * The index that a user of function graph has decides whom else's returns it is told of, and in which order. All
 * fprobes with an exit handler have one together, which the first of them takes and the last gives back.
 */
const GRAPH_INDEX = 'the indices of function graph';

/**
 * What an action touches, by what clients were promised before it; undefined for what concerns everybody (the sysctl,
 * time, an ordered failure) and for programs that are not attached yet. One switch, longer than it should be on purpose: a case for each interface.
 */
export function footprintOf(p: Promises, k: Kernel, action: Action): Footprint | undefined {
  switch (action.do) {
    case 'ftrace_ops':
    case 'ftrace_free_filter':
      return { functions: [], objects: [action.ops] };
    case 'kfree':
      return { functions: [], objects: [action.object] };
    case 'ftrace_set_filter_ip':
    case 'ftrace_set_notrace':
      return ofFilter(p, action.ops, action.ip);
    case 'register_ftrace_function':
    case 'unregister_ftrace_function':
      return { functions: traced(p, action.ops), objects: [action.ops] };
    case 'register_ftrace_direct':
    case 'modify_ftrace_direct':
    case 'unregister_ftrace_direct':
      return {
        functions: traced(p, action.ops),
        objects: [action.ops, action.addr, ...addressesOf(p, action.ops)],
      };
    case 'register_ftrace_direct(ip)':
    case 'unregister_ftrace_direct(ip)':
      return { functions: [action.ip], objects: [action.addr] };
    case 'modify_ftrace_direct(ip)':
      return { functions: [action.ip], objects: [action.oldAddr, action.newAddr] };
    case 'update_ftrace_direct_add':
    case 'update_ftrace_direct_mod':
    case 'update_ftrace_direct_del':
      return {
        functions: Object.keys(action.hash),
        objects: [action.ops, ...Object.values(action.hash)],
      };
    case 'register_kprobe':
    case 'register_kretprobe': {
      const object = 'kprobe' in action ? action.kprobe : action.kretprobe;
      return { functions: [action.ip], objects: [object] };
    }
    case 'unregister_kprobe':
      return ofClient(p, k, action.kprobe);
    case 'unregister_kretprobe':
      return ofClient(p, k, action.kretprobe);
    case 'register_fprobe_ips':
      return {
        functions: action.ips,
        objects: [action.fprobe, ...indexOf(p, k, action.exit)],
      };
    case 'unregister_fprobe':
      return ofClient(p, k, action.fprobe);
    case 'register_ftrace_graph':
    case 'unregister_ftrace_graph':
      return {
        functions: traced(p, graphFilter(p, action.gops)),
        objects: [action.gops, GRAPH_INDEX],
      };
    case 'BPF_LINK_CREATE':
    case 'BPF_RAW_TRACEPOINT_OPEN':
      return ofLink(p, k, action.link, action.prog, 'targets' in action ? action.targets : []);
    case 'close(link)':
      return ofClient(p, k, action.link);
    case 'call':
      return ofCall(p, k, action);
    default:
      return undefined;
  }
}

/** The functions of an object's filter; undefined: all. */
function traced({ filters }: Promises, object: string): readonly string[] | undefined {
  const { filter, notrace } = filters[object] ?? { filter: [], notrace: [] };
  return filter.length === 0 || notrace.length > 0 ? undefined : filter;
}

function graphFilter({ graphFilter }: Promises, gops: string): string {
  return graphFilter === 'own' ? `${gops}.ops` : 'global_ops';
}

/** A filter that nobody uses yet is memory of its client's; one in use may come to mean every function. */
function ofFilter(p: Promises, object: string, ip: string): Footprint {
  const objects = object.endsWith('.ops') ? [object, GRAPH_INDEX] : [object];
  const used = p.clients.some((client) => client.filterOf === object || client.object === object);
  const functions = traced(p, object);
  if (!used) return { functions: [], objects };
  return {
    functions: functions === undefined || functions.length < 2 ? undefined : [...functions, ip],
    objects,
  };
}

/** The trampolines that a direct ops leads to now. */
function addressesOf({ clients }: Promises, object: string): string[] {
  return clients.filter((client) => client.object === object).map(({ who }) => who);
}

/** Everything that was attached by one object. */
function ofClient(p: Promises, k: Kernel, object: string): Footprint {
  const own = p.clients.filter((client) => client.object === object);
  const index = own.some((client) => isCalledByGraph(k, client))
    ? [GRAPH_INDEX]
    : indexOf(
        p,
        k,
        own.some((client) => isOnGraph(k, client)),
      );
  return {
    functions: own.flatMap((client) => filterOf(p, client).filter),
    objects: [object, ...own.map(({ who }) => who), ...index],
  };
}

function ofLink(p: Promises, k: Kernel, link: string, prog: number, targets: readonly string[]): Footprint {
  const load = p.programs[prog];
  const functions = targets.length > 0 || load === undefined ? targets : [load.target];
  const exit = load !== undefined && load.probe !== '' && load.probe !== 'entry';
  const graph = load?.program.multi === true && multiLinksOnGraph(k);
  return { functions, objects: [link, `prog#${prog}`, ...(graph ? [GRAPH_INDEX] : indexOf(p, k, exit))] };
}

function ofCall(p: Promises, k: Kernel, action: ActionOf<'call'>): Footprint {
  const calls = allCalls(expectedCall(k, p, action));
  const followed = calls.some(({ clients }) => clients.some((client) => isOnGraph(k, client)));
  return { functions: calls.map(({ fn }) => fn), objects: followed ? [GRAPH_INDEX] : [] };
}

/** Whether the client's returns are followed by function graph. */
function isOnGraph(k: Kernel, client: Client): boolean {
  return client.kind === 'graph' || hooksThroughGraph(k, client);
}

/** An fprobe with an exit handler takes the index if it is the first, and gives it back if it is the last. */
function indexOf({ clients }: Promises, k: Kernel, exit: boolean): string[] {
  if (!exit || profileNamed(k.profile).fprobe !== 'fgraph') return [];
  const others = clients.filter(
    (client) => client.kind !== 'graph' && client.kind !== 'program' && isOnGraph(k, client),
  );
  return others.length < 2 ? [GRAPH_INDEX] : [];
}
