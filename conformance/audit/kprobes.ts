import { ENABLING } from './kprobes-enable.ts';
import { OPTIMIZING } from './kprobes-optimize.ts';
import { UNREGISTERING } from './kprobes-unregister.ts';
import { KRETPROBES } from './kretprobes.ts';
import { DETOUR_ALWAYS, NO_RESERVED_TEXT, NOT_OUTER_LOCKS, ONLY_ADDRESSES } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, allocates, gotos, locks, modelled, omitted, returns, UNTIL_6_12, V7_2, waits } from './row.ts';

/** The parts of register_kprobe() that report the errno of arming. */
const ARMING = [
  'register_kprobe: the ops of kprobes could not be registered',
  'register_kprobe: ftrace is dead',
  'register_kprobe: a direct call cannot share now',
  'register_kprobe: no memory to arm it',
];

/** Kprobes, at call sites through ftrace, as arch/x86 has CONFIG_KPROBES_ON_FTRACE. */
export const KPROBES: Audit = {
  file: 'kernel/kprobes.c',
  functions: [
    {
      fn: 'register_kprobe',
      in: ALL,
      rows: [
        returns(
          ALL,
          'EINVAL of _kprobe_addr() for a symbol and an address, or for neither; ENOENT for an unknown symbol',
          omitted(ONLY_ADDRESSES),
        ),
        returns(
          ALL,
          'ENOENT of _kprobe_addr(): kallsyms_lookup_size_offset() finds nothing at the address',
          modelled('register_kprobe: no symbol has the address'),
        ),
        returns(ALL, 'EINVAL of warn_kprobe_rereg()', modelled('register_kprobe: the kprobe is registered')),
        returns(
          ALL,
          'the errno of check_kprobe_address_safe()',
          modelled(
            'register_kprobe: the address is no instruction',
            'register_kprobe: its module is going, or has gone',
          ),
        ),
        locks(
          ALL,
          'kprobe_mutex: the look-up, the table and arming, with the wait for RCU after a failure (7.2: in __register_kprobe())',
          modelled('register_kprobe: lock kprobe_mutex (2)'),
        ),
        gotos(
          UNTIL_6_12,
          'out, the answer of register_aggr_kprobe(): another kprobe is at the address',
          modelled('register_kprobe: allocate an aggregate'),
        ),
        locks(
          UNTIL_6_12,
          'cpus_read_lock() and text_mutex: prepare_kprobe()',
          modelled('register_kprobe: lock text_mutex (2)'),
        ),
        gotos(
          UNTIL_6_12,
          'out: prepare_kprobe() failed, in a body',
          modelled('register_kprobe: no instruction begins there'),
        ),
        gotos(
          UNTIL_6_12,
          'out: arm_kprobe() failed; the kprobe leaves the table',
          modelled('register_kprobe: roll back (3)', ...ARMING),
        ),
        waits(
          UNTIL_6_12,
          'synchronize_rcu() after arm_kprobe() failed: handlers may have found the kprobe in the table',
          modelled('register_kprobe: wait for rcu (2)'),
        ),
        gotos(
          ALL,
          'none: the reference on the module is dropped at the end, whatever the answer',
          modelled('register_kprobe: roll back'),
        ),
      ],
    },
    {
      fn: '__register_kprobe',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          'the answer of register_aggr_kprobe(): another kprobe is at the address',
          modelled('register_kprobe: allocate an aggregate'),
        ),
        locks(
          V7_2,
          'cpus_read_lock() and text_mutex: prepare_kprobe()',
          modelled('register_kprobe: lock text_mutex (2)'),
        ),
        returns(
          V7_2,
          'the errno of prepare_kprobe(), in a body',
          modelled('register_kprobe: no instruction begins there'),
        ),
        waits(
          V7_2,
          'synchronize_rcu() after arm_kprobe() failed; the errno is lost, and the answer is 0',
          modelled('register_kprobe: wait for rcu (2)', 'register_kprobe: roll back (3)'),
        ),
      ],
    },
    {
      fn: 'warn_kprobe_rereg',
      in: ALL,
      rows: [
        locks(ALL, 'kprobe_mutex: __get_valid_kprobe()', modelled('register_kprobe: lock kprobe_mutex')),
        returns(
          ALL,
          'EINVAL with a WARN: the kprobe is in the table',
          modelled('register_kprobe: the kprobe is registered'),
        ),
      ],
    },
    {
      fn: 'check_kprobe_address_safe',
      in: ALL,
      rows: [
        returns(
          ALL,
          'EINVAL of check_ftrace_location()',
          omitted('the recorded kernels have CONFIG_KPROBES_ON_FTRACE, with which it answers 0'),
        ),
        locks(ALL, 'jump_label_mutex: the whole check', omitted(NOT_OUTER_LOCKS)),
        gotos(
          UNTIL_6_12,
          'out, EINVAL: text of neither the kernel nor a module',
          modelled(
            'register_kprobe: the address is no instruction',
            'register_kprobe: its module is going, or has gone',
          ),
        ),
        returns(
          V7_2,
          'EINVAL: text of neither the kernel nor a module',
          modelled(
            'register_kprobe: the address is no instruction',
            'register_kprobe: its module is going, or has gone',
          ),
        ),
        gotos(
          UNTIL_6_12,
          'out, EINVAL: the gate area, the blacklist, or text of a jump label, a static call, a BUG() or a CFI hash',
          omitted(NO_RESERVED_TEXT),
        ),
        returns(
          V7_2,
          'EINVAL: the same; the reference on the module, which is taken earlier, is dropped',
          omitted(NO_RESERVED_TEXT),
        ),
        gotos(
          UNTIL_6_12,
          'out, ENOENT: the module is going',
          modelled('register_kprobe: its module is going, or has gone'),
        ),
        returns(
          V7_2,
          'ENOENT: the module is going',
          modelled('register_kprobe: its module is going, or has gone'),
        ),
        returns(
          ALL,
          'ENOENT: init text of a module that is past its init function',
          omitted('docs/scope.md: modules have no init functions in the model'),
        ),
      ],
    },
    {
      fn: 'register_aggr_kprobe',
      in: ALL,
      rows: [
        locks(
          ALL,
          'cpus_read_lock(), jump_label_mutex, text_mutex: the aggregate is made and joined',
          omitted(NOT_OUTER_LOCKS),
        ),
        allocates(
          ALL,
          'an aggregate, for the second kprobe of an address: ENOMEM',
          modelled('register_kprobe: allocate an aggregate'),
        ),
        allocates(
          ALL,
          'a slot for the instruction in __prepare_optimized_kprobe(): without it the aggregate is not optimised',
          omitted(DETOUR_ALWAYS),
        ),
        gotos(
          ALL,
          'out, the errno of reuse_unused_kprobe(): the aggregate has no kprobe left and waits to be unoptimised',
          omitted('EINVAL without a detour: only an aggregate that has one waits for the optimiser'),
        ),
        gotos(
          ALL,
          'out, the errno of arch_prepare_kprobe(): the aggregate is of a module that is gone',
          omitted('docs/scope.md: no module is loaded at its previous address'),
        ),
        returns(
          ALL,
          'the errno of arm_kprobe(): the address was disabled; the kprobe leaves the list, on 7.2 as well',
          modelled('register_kprobe: roll back (2)'),
        ),
        waits(ALL, 'synchronize_rcu() after that failure', modelled('register_kprobe: wait for rcu')),
      ],
    },
    {
      fn: '__arm_kprobe_ftrace',
      in: ALL,
      rows: [
        returns(
          ALL,
          'the errno of ftrace_set_filter_ip()',
          modelled('register_kprobe: no memory to arm it', 'register_kprobe: ftrace is dead'),
        ),
        returns(
          ALL,
          'the errno of register_ftrace_function() for the first kprobe; the address leaves the filter again',
          modelled('__arm_kprobe_ftrace: roll back'),
        ),
        returns(
          ALL,
          'none: the errno of that second ftrace_set_filter_ip() is not read',
          omitted('the model calls it, and drops its errno as the kernel does'),
        ),
      ],
    },
    ...OPTIMIZING,
    ...UNREGISTERING,
    ...ENABLING,
    ...KRETPROBES,
  ],
};
