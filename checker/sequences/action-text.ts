import { match, P } from 'ts-pattern';
import type { Action } from '../../model/action.ts';
import type { CallRequest } from '../../model/call/call-frame.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { printOpsFlags } from '../../model/ftrace/ops.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import { DEFAULT_PRIO } from '../../model/tracepoint/tracepoint.ts';
import type { Program } from '../../model/trampoline/program.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { toHex, ZERO } from '../../model/x86/word.ts';
import { printProgram } from '../images/spelling.ts';
import { argumentSlots, isHit } from './argument-slots.ts';

/** What the text of an action depends on. */
export interface Spelling {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
  readonly tracepoints?: readonly DeclaredTracepoint[];
}

/** An action in the C spelling of its kernel, as traces and reports have it. One match, longer than it should be on purpose: a case for each interface. */
export function printAction(action: Action, spelling: Spelling): string {
  const multi = profileNamed(spelling.profile).directApi === 'ip and multi' ? '_multi' : '';
  return match(action)
    .returnType<string>()
    .with(
      { do: 'ftrace_ops' },
      ({ ops, flags, direct }) => `${ops} = ftrace_ops(${direct ? 'DIRECT' : flagsText(flags)})`,
    )
    .with({ do: 'ftrace_set_filter_ip' }, ({ ops, ip, remove, reset }) =>
      called('ftrace_set_filter_ip', ops, ip, ...(remove || reset ? [bit(remove), bit(reset)] : [])),
    )
    .with({ do: 'ftrace_set_notrace' }, ({ ops, ip, reset }) =>
      called('ftrace_set_notrace', ops, ip, ...(reset ? [bit(reset)] : [])),
    )
    .with(
      { do: P.union('ftrace_free_filter', 'register_ftrace_function', 'unregister_ftrace_function') },
      (a) => called(a.do, a.ops),
    )
    .with({ do: P.union('register_ftrace_direct', 'modify_ftrace_direct') }, (a) =>
      called(a.do + multi, a.ops, a.addr),
    )
    .with({ do: 'unregister_ftrace_direct' }, ({ do: name, ops, addr, freeFilters }) =>
      called(name + multi, ops, addr, ...(freeFilters ? ['true'] : [])),
    )
    .with({ do: P.union('register_ftrace_direct(ip)', 'unregister_ftrace_direct(ip)') }, (a) =>
      called(a.do.slice(0, -4), a.ip, a.addr),
    )
    .with({ do: 'modify_ftrace_direct(ip)' }, ({ ip, oldAddr, newAddr }) =>
      called('modify_ftrace_direct', ip, oldAddr, newAddr),
    )
    .with(
      { do: P.union('update_ftrace_direct_add', 'update_ftrace_direct_mod', 'update_ftrace_direct_del') },
      (a) => called(a.do, a.ops, braces(Object.entries(a.hash).map(([ip, addr]) => `${ip}: ${addr}`))),
    )
    .with(
      { do: 'set_ftrace_filter' },
      ({ ip, remove }) => `echo ${remove ? '!' : ''}${ip} >> set_ftrace_filter`,
    )
    .with({ do: P.union('register_ftrace_graph', 'unregister_ftrace_graph') }, (a) => called(a.do, a.gops))
    .with({ do: 'register_kprobe' }, ({ do: name, kprobe, ip, post }) =>
      called(name, kprobe, ip, ...(post ? ['post_handler'] : [])),
    )
    .with({ do: 'unregister_kprobe' }, (a) => called(a.do, a.kprobe))
    .with({ do: 'register_kretprobe' }, ({ do: name, kretprobe, ip, maxactive, entryHandler }) =>
      called(name, kretprobe, ip, `maxactive=${maxactive}`, ...(entryHandler ? ['entry_handler'] : [])),
    )
    .with({ do: 'unregister_kretprobe' }, (a) => called(a.do, a.kretprobe))
    .with({ do: 'register_fprobe_ips' }, ({ do: name, fprobe, ips, entry, exit }) =>
      called(
        name,
        fprobe,
        braces(ips),
        ...(entry ? ['entry_handler'] : []),
        ...(exit ? ['exit_handler'] : []),
      ),
    )
    .with({ do: 'unregister_fprobe' }, (a) => called(a.do, a.fprobe))
    .with({ do: 'tracepoint_probe_register_prio', prio: DEFAULT_PRIO }, (a) =>
      called('tracepoint_probe_register', a.tracepoint, a.func, a.data),
    )
    .with({ do: 'tracepoint_probe_register_prio' }, (a) =>
      called(a.do, a.tracepoint, a.func, a.data, String(a.prio)),
    )
    .with({ do: 'tracepoint_probe_unregister' }, (a) => called(a.do, a.tracepoint, a.func, a.data))
    .with({ do: 'kfree' }, (a) => called(a.do, a.object))
    .with({ do: 'BPF_PROG_LOAD' }, loadText)
    .with(
      { do: 'BPF_LINK_CREATE' },
      ({ do: name, link, prog, targets }) =>
        `${link} = ${called(name, `prog#${prog}`, ...(targets.length > 0 ? [braces(targets)] : []))}`,
    )
    .with(
      { do: 'BPF_RAW_TRACEPOINT_OPEN' },
      ({ do: name, link, prog, tracepoint }) =>
        `${link} = ${called(name, `prog#${prog}`, ...(tracepoint === undefined ? [] : [tracepoint]))}`,
    )
    .with({ do: 'close(link)' }, ({ link }) => called('close', link))
    .with({ do: 'close(prog)' }, ({ prog }) => called('close', `prog#${prog}`))
    .with({ do: P.union('init_module', 'delete_module') }, (a) => called(a.do, a.module))
    .with({ do: 'kernel.ftrace_enabled' }, ({ value }) => `sysctl kernel.ftrace_enabled=${bit(value)}`)
    .with({ do: 'fail' }, ({ fault }) => `the next ${fault.what} in ${fault.where} fails`)
    .with({ do: 'settle' }, () => 'all grace periods end')
    .with(
      { do: 'call' },
      (a) => `task#1 ${isHit(a.fn, spelling) ? 'hits' : 'calls'} ${printCall(a, spelling)}`,
    )
    .exhaustive();
}

function called(name: string, ...args: readonly string[]): string {
  return `${name}(${args.join(', ')})`;
}

function braces(items: readonly string[]): string {
  return items.length > 0 ? `{ ${items.join(', ')} }` : '{ }';
}

function bit(on: boolean): string {
  return on ? '1' : '0';
}

function flagsText(flags: number): string {
  return flags === 0 ? '' : printOpsFlags(flags);
}

function loadText(a: Extract<Action, { do: 'BPF_PROG_LOAD' }>): string {
  const { program, target, probe, returns } = a;
  const spelt = printProgram({ ...program, cookie: toHex(program.cookie) });
  const kind = probe === '' ? spelt : spelt.replace(program.kind, probeKind(probe));
  const reads = readsText(program, probe);
  const gives = returns.lo === 0 && returns.hi === 0 ? '' : ` returns=${toHex(returns)}`;
  return `prog#${program.id} = ${called(a.do, kind + reads + gives, ...(target === '' ? [] : [target]))}`;
}

/** `kprobe.multi entry`, `raw_tp`. */
function probeKind(probe: string): string {
  return probe === 'raw_tp' ? probe : `kprobe.multi ${probe}`;
}

/** How a program reads its context: a tracing program through helpers, which goes without saying. */
const TRACING_READS: ReadsWords = { helpers: '', direct: ' reads=ctx', 'return directly': ' reads=ret' };
/** A kprobe program its registers. */
const PROBE_READS: ReadsWords = { ...TRACING_READS, direct: '', helpers: ' reads=helpers' };

type ReadsWords = Readonly<Record<Program['reads'], string>>;

/** What a program reads that was checked against its first function: `reads=ctx[0+2+ret]`. */
function readsText({ accesses, reads }: Program, probe: string): string {
  if (accesses === undefined) return readsWords(probe)[reads];
  return ` reads=ctx[${[...accesses, ...(reads === 'return directly' ? [RETURN] : [])].join('+')}]`;
}

/** The return value among what a program reads of ctx. */
export const RETURN = 'ret';

/** The words for how a program for trampolines, or one for kprobe.multi, reads its context. */
export function readsWords(probe: string): ReadsWords {
  return probe === '' ? TRACING_READS : PROBE_READS;
}

/** A call, or a hit of a tracepoint: its argument words in the order of the declaration. */
export function printCall({ fn, registers, stack }: CallRequest, spelling: Spelling): string {
  const words = argumentSlots(fn, spelling)!.map(({ place }) =>
    toHex((place.in === 'register' ? registers : stack)[place.index] ?? ZERO),
  );
  return called(fn, ...words);
}
