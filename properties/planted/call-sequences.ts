import type { Action } from '../../model/action.ts';
import type { Kind } from '../../model/trampoline/program.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';
import { callOf } from '../attach/draw.ts';

/** The function of the sequences below. */
export const F1 = tracedFunction('f1', 1, 'u64 -> u64');

export const CALL_F1: Action = callOf(F1, 0);

/** A program for `f1` is loaded and attached. */
export function attach(id: number, kind: Kind, cookie = 0): Action[] {
  return [
    {
      do: 'BPF_PROG_LOAD',
      program: {
        id,
        kind,
        multi: false,
        cookie: fromNumber(cookie),
        getFuncIp: false,
        sessionCookie: false,
        sleepable: false,
        reads: 'helpers',
      },
      target: 'f1',
      probe: '',
      returns: ZERO,
    },
    { do: 'BPF_RAW_TRACEPOINT_OPEN', link: `link#${id}`, prog: id },
  ];
}

/** An ops with these flags is made for `f1`, and registered. */
export function trace(ops: string, flags: number): Action[] {
  return [
    { do: 'ftrace_ops', ops, flags, direct: false },
    filter(ops),
    { do: 'register_ftrace_function', ops },
  ];
}

export function filter(ops: string): Action {
  return { do: 'ftrace_set_filter_ip', ops, ip: 'f1', remove: false, reset: false };
}

export function fprobe(name: string, entry: boolean, exit: boolean): Action {
  return { do: 'register_fprobe_ips', fprobe: name, ips: ['f1'], entry, exit };
}

export function kretprobe(name: string, maxactive: number): Action {
  return { do: 'register_kretprobe', kretprobe: name, ip: 'f1', maxactive, entryHandler: true };
}
