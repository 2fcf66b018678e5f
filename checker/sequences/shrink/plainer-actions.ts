import type { Action, ActionOf } from '../../../model/action.ts';
import {
  FTRACE_OPS_FL_PERMANENT,
  FTRACE_OPS_FL_RECURSION,
  FTRACE_OPS_FL_SAVE_REGS,
} from '../../../model/ftrace/ops.ts';
import { DEFAULT_PRIO } from '../../../model/tracepoint/tracepoint.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import { callOf, hitOf } from '../../../properties/observed/sample-call.ts';
import type { AttachCase } from '../attach-case.ts';
import { DEPTHS } from './plainness.ts';

/** Flags of an ops that may be left away. */
const FLAGS_LESS = [FTRACE_OPS_FL_PERMANENT, FTRACE_OPS_FL_RECURSION];

/** The sequence with one thing less of one action. */
export function withPlainerActions(c: AttachCase): AttachCase[] {
  return c.actions.flatMap((action, i) =>
    plainerForms(action, c).map((plainer) => ({ ...c, actions: c.actions.with(i, plainer) })),
  );
}

function plainerForms(action: Action, c: AttachCase): Action[] {
  switch (action.do) {
    case 'ftrace_ops':
      return plainerFlags(action.flags).map((flags) => ({ ...action, flags }));
    case 'ftrace_set_filter_ip':
      return [
        { ...action, reset: false },
        { ...action, remove: false },
      ];
    case 'ftrace_set_notrace':
      return [{ ...action, reset: false }];
    case 'unregister_ftrace_direct':
      return [{ ...action, freeFilters: false }];
    case 'register_kprobe':
      return [{ ...action, post: false }];
    case 'register_kretprobe':
      return [
        { ...action, entryHandler: false },
        ...(action.maxactive > 0 ? [{ ...action, maxactive: 0 }] : []),
      ];
    case 'register_fprobe_ips':
      return [
        ...(action.ips.length > 1 ? action.ips.map((ip) => ({ ...action, ips: [ip] })) : []),
        ...(action.exit ? [{ ...action, entry: true, exit: false }] : []),
        ...(action.exit && action.entry ? [{ ...action, entry: false }] : []),
      ];
    case 'BPF_PROG_LOAD':
      return plainerLoads(action);
    case 'BPF_LINK_CREATE':
      return action.targets.length > 1 ? action.targets.map((ip) => ({ ...action, targets: [ip] })) : [];
    case 'BPF_RAW_TRACEPOINT_OPEN':
      return plainerOpens(action);
    case 'tracepoint_probe_register_prio':
      return [{ ...action, prio: DEFAULT_PRIO }];
    case 'call':
      return plainerCalls(action.fn, c);
    default:
      return [];
  }
}

function plainerFlags(flags: number): number[] {
  const fewer = [0, FTRACE_OPS_FL_SAVE_REGS, ...FLAGS_LESS.map((bit) => flags & ~bit)];
  return fewer.filter((other) => other < flags);
}

/** A program for tracing is linked by the plainer call; that of a tracepoint has no other. */
function plainerOpens({ link, prog, tracepoint }: ActionOf<'BPF_RAW_TRACEPOINT_OPEN'>): Action[] {
  return tracepoint === undefined ? [{ do: 'BPF_LINK_CREATE', link, prog, targets: [] }] : [];
}

/** A call with the plainest words; instead of a function that calls others, one that does not. */
function plainerCalls(fn: string, { functions, tracepoints = [] }: AttachCase): Action[] {
  const called = functions.find(({ name }) => name === fn);
  const hit = tracepoints.find(({ name }) => name === fn);
  if (hit !== undefined) return [hitOf(hit, 0)];
  if (called === undefined) return [];
  const leaves = called.nesting === 'none' ? [] : functions.filter(({ nesting }) => nesting === 'none');
  const salts = called.nesting === 'rec' ? DEPTHS : [0];
  return [...leaves.map((one) => callOf(one, 0)), ...salts.map((salt) => callOf(called, salt))];
}

function plainerLoads(action: Extract<Action, { do: 'BPF_PROG_LOAD' }>): Action[] {
  const { program } = action;
  const kinds = (['fentry', 'fexit', 'fmod_ret'] as const).slice(
    0,
    ['fentry', 'fexit', 'fmod_ret', 'fsession'].indexOf(program.kind),
  );
  return [
    { ...action, returns: ZERO },
    ...plainerReads(action),
    ...[ZERO, fromNumber(0x1)].map((cookie) => ({ ...action, program: { ...program, cookie } })),
    { ...action, program: { ...program, getFuncIp: false } },
    { ...action, program: { ...program, sleepable: false } },
    ...kinds.map((kind) => ({ ...action, program: { ...program, kind } })),
    ...(action.probe === '' || action.probe === 'entry'
      ? []
      : [{ ...action, probe: 'entry' as const, returns: ZERO }]),
  ];
}

/** Read as usual; or one argument less, an earlier one, or the return value not, of a first function. */
function plainerReads(action: Extract<Action, { do: 'BPF_PROG_LOAD' }>): Action[] {
  const { accesses, ...program } = action.program;
  const usual = { ...program, reads: action.probe === '' ? 'helpers' : 'direct' } as const;
  if (accesses === undefined) return [{ ...action, program: usual }];
  const fewer = accesses.map((one) => ({ ...program, accesses: accesses.filter((other) => other !== one) }));
  const earlier = accesses
    .filter((one) => one > 0 && !accesses.includes(one - 1))
    .map((one) => ({ ...program, accesses: accesses.map((other) => (other === one ? one - 1 : other)) }));
  const noReturn = { ...program, accesses, reads: 'direct' as const };
  return [
    { ...action, program: usual, target: '' },
    ...[...fewer, ...earlier, noReturn].map((plainer) => ({ ...action, program: plainer })),
  ];
}
