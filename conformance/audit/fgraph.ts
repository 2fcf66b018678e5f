import { FIRST_FAILURE, HOTPLUG, INDEX_ONCE, NO_NEW_TASK, NOT_COMPILED } from './reasons.ts';
import type { Audit } from './row.ts';
import {
  ALL,
  allocates,
  branches,
  gotos,
  locks,
  modelled,
  omitted,
  returns,
  SINCE_6_12,
  V6_1,
  V6_12,
  V7_2,
} from './row.ts';

/** Function graph; one long table on purpose. */
export const FGRAPH: Audit = {
  file: 'kernel/trace/fgraph.c',
  functions: [
    {
      fn: 'register_ftrace_graph',
      in: V6_1,
      rows: [
        locks(V6_1, 'ftrace_lock: all of it', modelled('register_ftrace_graph (one user): lock ftrace_lock')),
        gotos(
          V6_1,
          'out, EBUSY: there is a user',
          modelled('register_ftrace_graph (one user): there is a user'),
        ),
        gotos(
          V6_1,
          'out: start_graph_tracing() failed; the user is not counted, and the notifier goes',
          modelled('register_ftrace_graph (one user): roll back'),
        ),
        branches(
          V6_1,
          'the errno of ftrace_startup(); the user stays counted, and its handlers set',
          modelled('register_ftrace_graph (one user): ftrace_startup'),
        ),
      ],
    },
    {
      fn: 'register_ftrace_graph',
      in: SINCE_6_12,
      rows: [
        returns(
          V7_2,
          'EBUSY with a WARN, before the lock: FTRACE_OPS_FL_GRAPH is set',
          modelled('register_ftrace_graph (many users): the gops is registered'),
        ),
        locks(
          SINCE_6_12,
          'ftrace_lock: all of it',
          modelled('register_ftrace_graph (many users): lock ftrace_lock'),
        ),
        allocates(
          V7_2,
          'the cache of shadow stacks, with the first user ever; ENOMEM before an index is taken',
          omitted(FIRST_FAILURE),
        ),
        returns(SINCE_6_12, 'the errno of cpuhp_setup_state(), with the first user ever', omitted(HOTPLUG)),
        returns(
          SINCE_6_12,
          'ENOSPC: no index is free',
          modelled('register_ftrace_graph (many users): every index is taken'),
        ),
        returns(
          SINCE_6_12,
          'ENOSPC with a WARN: the slot of a free index is taken',
          omitted('an index is free only when its slot has the stub'),
        ),
        gotos(
          SINCE_6_12,
          'error: start_graph_tracing() failed; the index is released',
          modelled('register_ftrace_graph (many users): roll back'),
        ),
        branches(
          SINCE_6_12,
          'error: no user is left; the notifier of suspends goes',
          modelled('register_ftrace_graph (many users): no user is left'),
        ),
        branches(
          SINCE_6_12,
          'ftrace_startup_subops() failed; the index is released, the probe of sched_switch and FTRACE_OPS_FL_GRAPH stay',
          modelled(
            'register_ftrace_graph (many users): roll back',
            'register_ftrace_graph (many users): ftrace_startup_subops',
          ),
        ),
      ],
    },
    {
      fn: 'start_graph_tracing',
      in: ALL,
      rows: [
        allocates(
          V6_1,
          'an array for shadow stacks; ENOMEM',
          modelled('register_ftrace_graph (one user): allocate shadow stacks for all tasks'),
        ),
        allocates(
          SINCE_6_12,
          'an array for shadow stacks; ENOMEM',
          modelled('register_ftrace_graph (many users): allocate shadow stacks for all tasks'),
        ),
        branches(ALL, 'ENOMEM of alloc_retstack_tasklist()', omitted(FIRST_FAILURE)),
        branches(
          SINCE_6_12,
          'EEXIST of register_trace_sched_switch(), which a registration that failed later has left',
          modelled('register_ftrace_graph (many users): sched_switch has the probe of function graph'),
        ),
        branches(
          V6_1,
          'the errno of register_trace_sched_switch()',
          omitted(
            'until 6.10 the probe goes with its user, so that it is never there already; its array is not allocated in the model',
          ),
        ),
      ],
    },
    {
      fn: 'alloc_retstack_tasklist',
      in: ALL,
      rows: [
        returns(
          V7_2,
          'ENOMEM with a WARN: there is no cache of shadow stacks',
          omitted('register_ftrace_graph() makes it before'),
        ),
        gotos(
          ALL,
          'free: no memory for one of 32 shadow stacks; those before it are freed',
          omitted(FIRST_FAILURE),
        ),
        gotos(
          ALL,
          'unlock, EAGAIN: more tasks than shadow stacks; the caller repeats',
          omitted('the model has one task that calls, which has its shadow stack'),
        ),
      ],
    },
    {
      fn: 'ftrace_graph_init_task',
      in: ALL,
      rows: [
        allocates(
          ALL,
          'the shadow stack of a new task; without memory its calls are not followed',
          omitted(NO_NEW_TASK),
        ),
        returns(V7_2, 'a WARN: there is no cache of shadow stacks', omitted(NO_NEW_TASK)),
      ],
    },
    {
      fn: 'ftrace_graph_exit_task',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          'a WARN: there is no cache of shadow stacks',
          omitted('a task has a shadow stack only after register_ftrace_graph() has made the cache'),
        ),
      ],
    },
    {
      fn: 'fgraph_lru_alloc_index',
      in: SINCE_6_12,
      rows: [
        returns(
          SINCE_6_12,
          '-1: the next index of the list is not free',
          modelled('register_ftrace_graph (many users): every index is taken'),
        ),
      ],
    },
    {
      fn: 'fgraph_lru_release_index',
      in: SINCE_6_12,
      rows: [returns(SINCE_6_12, '-1: an index out of range, or a list without space', omitted(INDEX_ONCE))],
    },
    {
      fn: 'unregister_ftrace_graph',
      in: V6_1,
      rows: [
        locks(
          V6_1,
          'ftrace_lock: all of it',
          modelled('unregister_ftrace_graph (one user): lock ftrace_lock'),
        ),
        gotos(
          V6_1,
          'out: there is no user',
          modelled('unregister_ftrace_graph (one user): there is no user'),
        ),
      ],
    },
    {
      fn: 'unregister_ftrace_graph',
      in: SINCE_6_12,
      rows: [
        returns(
          V7_2,
          'a WARN, before the lock: FTRACE_OPS_FL_GRAPH is not set',
          omitted(
            'unregistering a user that is not registered is misuse (model/client/unregister-ftrace-graph.ts)',
          ),
        ),
        locks(
          SINCE_6_12,
          'ftrace_lock: all of it',
          modelled('unregister_ftrace_graph (many users): lock ftrace_lock'),
        ),
        gotos(
          SINCE_6_12,
          'out: there is no user',
          modelled('unregister_ftrace_graph (many users): the gops is not in the array'),
        ),
        gotos(
          SINCE_6_12,
          'out: the index is out of range, or its slot has another user; 7.2 clears FTRACE_OPS_FL_GRAPH there',
          modelled('unregister_ftrace_graph (many users): the gops is not in the array'),
        ),
        gotos(SINCE_6_12, 'out: fgraph_lru_release_index() failed', omitted(INDEX_ONCE)),
      ],
    },
    {
      fn: 'ftrace_graph_enable_direct',
      in: SINCE_6_12,
      rows: [
        returns(SINCE_6_12, 'FGRAPH_NO_DIRECT', omitted(NOT_COMPILED)),
        returns(
          SINCE_6_12,
          'a WARN: no user is left',
          omitted(
            'unregister_ftrace_graph() calls it with one user left, register_ftrace_graph() with its own',
          ),
        ),
      ],
    },
    {
      fn: 'ftrace_graph_disable_direct',
      in: SINCE_6_12,
      rows: [returns(SINCE_6_12, 'FGRAPH_NO_DIRECT', omitted(NOT_COMPILED))],
    },
    {
      fn: 'ftrace_push_return_trace',
      in: ALL,
      rows: [
        returns(
          ALL,
          'EBUSY: the tracer has stopped itself',
          modelled('ftrace_graph_func: the tracer has stopped itself'),
        ),
        returns(
          ALL,
          'EBUSY: the task has no shadow stack',
          omitted('every task of the model that calls has its shadow stack, from the first registration on'),
        ),
        returns(
          V6_1,
          'EBUSY: 50 frames are in use; the overrun is counted',
          modelled('function_graph_enter: there is space'),
        ),
        returns(
          V6_12,
          'EBUSY: no words for another frame; the overrun is counted',
          modelled('function_graph_enter_regs: there is space'),
        ),
        returns(
          V7_2,
          'EBUSY: no words for another frame; the overrun is counted',
          modelled('function_graph_enter_regs: there is space'),
        ),
      ],
    },
    {
      fn: 'function_graph_enter',
      in: V6_1,
      rows: [
        returns(V6_1, 'EBUSY: the caller is a direct trampoline', omitted(NOT_COMPILED)),
        gotos(V6_1, 'out: no frame; nothing is hooked', modelled('function_graph_enter: there is space')),
        gotos(
          V6_1,
          'out_ret: the user refuses; the frame is popped',
          modelled('function_graph_enter: it refuses'),
        ),
      ],
    },
    {
      fn: 'function_graph_enter',
      in: V6_12,
      rows: [
        gotos(
          V6_12,
          'out: no frame; nothing is hooked',
          modelled('function_graph_enter_regs: there is space'),
        ),
        gotos(
          V6_12,
          'out_ret: all users refuse; the frame is popped',
          modelled('function_graph_enter_regs: all refuse'),
        ),
      ],
    },
    {
      fn: 'function_graph_enter_regs',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          'EBUSY: the recursion bit is taken; no user is called',
          modelled('ftrace_graph_func: it is not recursive'),
        ),
        gotos(
          V7_2,
          'out: no frame; nothing is hooked',
          modelled('function_graph_enter_regs: there is space'),
        ),
        gotos(
          V7_2,
          'out_ret: all users refuse; the frame is popped',
          modelled('function_graph_enter_regs: all refuse'),
        ),
      ],
    },
    {
      fn: 'ftrace_graph_entry_test',
      in: V6_1,
      rows: [
        returns(
          V6_1,
          '0: global_ops does not trace the function, and another ops called the entry code',
          modelled('model/ftrace/run/list.ts traces'),
        ),
      ],
    },
    {
      fn: 'ftrace_pop_return_trace',
      in: ALL,
      rows: [
        returns(
          ALL,
          'ftrace_graph_stop(), a WARN, a return to panic(): no frame',
          modelled('ftrace_return_to_handler: there is none'),
        ),
        returns(
          ALL,
          'ftrace_graph_stop(), a WARN, a return to panic(): the frame pointer is another',
          omitted(NOT_COMPILED),
        ),
      ],
    },
    {
      fn: 'ftrace_return_to_handler',
      in: V6_1,
      rows: [
        branches(
          V6_1,
          'ftrace_graph_stop(), a WARN, a return to panic(): the return address in the frame is 0',
          omitted('the model pushes the return address that it reads from the stack, which is never 0'),
        ),
      ],
    },
    {
      fn: '__ftrace_return_to_handler',
      in: SINCE_6_12,
      rows: [
        returns(
          SINCE_6_12,
          'ftrace_graph_stop(), a WARN, a return to panic(): no frame',
          modelled('ftrace_return_to_handler: there is none'),
        ),
        gotos(
          V7_2,
          'out: the recursion bit is taken; no handler is called, the frame is popped',
          modelled('ftrace_return_to_handler: it is not recursive'),
        ),
      ],
    },
    {
      fn: 'get_ret_stack',
      in: SINCE_6_12,
      rows: [
        returns(
          SINCE_6_12,
          'NULL: the shadow stack is empty',
          modelled('ftrace_return_to_handler: there is none'),
        ),
        returns(
          SINCE_6_12,
          'NULL with a WARN: the offset of a frame is damaged',
          omitted('words of the shadow stack are written by function graph alone'),
        ),
      ],
    },
    {
      fn: 'fgraph_reserve_data',
      in: SINCE_6_12,
      rows: [
        returns(
          SINCE_6_12,
          'NULL: more than FGRAPH_MAX_DATA_SIZE',
          modelled('model/ftrace/fgraph.ts fgraphReserveData'),
        ),
        returns(
          SINCE_6_12,
          'NULL: no words for the data',
          modelled('model/ftrace/fgraph.ts fgraphReserveData'),
        ),
      ],
    },
    {
      fn: 'fgraph_retrieve_data',
      in: SINCE_6_12,
      rows: [
        gotos(
          V6_12,
          'found: the data of the user',
          modelled('model/ftrace/run/fprobes-on-graph.ts fprobeReturn'),
        ),
        returns(SINCE_6_12, 'NULL: the user has reserved nothing', modelled('fprobe_return: none was noted')),
      ],
    },
    {
      fn: 'ftrace_graph_probe_sched_switch',
      in: ALL,
      rows: [
        returns(
          ALL,
          'time asleep counts, or no time is noted for the next task',
          omitted('time is not modelled (docs/scope.md)'),
        ),
      ],
    },
  ],
};
