import type { AuditedFunction } from './row.ts';
import { ALL, gotos, locks, modelled, omitted, returns, SINCE_6_12, UNTIL_6_12, waits } from './row.ts';

/** Kprobes that are disarmed and unregistered, kernel/kprobes.c. */
export const UNREGISTERING: readonly AuditedFunction[] = [
  {
    fn: '__disarm_kprobe_ftrace',
    in: ALL,
    rows: [
      returns(
        SINCE_6_12,
        '0: kprobe_ftrace_disabled, ftrace is dead',
        modelled('__disarm_kprobe_ftrace: ftrace is dead'),
      ),
      returns(
        ALL,
        'the errno of unregister_ftrace_function() for the last kprobe, with a WARN',
        modelled('__disarm_kprobe_ftrace: roll back'),
      ),
      returns(
        ALL,
        'the errno of ftrace_set_filter_ip(), with a WARN, after the counter was decremented',
        modelled('__disarm_kprobe_ftrace: roll back (2)'),
      ),
    ],
  },
  {
    fn: 'disarm_kprobe',
    in: ALL,
    rows: [
      locks(
        ALL,
        'cpus_read_lock() and text_mutex: __disarm_kprobe(), in a body',
        modelled('arch_disarm_kprobe: lock text_mutex'),
      ),
    ],
  },
  {
    fn: 'unregister_kprobe',
    in: ALL,
    rows: [
      locks(ALL, 'kprobe_mutex: __unregister_kprobe_top()', modelled('unregister_kprobe: lock kprobe_mutex')),
      returns(
        ALL,
        'none: an errno of __unregister_kprobe_top() clears p->addr, and the second half is skipped',
        omitted('no return: the step "the kprobe stays" of unregister_kprobe is that branch'),
      ),
      waits(
        ALL,
        'synchronize_rcu(), with kprobe_mutex released, also after a failure',
        modelled('unregister_kprobe: wait for rcu'),
      ),
      returns(
        ALL,
        'none: __unregister_kprobe_bottom() frees the aggregate with its last kprobe, without a further wait',
        omitted(
          'it comes after the wait: no handler has the aggregate, which the model drops with the table entry',
        ),
      ),
    ],
  },
  {
    fn: '__unregister_kprobe_top',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EINVAL of __disable_kprobe(): the kprobe is not in the table',
        omitted('no return: the branch "the kprobe is registered" of unregister_kprobe is not taken then'),
      ),
      returns(
        ALL,
        'the errno of disarm_kprobe(): the kprobe is enabled again and stays in its list',
        omitted('no return: the branch "it could not be disarmed" of unregister_kprobe has it'),
      ),
      gotos(
        UNTIL_6_12,
        'disarmed: an independent kprobe, or the last one of a disarmed aggregate, leaves the table (7.2: the same without a label)',
        omitted('no error path: the step "leave the table" of unregister_kprobe has both'),
      ),
      gotos(
        UNTIL_6_12,
        'noclean: another kprobe of the aggregate has a post_handler (7.2: the same without a label)',
        omitted('no effect on ftrace: an aggregate at a call site keeps its post_handler either way'),
      ),
    ],
  },
  {
    fn: 'kill_kprobe',
    in: ALL,
    rows: [
      returns(
        ALL,
        'none: the errno of disarm_kprobe_ftrace() is not read',
        omitted('the model calls it, and drops its errno; its WARN is that of __disarm_kprobe_ftrace'),
      ),
    ],
  },
];
