import { match } from 'ts-pattern';
import type { Action, ActionOf } from './action.ts';
import type { Locals } from './core/part.ts';

/** A routine and what it is called with. */
export interface Request {
  readonly routine: string;
  readonly args: Locals;
}

/** An action that a routine does, and takes its time for; the others are done at once. */
export type OperationAction = Exclude<
  Action,
  { readonly do: 'call' | 'ftrace_ops' | 'kfree' | 'fail' | 'settle' }
>;

/** One match, and no logic of its own: which routine an action is. What comes most often comes first. */
export function operationOf(action: OperationAction): Request {
  return match(action)
    .returnType<Request>()
    .with({ do: 'set_ftrace_filter' }, ({ ip, remove }) => ({
      routine: 'ftrace_set_hash',
      args: { ops: 'global_ops', which: 'filter', ips: [ip], remove, reset: false },
    }))
    .with({ do: 'kernel.ftrace_enabled' }, ({ value }) => ({
      routine: 'ftrace_enable_sysctl',
      args: { value },
    }))
    .with({ do: 'register_kprobe' }, ({ kprobe, ip, post }) => ({
      routine: 'register_kprobe',
      args: { kprobe, ip, post, retprobe: '' },
    }))
    .with({ do: 'register_fprobe_ips' }, (a) => ({
      routine: 'register_fprobe_ips',
      args: { ...argsOf(a), maxactive: 0, prog: 0, vetoes: false },
    }))
    .with({ do: 'BPF_PROG_LOAD' }, ({ program: loaded, target, probe, returns }) => ({
      routine: 'bpf_prog_load',
      args: { prog: loaded.id, program: loaded, target, probe, returns },
    }))
    .with({ do: 'BPF_LINK_CREATE' }, (a) => ({ routine: 'link_create', args: argsOf(a) }))
    .with({ do: 'BPF_RAW_TRACEPOINT_OPEN' }, openOf)
    .with({ do: 'update_ftrace_direct_mod' }, (a) => ({
      routine: 'update_ftrace_direct_mod',
      args: { ...argsOf(a), lockDirectMutex: true },
    }))
    .with({ do: 'tracepoint_probe_register_prio' }, (a) => ({
      routine: 'tracepoint_probe_register_prio',
      args: { ...argsOf(a), mayExist: false },
    }))
    .with({ do: 'close(link)' }, (a) => ({ routine: 'bpf_link_release', args: argsOf(a) }))
    .with({ do: 'close(prog)' }, (a) => ({ routine: 'bpf_prog_release', args: argsOf(a) }))
    .otherwise((a) => ({ routine: a.do, args: argsOf(a) }));
}

/** A program for tracing is linked to its target; another one names its tracepoint. */
function openOf(action: ActionOf<'BPF_RAW_TRACEPOINT_OPEN'>): Request {
  if (action.tracepoint !== undefined) return { routine: 'bpf_raw_tp_link_attach', args: argsOf(action) };
  return { routine: 'link_create', args: { ...argsOf(action), targets: [] } };
}

/** An action without its name: the arguments of the routine of that name. */
function argsOf({ do: _, ...rest }: Action): Locals {
  return rest;
}

/** Functions that return nothing: what goes wrong in them, the client does not learn. */
export function returnsNothing({ do: name }: Action): boolean {
  return (RETURN_NOTHING as readonly string[]).includes(name);
}

const RETURN_NOTHING = [
  'ftrace_free_filter',
  'unregister_ftrace_graph',
  'unregister_kprobe',
  'unregister_kretprobe',
];
