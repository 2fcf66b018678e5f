import { GRAPH_PAUSE, HOTPLUG, MAPPED, NOT_BY_THIS_PATH, ONE_STEP } from './reasons.ts';
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
  UNTIL_6_12,
  V7_2,
} from './row.ts';

/** Text of call sites and trampolines of ops; one long table on purpose. */
export const X86_FTRACE: Audit = {
  file: 'arch/x86/kernel/ftrace.c',
  functions: [
    {
      fn: 'ftrace_arch_code_modify_prepare',
      in: ALL,
      rows: [
        locks(
          ALL,
          'text_mutex, until ftrace_arch_code_modify_post_process()',
          modelled('ftrace_run_update_code: lock text_mutex', 'ftrace_module_enable: lock text_mutex'),
        ),
      ],
    },
    {
      fn: 'ftrace_verify_code',
      in: ALL,
      rows: [
        returns(ALL, 'EFAULT with a WARN: the text cannot be read', omitted(MAPPED)),
        returns(
          ALL,
          'EINVAL with a WARN: the text holds another instruction',
          modelled('model/ftrace/update-code.ts isFtraceBug'),
        ),
      ],
    },
    {
      fn: 'ftrace_modify_code_direct',
      in: ALL,
      rows: [
        returns(ALL, 'the errno of ftrace_verify_code()', modelled('ftrace_replace_code: ftrace has died')),
      ],
    },
    {
      fn: 'ftrace_make_nop',
      in: ALL,
      rows: [
        returns(
          ALL,
          'EINVAL with a WARN: a call that is not that of the compiler',
          omitted(NOT_BY_THIS_PATH),
        ),
      ],
    },
    {
      fn: 'ftrace_modify_call',
      in: ALL,
      rows: [returns(ALL, 'EINVAL with a WARN, always', omitted(NOT_BY_THIS_PATH))],
    },
    {
      fn: 'ftrace_replace_code',
      in: ALL,
      rows: [
        returns(
          ALL,
          'ftrace_bug(): a site holds another instruction; ftrace dies, no record and no text has changed',
          modelled('ftrace_replace_code: ftrace has died'),
        ),
      ],
    },
    {
      fn: 'arch_ftrace_update_trampoline',
      in: ALL,
      rows: [
        allocates(
          ALL,
          'the trampoline of an ops that has none; without memory the ops uses the shared entry code',
          modelled('model/ftrace/ops-page.ts createTrampoline'),
        ),
        returns(
          ALL,
          "the trampoline is not the ops's own",
          modelled('model/ftrace/ops-page.ts createTrampoline'),
        ),
        locks(
          ALL,
          'text_mutex: the call in a trampoline that the ops has already is poked',
          modelled('arch_ftrace_update_trampoline: lock text_mutex'),
        ),
      ],
    },
    {
      fn: 'create_trampoline',
      in: ALL,
      rows: [
        allocates(ALL, 'alloc_tramp(); 0', modelled('model/ftrace/ops-page.ts createTrampoline')),
        gotos(ALL, 'fail: the entry code cannot be read, or is not what was compiled', omitted(MAPPED)),
        locks(ALL, 'text_mutex: the call in the new trampoline is written', omitted(ONE_STEP)),
      ],
    },
    {
      fn: 'arch_ftrace_trampoline_free',
      in: ALL,
      rows: [
        returns(
          ALL,
          'no ops, or a trampoline that is not its own',
          modelled('model/ftrace/ops-page.ts freeTrampoline'),
        ),
      ],
    },
    {
      fn: 'prepare_ftrace_return',
      in: UNTIL_6_12,
      rows: [
        returns(UNTIL_6_12, 'the stack is not virtual: a CPU that resumes, in real mode', omitted(HOTPLUG)),
        returns(
          UNTIL_6_12,
          'the tracer has stopped itself',
          modelled('ftrace_graph_func: the tracer has stopped itself'),
        ),
        returns(UNTIL_6_12, 'tracing_graph_pause is set', omitted(GRAPH_PAUSE)),
        returns(UNTIL_6_12, 'the recursion bit is taken', modelled('ftrace_graph_func: it is not recursive')),
        branches(
          UNTIL_6_12,
          'no user wants the return, the return address stays',
          modelled('function_graph_enter: it refuses', 'function_graph_enter_regs: all refuse'),
        ),
      ],
    },
    {
      fn: 'ftrace_graph_func',
      in: UNTIL_6_12,
      rows: [
        branches(
          UNTIL_6_12,
          'prepare_ftrace_return() with the stack of the frame',
          modelled('ftrace_graph_func: one user at a time'),
        ),
        branches(
          UNTIL_6_12,
          'a direct call is skipped, which only kernels without CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS do',
          modelled('ftrace_graph_func: a direct call is skipped'),
        ),
      ],
    },
    {
      fn: 'ftrace_graph_func',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          'skip_ftrace_return(): the stack is not virtual: a CPU that resumes, in real mode',
          omitted(HOTPLUG),
        ),
        returns(V7_2, 'skip_ftrace_return(): tracing_graph_pause is set', omitted(GRAPH_PAUSE)),
        returns(
          V7_2,
          'skip_ftrace_return(): the tracer has stopped itself',
          modelled('ftrace_graph_func: the tracer has stopped itself'),
        ),
        branches(
          V7_2,
          'no user wants the return, the return address stays',
          modelled('function_graph_enter_regs: all refuse'),
        ),
      ],
    },
  ],
};
