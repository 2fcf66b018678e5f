import type { Action, ActionOf } from '../../model/action.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import type { Kind } from '../../model/trampoline/program.ts';
import { ZERO } from '../../model/x86/word.ts';

/*
 * Client calls in few words, for the smallest sequences of planted bugs.
 */

export function kprobe(n: number, ip: string, post = false): Action {
  return { do: 'register_kprobe', kprobe: `kprobe#${n}`, ip, post };
}

export function kretprobe(n: number, ip: string): Action {
  return { do: 'register_kretprobe', kretprobe: `kretprobe#${n}`, ip, maxactive: 1, entryHandler: false };
}

export function fprobe(n: number, ip: string): Action {
  return { do: 'register_fprobe_ips', fprobe: `fprobe#${n}`, ips: [ip], entry: true, exit: false };
}

export function graph(n: number): Action {
  return { do: 'register_ftrace_graph', gops: `gops#${n}` };
}

export function livePatch(ops: string): Action {
  return { do: 'ftrace_ops', ops, flags: FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY, direct: false };
}

export function filter(ops: string, ip: string): Action {
  return { do: 'ftrace_set_filter_ip', ops, ip, remove: false, reset: true };
}

export function direct(ops: string, tramp: number): Action {
  return { do: 'register_ftrace_direct', ops, addr: `my_tramp${tramp}` };
}

/** A program as the search shrinks one. */
export function load(id: number, kind: Kind, target: string): ActionOf<'BPF_PROG_LOAD'> {
  return {
    do: 'BPF_PROG_LOAD',
    program: {
      id,
      kind,
      multi: false,
      cookie: ZERO,
      getFuncIp: true,
      sessionCookie: false,
      sleepable: true,
      reads: 'helpers',
    },
    target,
    probe: '',
    returns: ZERO,
  };
}

export function link(n: number, prog: number, targets: readonly string[] = []): Action {
  return { do: 'BPF_LINK_CREATE', link: `link#${n}`, prog, targets };
}

export function failing(what: 'allocation' | 'poke', where: string): Action {
  return { do: 'fail', fault: { what, where } };
}
