import { DIES } from './direct-calls.ts';
import type { Hypothesis } from './hypothesis.ts';

const ALL = ['6.1', '6.12', '7.2'];
const MANY_USERS = ['6.12', '7.2'];

/** On function graph, and on fprobes, which use it in 7.2. */
export const GRAPH_HYPOTHESES: readonly Hypothesis[] = [
  {
    id: 'F1',
    claim:
      'The user of function graph that holds index 0 is told of returns of calls whose entry it did not accept.',
    confirmed: MANY_USERS,
    refuted: [],
    why: 'Bit 0 of the bitmap of a call is always set, as it also marks tail calls. Linux 6.1 has one user.',
    source: 'kernel/trace/fgraph.c of 6.12 and 7.2: set_bitmap() in function_graph_enter_regs()',
    traces: ['known/graph-exit-without-entry'],
  },
  {
    id: 'F3',
    claim: 'unregister_ftrace_graph() waits for nobody: a user that is freed then is still asked.',
    confirmed: ALL,
    refuted: [],
    why: 'graph_ops is in the data of the kernel, so that ftrace_shutdown() does not wait, and nobody else does. The users in the kernel are in its data as well, and are never freed.',
    source: 'kernel/trace/fgraph.c: unregister_ftrace_graph(); kernel/trace/ftrace.c: ftrace_shutdown()',
    traces: ALL.map((kernel) => `task/known/user-of-graph-is-not-waited-for.${kernel}`),
  },
  {
    id: 'F7',
    claim: 'A registration of function graph that fails keeps its place: all later ones are EBUSY.',
    confirmed: ['6.1'],
    refuted: MANY_USERS,
    why: 'In 6.1 the counter of users is taken back when there is no memory for the shadow stacks, and not when ftrace_startup() fails. That this fails takes a dead ftrace. In 7.2 the user that has failed keeps FTRACE_OPS_FL_GRAPH and is EBUSY when it tries once more; others are not.',
    source: 'kernel/trace/fgraph.c: register_ftrace_graph()',
    played: [
      {
        kernels: ALL,
        actions: [
          ...DIES,
          'register_ftrace_graph(gops#1)',
          'register_ftrace_graph(gops#2)',
          'register_ftrace_graph(gops#1)',
        ],
      },
    ],
  },
  {
    id: 'F8',
    claim: 'A failed registration of the first user of function graph leaves it chosen for direct calls.',
    confirmed: MANY_USERS,
    refuted: [],
    why: 'It is chosen before anything can fail, and that is not undone. Linux 6.1 has no direct mode.',
    source: 'kernel/trace/fgraph.c of 6.12 and 7.2: ftrace_graph_enable_direct() in register_ftrace_graph()',
    traces: ['known/direct-mode-stays-for-a-refused-user'],
  },
  {
    id: 'F10',
    claim:
      'An fprobe that is registered at the address of one that was freed is told of the return of a call that the first was told of.',
    confirmed: ['7.2'],
    refuted: ['6.12'],
    why: 'fprobe_registered() compares addresses, and unregister_fprobe() waits for RCU and not for calls. If the new one has no exit handler, a NULL pointer is called. In 6.12 each registration has a pool of return hooks of its own, whose handler is taken away. Linux 6.1 is built without fprobes.',
    source:
      'kernel/trace/fprobe.c of 7.2: fprobe_return(), fprobe_registered(); of 6.12: rethook_stop(), rethook_free()',
    traces: ['task/known/exit-handler-of-another-fprobe.7.2'],
  },
];
