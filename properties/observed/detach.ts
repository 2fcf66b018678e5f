import type { Action } from '../../model/client/all.ts';
import type { ProbePromise, PromisedClient } from '../../model/contract/promises.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { ftraceJmpGet } from '../../model/ftrace/jmp.ts';

/** The action that detaches a client; the filter of a direct call's ops is freed with it, or kept. */
export function detachOf({ kind, object, site, who }: PromisedClient, freeFilters: boolean): Action {
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

/** The action after which hits of a tracepoint no longer call a probe or program. */
export function removalOf({ tracepoint, who, object, data }: ProbePromise): Action {
  if (data === undefined) return { do: 'close(link)', link: object };
  return { do: 'tracepoint_probe_unregister', tracepoint, func: who, data };
}
