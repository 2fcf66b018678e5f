import type { Action } from '../../model/client/all.ts';
import type { ProbePromise, PromisedClient, Promises } from '../../model/contract/promises.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { ftraceJmpGet } from '../../model/ftrace/jmp.ts';

/** The action that detaches a client; the filter of a direct call's ops is freed with it, or kept. */
export function detachOf({ kind, object, site, who, onEvent }: PromisedClient, freeFilters: boolean): Action {
  // `removalsOf()` closes the event then.
  if (onEvent !== undefined && onEvent.link !== '') return { do: 'close(link)', link: onEvent.link };
  if (onEvent !== undefined) return { do: 'close(perf_event)', event: object };
  switch (kind) {
    case 'ftrace':
      return { do: 'unregister_ftrace_function', ops: object };
    case 'graph':
      return { do: 'unregister_ftrace_graph', gops: object };
    case 'kprobe':
    case 'kprobe in body':
      return { do: 'unregister_kprobe', kprobe: object };
    case 'kretprobe':
      return { do: 'unregister_kretprobe', kretprobe: object };
    case 'fprobe':
      return { do: 'unregister_fprobe', fprobe: object };
    case 'program':
    case 'extension':
    case 'kprobe.multi':
      return { do: 'close(link)', link: object };
    case 'xdp':
      return { do: 'dev_change_xdp_fd', dev: object, prog: 0 };
    case 'direct': {
      if (site === undefined)
        return { do: 'unregister_ftrace_direct', ops: object, addr: ftraceJmpGet(who), freeFilters };
      const { ops, ip } = site;
      if (ops === undefined) return { do: 'unregister_ftrace_direct(ip)', ip, addr: who };
      return { do: 'update_ftrace_direct_del', ops, hash: { [ip]: who } };
    }
    default:
      return unreachable(kind);
  }
}

/** The actions after which hits of tracepoints no longer call any probe or program, the newest first. */
export function removalsOf({ probes, events }: Promises): Action[] {
  const open = Object.keys(events).filter((event) => events[event]?.open === true);
  return [
    ...probes.toReversed().flatMap(removals),
    ...open.toReversed().map((event): Action => ({ do: 'close(perf_event)', event })),
  ];
}

/** Of a probe or a link; of perf events the links, which hold them. */
function removals({ tracepoint, who, object, data, programs }: ProbePromise): Action[] {
  if (data !== undefined) return [{ do: 'tracepoint_probe_unregister', tracepoint, func: who, data }];
  const links = programs?.flatMap((program) => (program.object === program.event ? [] : [program.object]));
  return (links?.toReversed() ?? [object]).map((link) => ({ do: 'close(link)', link }));
}
