import { DIES } from './direct-calls.ts';
import type { Hypothesis } from './hypothesis.ts';

const ALL = ['6.1', '6.12', '7.2'];
const MANY_USERS = ['6.12', '7.2'];

/** On function graph, and on fprobes, which use it in 7.2. */
export const GRAPH_HYPOTHESES: readonly Hypothesis[] = [
  {
    id: 'F1',
    claim: 'The user of function graph with index 0 sees returns of calls whose entry it did not accept.',
    confirmed: MANY_USERS,
    refuted: [],
    why: 'Bit 0 of the bitmap of a call is always set, as it also marks tail calls. Linux 6.1 has one user.',
    source: 'kernel/trace/fgraph.c of 6.12 and 7.2: set_bitmap() in function_graph_enter_regs()',
    traces: ['known/graph-exit-without-entry'],
  },
  {
    id: 'F3',
    claim: 'unregister_ftrace_graph() waits for no grace period: a user freed after it is still called.',
    confirmed: ALL,
    refuted: [],
    why: 'graph_ops is static kernel data, so that ftrace_shutdown() does not wait, and neither does any other function. The users in the kernel are static data as well, and are never freed.',
    source: 'kernel/trace/fgraph.c: unregister_ftrace_graph(); kernel/trace/ftrace.c: ftrace_shutdown()',
    traces: ALL.map((kernel) => `task/known/user-of-graph-is-not-waited-for.${kernel}`),
  },
  {
    id: 'F7',
    claim: 'A failed registration of function graph keeps its place: all later ones get EBUSY.',
    confirmed: ['6.1'],
    refuted: MANY_USERS,
    why: 'In 6.1 the user count is decremented when there is no memory for the shadow stacks, but not when ftrace_startup() fails, which takes a dead ftrace. In 7.2 the failed user keeps FTRACE_OPS_FL_GRAPH and gets EBUSY when it retries; others do not.',
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
    claim: 'A failed registration of the first user of function graph leaves it selected for direct calls.',
    confirmed: MANY_USERS,
    refuted: [],
    why: 'It is selected before anything can fail, and the selection is not undone. Linux 6.1 has no direct mode.',
    source: 'kernel/trace/fgraph.c of 6.12 and 7.2: ftrace_graph_enable_direct() in register_ftrace_graph()',
    traces: ['known/direct-mode-stays-for-a-refused-user'],
  },
  {
    id: 'F10',
    claim:
      'An fprobe registered at the address of a freed one sees the return of a call whose entry the freed one saw.',
    confirmed: ['7.2'],
    refuted: ['6.12'],
    why: 'fprobe_registered() compares addresses, and unregister_fprobe() waits for RCU, not for calls. If the new one has no exit handler, a NULL pointer is called. In 6.12 each registration has its own pool of return hooks, whose handler is reset. Linux 6.1 is built without fprobes.',
    source:
      'kernel/trace/fprobe.c of 7.2: fprobe_return(), fprobe_registered(); of 6.12: rethook_stop(), rethook_free()',
    traces: ['task/known/exit-handler-of-another-fprobe.7.2'],
  },
];
