import type { Action } from '../../../model/action.ts';
import { callOf } from '../../../model/client/all.ts';

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
    attach: own.find((i) => callOf(actions[i]!).role === 'attaches') ?? own[0]!,
    detach: own.find((i) => callOf(actions[i]!).role === 'detaches'),
  }));
}

/** How what one action attaches is detached again; undefined when it attaches nothing. */
export function detachOf(attach: Action): Action | undefined {
  return callOf(attach).detach?.(attach);
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
