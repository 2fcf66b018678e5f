import type { Action } from '../../../model/action.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import { detachOf } from '../../../properties/observed/detach.ts';

/** The action that takes back one of the things that are attached; undefined when nothing is. */
export function takenBack({ clients }: Promises, which: number): Action | undefined {
  const client = clients[which % Math.max(clients.length, 1)];
  return client === undefined ? undefined : detachOf(client, false);
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
