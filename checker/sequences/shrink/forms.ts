import type { Action } from '../../../model/client/all.ts';
import { filterOn } from '../../../model/client/ftrace-set-filter-ip.ts';
import type { Ip } from '../../../model/core/ids.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../../../model/ftrace/ops.ts';
import { clientTramp } from '../../../model/text/space.ts';
import type { TracingKind } from '../../../model/trampoline/program.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { ZERO } from '../../../model/x86/word.ts';
import { FAULTS } from '../faults.ts';

/** A client by which another may be replaced: what it does beforehand, and to be attached. */
export interface ActionForm {
  readonly before: readonly Action[];
  readonly attach: Action;
}

/** The parameters of a form: a number for unused names, a function, and another client's direct call. */
export interface FormPlace {
  readonly n: number;
  readonly ip: Ip;
  /** The ops of another client's direct call, which may be moved to another trampoline. */
  readonly direct: string;
}

/** All clients that can be made for a place. */
export function formsFor(place: FormPlace): ActionForm[] {
  return [...probes(place), ...handlers(place), ...programs(place), ...singles(place)];
}

function alone(attach: Action): ActionForm {
  return { before: [], attach };
}

function probes({ n, ip }: FormPlace): ActionForm[] {
  const [kprobe, kretprobe, fprobe] = [`kprobe#${n}`, `kretprobe#${n}`, `fprobe#${n}`];
  return [
    ...[false, true].map((post) => alone({ do: 'register_kprobe', kprobe, ip, post })),
    ...[true, false].map((entry) =>
      alone({ do: 'register_fprobe_ips', fprobe, ips: [ip], entry, exit: !entry }),
    ),
    ...[false, true].map((entryHandler) =>
      alone({ do: 'register_kretprobe', kretprobe, ip, maxactive: 0, entryHandler }),
    ),
  ];
}

/** Function graph, direct calls, and plain handlers, one of them a live patch. */
function handlers({ n, ip }: FormPlace): ActionForm[] {
  const [gops, direct, ops] = [`gops#${n}`, `direct#${n}`, `ops#${n}`];
  const addr = clientTramp(n);
  const traced = (flags: number, filters: readonly Action[]): ActionForm => ({
    before: [{ do: 'ftrace_ops', ops, flags, direct: false }, ...filters],
    attach: { do: 'register_ftrace_function', ops },
  });
  return [
    alone({ do: 'register_ftrace_graph', gops }),
    {
      before: [filterOn(direct, ip)],
      attach: { do: 'register_ftrace_direct', ops: direct, addr },
    },
    traced(0, []),
    traced(0, [filterOn(ops, ip)]),
    traced(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY, [filterOn(ops, ip)]),
  ];
}

function programs({ n, ip }: FormPlace): ActionForm[] {
  const link = `link#${n}`;
  const loaded = (kind: TracingKind, probe: '' | 'entry'): ActionForm => ({
    before: [
      {
        do: 'BPF_PROG_LOAD',
        program: { ...plainProgram(n), kind },
        target: probe === '' ? ip : '',
        probe,
        returns: ZERO,
      },
    ],
    attach: { do: 'BPF_LINK_CREATE', link, prog: n, targets: probe === '' ? [] : [ip] },
  });
  return [loaded('fentry', ''), loaded('fexit', ''), loaded('fentry', 'entry')];
}

/**
 * Actions that replace a whole client: a failure, tracing that is switched off, another address for a direct call.
 */
function singles({ n, direct }: FormPlace): ActionForm[] {
  return [
    alone({ do: 'modify_ftrace_direct', ops: direct, addr: clientTramp(n) }),
    alone({ do: 'kernel.ftrace_enabled', value: false }),
    ...FAULTS.map((fault) => alone({ do: 'fail', fault })),
  ];
}
