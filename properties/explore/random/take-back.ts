import type { Action } from '../../../model/action.ts';
import type { Client, Promises } from '../../../model/promises.ts';

/** The action that takes back one of the things that are attached; undefined when nothing is. */
export function takenBack(p: Promises, which: number): Action | undefined {
  const client = p.clients[which % Math.max(p.clients.length, 1)];
  if (client === undefined) return undefined;
  const { object } = client;
  switch (client.kind) {
    case 'ftrace':
      return { do: 'unregister_ftrace_function', ops: object };
    case 'direct':
      return withoutDirectCall(client);
    case 'graph':
      return { do: 'unregister_ftrace_graph', gops: object };
    case 'kprobe':
      return { do: 'unregister_kprobe', kprobe: object };
    case 'kretprobe':
      return { do: 'unregister_kretprobe', kretprobe: object };
    case 'fprobe':
      return { do: 'unregister_fprobe', fprobe: object };
    case 'program':
    case 'extension':
    case 'kprobe.multi':
      return { do: 'close(link)', link: object };
  }
}

/** By the interface that it came by: of a site, of a table, or of an ops. */
function withoutDirectCall({ object, who, ips }: Client): Action {
  const [owner = '', ip] = object.split(' ');
  if (ip === undefined) return { do: 'unregister_ftrace_direct', ops: owner, addr: who, freeFilters: false };
  if (owner === 'direct') return { do: 'unregister_ftrace_direct(ip)', ip, addr: who };
  return { do: 'update_ftrace_direct_del', ops: owner, hash: { [ips[0]!]: who } };
}

/** Gives back the memory of what a client took back last, or its program; undefined when there is nothing like that. */
export function gaveBack(setup: readonly Action[], script: readonly Action[]): Action | undefined {
  const last = script.at(-1);
  switch (last?.do) {
    case 'close(link)': {
      const prog = programOf([...setup, ...script], last.link);
      return prog === undefined ? undefined : { do: 'close(prog)', prog };
    }
    case 'unregister_ftrace_function':
    case 'unregister_ftrace_direct':
      return { do: 'kfree', object: last.ops };
    case 'unregister_ftrace_graph':
      return { do: 'kfree', object: last.gops };
    case 'unregister_kprobe':
      return { do: 'kfree', object: last.kprobe };
    case 'unregister_kretprobe':
      return { do: 'kfree', object: last.kretprobe };
    case 'unregister_fprobe':
      return { do: 'kfree', object: last.fprobe };
    default:
      return undefined;
  }
}

/** The program of a link: that of the last one of this name. */
function programOf(actions: readonly Action[], link: string): number | undefined {
  const made = actions.findLast(
    (action) =>
      (action.do === 'BPF_LINK_CREATE' || action.do === 'BPF_RAW_TRACEPOINT_OPEN') && action.link === link,
  );
  return made !== undefined && 'prog' in made ? (made.prog as number) : undefined;
}
