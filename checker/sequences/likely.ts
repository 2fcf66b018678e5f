import type { Action } from '../../model/action.ts';
import { probeName } from '../../model/contract/promised-hits.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { DirectHash } from '../../model/ftrace/direct-hash.ts';

/** In how many cases of ten an action is done although it is not sensible. */
export function rashness({ do: kind }: Action): number {
  return RASH[kind] ?? 1;
}

/** What would otherwise hardly ever meet the refusals that it has. */
const RASH: Partial<Record<Action['do'], number>> = {
  ftrace_set_filter_ip: 4,
  modify_ftrace_direct: 3,
  unregister_ftrace_direct: 3,
  'modify_ftrace_direct(ip)': 3,
  'unregister_ftrace_direct(ip)': 3,
  unregister_fprobe: 3,
};

/**
 * Whether a sensible client would do this now. A search does mostly what is sensible, and sometimes not: refusals are
 * part of what is checked, but a sequence of refusals gets nowhere. One switch, longer than it should be on purpose: a case for each interface.
 */
export function isLikely(p: Promises, action: Action): boolean {
  const live = (object: string) => [...p.clients, ...p.probes].some((client) => client.object === object);
  const filter = (object: string) => p.filters[object]?.filter ?? [];
  switch (action.do) {
    case 'ftrace_ops':
      return !live(action.ops) && p.flags[action.ops] === undefined;
    case 'ftrace_set_filter_ip':
      return (
        action.remove === filter(action.ops).includes(action.ip) &&
        !live(action.ops) &&
        (!action.ops.startsWith('ops#') || p.flags[action.ops] !== undefined)
      );
    case 'register_ftrace_function':
      return !live(action.ops) && p.flags[action.ops] !== undefined && filter(action.ops).length > 0;
    case 'unregister_ftrace_function':
    case 'modify_ftrace_direct':
      return live(action.ops);
    case 'register_ftrace_direct':
      return !live(action.ops) && filter(action.ops).length > 0;
    case 'unregister_ftrace_direct':
      return p.clients.some(({ object, who }) => object === action.ops && who === action.addr);
    case 'modify_ftrace_direct(ip)':
      return p.clients.some(
        ({ kind, who, ips }) => kind === 'direct' && who === action.oldAddr && ips[0] === action.ip,
      );
    case 'unregister_ftrace_direct(ip)':
      return p.clients.some(({ object, who }) => object === `direct ${action.ip}` && who === action.addr);
    case 'update_ftrace_direct_add':
      return isAmongDirect(p, action.hash, 'none');
    case 'update_ftrace_direct_mod':
      return isAmongDirect(p, action.hash, 'site');
    case 'update_ftrace_direct_del':
      return isAmongDirect(p, action.hash, 'site and address');
    case 'register_ftrace_graph':
      return (
        !live(action.gops) && (filter(`${action.gops}.ops`).length > 0 || filter('global_ops').length > 0)
      );
    case 'unregister_ftrace_graph':
      return live(action.gops);
    case 'register_kprobe':
      return !live(action.kprobe);
    case 'unregister_kprobe':
      return live(action.kprobe);
    case 'register_kretprobe':
      return !live(action.kretprobe);
    case 'unregister_kretprobe':
      return live(action.kretprobe);
    case 'register_fprobe_ips':
      return !live(action.fprobe);
    case 'unregister_fprobe':
      return live(action.fprobe);
    case 'BPF_PROG_LOAD':
      return p.programs[action.program.id] === undefined;
    case 'BPF_LINK_CREATE':
    case 'BPF_RAW_TRACEPOINT_OPEN':
      return !live(action.link) && p.programs[action.prog] !== undefined;
    case 'close(link)':
      return live(action.link);
    case 'tracepoint_probe_register_prio':
      return !live(probeName(action));
    case 'tracepoint_probe_unregister':
      return live(probeName(action));
    case 'init_module':
      return p.modules[action.module]?.live === false;
    case 'delete_module':
      return p.modules[action.module]?.live === true;
    case 'kernel.ftrace_enabled':
      return action.value !== p.tracing;
    case 'close(prog)':
      return false;
    default:
      return true;
  }
}

/** Whether a table has an entry, and each of them, or none, has a direct call already. */
function isAmongDirect(p: Promises, hash: DirectHash, what: 'none' | 'site' | 'site and address'): boolean {
  const entries = Object.entries(hash);
  const has = ([ip, addr]: [string, string]) =>
    p.clients.some(
      ({ kind, ips, who }) =>
        kind === 'direct' && ips.includes(ip) && (what !== 'site and address' || who === addr),
    );
  return entries.length > 0 && (what === 'none' ? !entries.some(has) : entries.every(has));
}
