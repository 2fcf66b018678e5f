import type { Action } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import type { FunctionName, ProgId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../ftrace/ops.ts';
import { plainProgram } from '../trampoline/program.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import {
  listedFunction,
  moduleFunction,
  targetProgram,
  tracedFunction,
} from '../trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../x86/word.ts';

/*
 * For the model's own tests: every kind of client comes to the same functions and goes again.
 */

export const BUSY_FUNCTIONS: readonly TracedFunction[] = [
  tracedFunction('f1', 1, 'u64 -> u64'),
  tracedFunction('f2', 2, 'u64 x2 -> u64'),
  moduleFunction('f5', 5, 'u64 -> u64', 'm1'),
  targetProgram('p1', 6, 'u64 -> u64'),
  listedFunction(tracedFunction('hook', 7, 'ptr -> void'), 'lsm'),
];

export function load(
  id: number,
  kind: 'fentry' | 'fexit' | 'freplace',
  target: FunctionName,
  more = {},
): Action {
  const program = { ...plainProgram(id), kind, ...more };
  return { do: 'BPF_PROG_LOAD', program, target, probe: '', returns: ZERO };
}

export function link(prog: ProgId, ...targets: FunctionName[]): Action {
  return { do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets };
}

export function unlink(prog: ProgId): Action[] {
  return [
    { do: 'close(link)', link: `link#${prog}` },
    { do: 'close(prog)', prog },
  ];
}

export function kprobeMulti(id: number): Action {
  const program = { ...plainProgram(id), kind: 'fentry', reads: 'direct' } as const;
  return { do: 'BPF_PROG_LOAD', program, target: '', probe: 'entry', returns: ZERO };
}

const PLAIN: readonly Action[] = [
  { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false },
  filterOn('ops#1', 'f1'),
  { do: 'register_ftrace_function', ops: 'ops#1' },
  filterOn('ops#1', 'f2'),
  { do: 'ftrace_set_notrace', ops: 'ops#1', ip: 'f1', reset: false },
];

const LIVE_PATCH: readonly Action[] = [
  {
    do: 'ftrace_ops',
    ops: 'ipmod#1',
    flags: FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS,
    direct: false,
  },
  filterOn('ipmod#1', 'f1'),
  { do: 'register_ftrace_function', ops: 'ipmod#1' },
];

const PROBES: readonly Action[] = [
  { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f5', post: false },
  { do: 'register_kprobe', kprobe: 'kprobe#2', ip: 'f2', post: true },
  { do: 'register_kretprobe', kretprobe: 'kretprobe#1', ip: 'f1', maxactive: 2, entryHandler: true },
  { do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1', 'f5'], entry: true, exit: true },
  { do: 'register_fprobe_ips', fprobe: 'fprobe#2', ips: ['f1'], entry: true, exit: false },
  filterOn('gops#1.ops', 'f1'),
  { do: 'register_ftrace_graph', gops: 'gops#1' },
  filterOn('gops#2.ops', 'f2'),
  { do: 'register_ftrace_graph', gops: 'gops#2' },
  filterOn('gops#2.ops', 'f1'),
];

const PROBES_GO: readonly Action[] = [
  { do: 'unregister_ftrace_graph', gops: 'gops#2' },
  { do: 'unregister_ftrace_graph', gops: 'gops#1' },
  { do: 'unregister_fprobe', fprobe: 'fprobe#2' },
  { do: 'unregister_fprobe', fprobe: 'fprobe#1' },
  { do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' },
  { do: 'unregister_kprobe', kprobe: 'kprobe#2' },
];

/** A program of BPF LSM for a cgroup. */
const CGROUP: readonly Action[] = [
  {
    do: 'BPF_PROG_LOAD',
    program: { ...plainProgram(9), kind: 'fexit', lsm: true, cgroup: true, reads: 'direct' },
    target: 'hook',
    probe: '',
    returns: fromNumber(1),
  },
  link(9),
  ...unlink(9),
];

/** A direct call of a client's own, by the interface that all kernels have. */
const DIRECT: readonly Action[] = [
  { do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true },
  filterOn('direct#1', 'f2'),
  { do: 'register_ftrace_direct', ops: 'direct#1', addr: 'my_tramp1' },
  { do: 'modify_ftrace_direct', ops: 'direct#1', addr: 'my_tramp2' },
  { do: 'unregister_ftrace_direct', ops: 'direct#1', addr: 'my_tramp2', freeFilters: true },
];

/** By (ip, address), until 6.3. */
const DIRECT_IP: readonly Action[] = [
  { do: 'register_ftrace_direct(ip)', ip: 'f2', addr: 'my_tramp1' },
  { do: 'modify_ftrace_direct(ip)', ip: 'f2', oldAddr: 'my_tramp1', newAddr: 'my_tramp2' },
  { do: 'unregister_ftrace_direct(ip)', ip: 'f2', addr: 'my_tramp2' },
];

/** By tables of sites, since 7.0, and what BPF makes of them. */
const TABLES: readonly Action[] = [
  { do: 'ftrace_ops', ops: 'direct#2', flags: 0, direct: true },
  { do: 'update_ftrace_direct_add', ops: 'direct#2', hash: { f2: 'my_tramp1' } },
  { do: 'update_ftrace_direct_mod', ops: 'direct#2', hash: { f2: 'my_tramp2' } },
  { do: 'update_ftrace_direct_del', ops: 'direct#2', hash: { f2: 'my_tramp2' } },
  load(7, 'fexit', '', { multi: true }),
  link(7, 'f1', 'f2'),
  load(8, 'fentry', '', { multi: true }),
  link(8, 'f1'),
  ...unlink(7),
  ...unlink(8),
];

/** All of it in one order, for one kernel. */
export function busySequence(kernel: string): Action[] {
  const { directApi } = profileNamed(kernel);
  const mine = { 'ip and multi': DIRECT_IP, ops: [], 'ops and hash': TABLES }[directApi];
  return [
    ...PLAIN,
    ...DIRECT,
    ...mine,
    load(1, 'fentry', 'f1'),
    link(1),
    load(2, 'fexit', 'f1', { sleepable: true }),
    link(2),
    ...LIVE_PATCH,
    load(3, 'freplace', 'p1'),
    link(3),
    { do: 'unregister_ftrace_function', ops: 'ipmod#1' },
    ...PROBES,
    kprobeMulti(4),
    link(4, 'f1', 'f2'),
    { do: 'kernel.ftrace_enabled', value: false },
    { do: 'kernel.ftrace_enabled', value: true },
    { do: 'delete_module', module: 'm1' },
    { do: 'init_module', module: 'm1' },
    ...PROBES_GO,
    ...CGROUP,
    ...[1, 2, 3, 4].flatMap(unlink),
    { do: 'unregister_ftrace_function', ops: 'ops#1' },
    { do: 'kfree', object: 'ops#1' },
    { do: 'settle' },
  ];
}
