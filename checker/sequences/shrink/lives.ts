import type { Action } from '../../../model/action.ts';

/** What one object is there for: the actions by which it comes, is used and goes, by their places in a sequence. */
export interface Life {
  /** `kprobe#1`, `prog#2` with its links, `direct f1`, or a failure that is ordered. */
  readonly object: string;
  readonly places: readonly number[];
  /** The place at which it is attached, or the first of all; that at which it is detached, if it is. */
  readonly attach: number;
  readonly detach: number | undefined;
}

/** The lives of a sequence in the order of their beginnings. Calls and grace periods belong to nobody. */
export function livesOf(actions: readonly Action[]): Life[] {
  const places = new Map<string, number[]>();
  actions.forEach((action, i) => {
    const object = objectOf(action, actions, i);
    if (object !== undefined) places.set(object, [...(places.get(object) ?? []), i]);
  });
  return [...places].map(([object, own]) => ({
    object,
    places: own,
    attach: own.find((i) => ATTACHES.test(actions[i]!.do)) ?? own[0]!,
    detach: own.find((i) => DETACHES.test(actions[i]!.do)),
  }));
}

const ATTACHES = /^(register_|BPF_LINK|BPF_RAW|update_ftrace_direct_add)/;
const DETACHES = /^(unregister_|close\(link\)|update_ftrace_direct_del)/;

/** How what one action attaches is detached again; undefined when it attaches nothing. */
export function detachOf(attach: Action): Action | undefined {
  switch (attach.do) {
    case 'register_kprobe':
      return { do: 'unregister_kprobe', kprobe: attach.kprobe };
    case 'register_kretprobe':
      return { do: 'unregister_kretprobe', kretprobe: attach.kretprobe };
    case 'register_fprobe_ips':
      return { do: 'unregister_fprobe', fprobe: attach.fprobe };
    case 'register_ftrace_graph':
      return { do: 'unregister_ftrace_graph', gops: attach.gops };
    case 'register_ftrace_function':
      return { do: 'unregister_ftrace_function', ops: attach.ops };
    case 'register_ftrace_direct':
      return { do: 'unregister_ftrace_direct', ops: attach.ops, addr: attach.addr, freeFilters: false };
    case 'BPF_LINK_CREATE':
    case 'BPF_RAW_TRACEPOINT_OPEN':
      return { do: 'close(link)', link: attach.link };
    default:
      return undefined;
  }
}

/** The object that an action belongs to; a link belongs to its program. */
function objectOf(action: Action, actions: readonly Action[], at: number): string | undefined {
  switch (action.do) {
    case 'call':
    case 'settle':
      return undefined;
    case 'fail':
    case 'kernel.ftrace_enabled':
      return `${action.do} ${at}`;
    case 'BPF_PROG_LOAD':
      return `prog#${action.program.id}`;
    case 'close(link)':
      return `prog#${progOf(action.link, actions)}`;
    case 'set_ftrace_filter':
      return 'global_ops';
    default:
      return ownerOf(action);
  }
}

type Owned = Exclude<
  Action,
  {
    do:
      | 'call'
      | 'settle'
      | 'fail'
      | 'kernel.ftrace_enabled'
      | 'BPF_PROG_LOAD'
      | 'close(link)'
      | 'set_ftrace_filter';
  }
>;

/** An action's object where a field names it; the filter of a user of function graph is that user's. */
function ownerOf(action: Owned): string {
  if ('ops' in action) return action.ops.replace(/\.ops$/, '');
  if ('gops' in action) return action.gops;
  if ('kprobe' in action) return action.kprobe;
  if ('kretprobe' in action) return action.kretprobe;
  if ('fprobe' in action) return action.fprobe;
  if ('object' in action) return action.object;
  if ('func' in action) return `${action.func} ${action.data}`;
  if ('module' in action) return action.module;
  return 'prog' in action ? `prog#${action.prog}` : `direct ${action.ip}`;
}

function progOf(link: string, actions: readonly Action[]): number {
  for (const action of actions)
    if ((action.do === 'BPF_LINK_CREATE' || action.do === 'BPF_RAW_TRACEPOINT_OPEN') && action.link === link)
      return action.prog;
  return 0;
}
