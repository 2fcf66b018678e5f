import { refusalsHaveTheirErrno } from '../../ftrace/refusals-have-their-errno.ts';
import { directAdd, graph, link, load, registered, TRACEPOINT } from './actions.ts';
import { dropped, edit, refusing } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs in which errno a refusal has. */
export const PLANTED_ERRNOS: readonly AttachPlanted[] = [
  {
    name: 'taken-site-is-busy',
    sentence: 'update_ftrace_direct_add() answers EBUSY for a site with a direct call.',
    history: undefined,
    law: refusalsHaveTheirErrno,
    profile: '7.2',
    edits: [edit('update_ftrace_direct_add', 'a site has a direct call', refusing('EBUSY'))],
    smallest: [directAdd(1), directAdd(1)],
    finding: 'update_ftrace_direct_add returns EINVAL: a site has a direct call / it returns EBUSY',
  },
  {
    name: 'unregistered-ops-is-invalid',
    sentence: 'unregister_ftrace_function() answers EINVAL for an ops that is not registered.',
    history: undefined,
    law: refusalsHaveTheirErrno,
    profile: '6.12',
    edits: [edit('__unregister_ftrace_function', 'the ops is not enabled', refusing('EINVAL'))],
    smallest: [{ do: 'unregister_ftrace_function', ops: 'ops#1' }],
    finding: 'unregister_ftrace_function returns EBUSY: the ops is not registered / it returns EINVAL',
  },
  {
    name: 'kprobe-within-an-instruction',
    sentence: 'register_kprobe() takes an address at which no instruction begins for a bad argument.',
    history: undefined,
    law: refusalsHaveTheirErrno,
    profile: '6.12',
    edits: [edit('register_kprobe', 'no instruction begins there', refusing('EINVAL'))],
    smallest: [{ do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', offset: 6, post: false }],
    finding: 'register_kprobe returns EILSEQ: no instruction begins there / it returns EINVAL',
  },
  {
    name: 'second-graph-user-is-invalid',
    sentence: 'register_ftrace_graph() of the kernels with one user answers EINVAL for a second.',
    history: undefined,
    law: refusalsHaveTheirErrno,
    profile: '6.1',
    edits: [edit('register_ftrace_graph (one user)', 'there is a user', refusing('EINVAL'))],
    smallest: [graph(1), graph(1)],
    finding: 'register_ftrace_graph returns EBUSY: there is a user / it returns EINVAL',
  },
  {
    name: 'attached-program-is-invalid',
    sentence: 'BPF_LINK_CREATE answers EINVAL for a program that is attached to the function.',
    history: undefined,
    law: refusalsHaveTheirErrno,
    profile: '6.12',
    edits: [edit('__bpf_trampoline_link_prog', 'the program is attached there', refusing('EINVAL'))],
    smallest: [load(1), link(1), link(2, 1)],
    finding: 'BPF_LINK_CREATE returns EBUSY: the program is attached there / it returns EINVAL',
  },
  {
    name: 'registered-probe-is-busy',
    sentence: 'tracepoint_probe_register() answers EBUSY for a function that is there with the same data.',
    history: undefined,
    law: refusalsHaveTheirErrno,
    profile: '6.12',
    edits: [edit('tracepoint_add_func', 'the probe is there', refusing('EBUSY'))],
    functions: [],
    tracepoints: [TRACEPOINT],
    smallest: [registered(1), registered(1)],
    finding:
      'tracepoint_probe_register_prio returns EEXIST: the function is there with the same data / it returns EBUSY',
  },
  {
    name: 'permanent-ops-is-switched-off',
    sentence: 'kernel.ftrace_enabled can be switched off while a PERMANENT ops is registered.',
    history: undefined,
    law: refusalsHaveTheirErrno,
    profile: '6.1',
    edits: [edit('ftrace_enable_sysctl', 'a permanent ops is registered', dropped)],
    smallest: [
      { do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' },
      { do: 'kernel.ftrace_enabled', value: false },
    ],
    finding: 'kernel.ftrace_enabled returns EBUSY: a PERMANENT ops is registered / it returns 0',
  },
];
