import { LINKED_ONCE, PRIVATE_STACKS } from './reasons.ts';
import type { AuditedFunction } from './row.ts';

import { ALL, gotos, locks, modelled, omitted, returns, SINCE_6_12, UNTIL_6_12, V7_2 } from './row.ts';

import { LOOKING_UP } from './trampoline-get.ts';

const LINK = '__bpf_trampoline_link_prog:';
/** The programs of a trampoline, and the helpers around them. */
export const LINKING: readonly AuditedFunction[] = [
  ...LOOKING_UP,
  {
    fn: 'bpf_freplace_check_tgt_prog',
    in: SINCE_6_12,
    rows: [
      locks(
        SINCE_6_12,
        'ext_mutex of the target: prog_array_member_cnt and is_extended',
        omitted('model/README.md, locks: nothing in the model waits for ext_mutex'),
      ),
      returns(
        SINCE_6_12,
        'EBUSY: the target is a member of a program array',
        omitted('docs/scope.md, extensions: members of a program array are not modelled'),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_add_prog',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'E2BIG: BPF_MAX_TRAMP_LINKS; a session counts twice',
        modelled(`${LINK} too many programs`),
      ),
      returns(V7_2, 'EBUSY: the node is in a list', omitted(LINKED_ONCE)),
      returns(
        V7_2,
        'EBUSY: the program is in the list of its kind',
        modelled(`${LINK} the program is attached there`),
      ),
      returns(
        V7_2,
        'EINVAL with a WARN: the link of a session is neither a tracing nor a multi link',
        omitted('a session is linked by these two calls only; the branch cannot be taken'),
      ),
    ],
  },
  {
    fn: '__bpf_trampoline_link_prog',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EBUSY: an extension has the target',
        modelled(`${LINK} an extension has the target for itself`),
      ),
      returns(
        ALL,
        'EBUSY: an extension, and programs are attached to the target',
        modelled('__bpf_trampoline_link_prog (extension): programs are attached to the target'),
      ),
      returns(
        SINCE_6_12,
        'the errno of bpf_freplace_check_tgt_prog()',
        omitted('docs/scope.md, extensions: members of a program array and is_extended are not modelled'),
      ),
      returns(
        ALL,
        'an extension: the answer of bpf_arch_text_poke(); extension_prog stays set when it fails',
        modelled(`${LINK} it is an extension`),
      ),
      returns(UNTIL_6_12, 'E2BIG: BPF_MAX_TRAMP_LINKS', modelled(`${LINK} too many programs`)),
      returns(UNTIL_6_12, 'EBUSY: the link is in a list', omitted(LINKED_ONCE)),
      returns(
        UNTIL_6_12,
        'EBUSY: the program is in the list of its kind',
        modelled(`${LINK} the program is attached there`),
      ),
      gotos(
        ALL,
        'none, but the same end: bpf_trampoline_update() failed, and the program leaves its list (7.2: and is skipped in all images)',
        modelled(`${LINK} roll back`),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_link_prog',
    in: ALL,
    rows: [
      locks(
        ALL,
        'the mutex of the trampoline (7.2: of the pool): lists, flags, image and call site change together',
        modelled('bpf_trampoline_link_prog: lock'),
      ),
    ],
  },
  {
    fn: '__bpf_trampoline_unlink_prog',
    in: ALL,
    rows: [
      returns(
        ALL,
        'an extension, with a WARN if there is none: the errno of the poke, after extension_prog is cleared',
        modelled(
          '__bpf_trampoline_unlink_prog: it is an extension',
          '__bpf_trampoline_unlink_prog (extension): the call site still calls the extension',
        ),
      ),
      locks(
        SINCE_6_12,
        'ext_mutex of the target, held until the return: is_extended',
        omitted('docs/scope.md, extensions: is_extended is not modelled'),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_unlink_prog',
    in: ALL,
    rows: [
      locks(ALL, 'the mutex of the trampoline, as for linking', modelled('bpf_trampoline_unlink_prog: lock')),
    ],
  },
  {
    fn: 'bpf_trampoline_remove_prog',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'with a WARN: the link of a session is neither a tracing nor a multi link',
        omitted('bpf_trampoline_add_prog() has refused it; the branch cannot be taken'),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_skip_prog',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'none, a WARN: the poke of a place failed; the place is forgotten all the same',
        modelled(
          'bpf_trampoline_skip_prog: bpf_arch_text_poke',
          'bpf_trampoline_skip_prog: forget its places',
        ),
      ),
    ],
  },
  {
    fn: '__bpf_prog_enter_recur',
    in: ALL,
    rows: [
      locks(
        ALL,
        'rcu_read_lock() and migrate_disable(), until the exit',
        modelled('__bpf_prog_enter_recur: rcu_read_lock, migrate_disable'),
      ),
      returns(
        ALL,
        '0: the program is running on this CPU; a miss is counted',
        modelled('__bpf_prog_enter_recur: set the run context, and count'),
      ),
      returns(V7_2, 'none: recursion_detected() of the program is called', omitted(PRIVATE_STACKS)),
    ],
  },
  {
    fn: '__bpf_prog_exit_recur',
    in: ALL,
    rows: [
      locks(
        ALL,
        'migrate_enable() and rcu_read_unlock(), after the counter',
        modelled('__bpf_prog_exit_recur: migrate_enable, rcu_read_unlock'),
      ),
    ],
  },
  {
    fn: '__bpf_prog_enter_sleepable_recur',
    in: ALL,
    rows: [
      locks(
        ALL,
        'rcu_read_lock_trace() and migrate_disable(), until the exit',
        modelled('__bpf_prog_enter_sleepable_recur: rcu_read_lock_trace, migrate_disable'),
      ),
      returns(
        ALL,
        '0: the program is running on this CPU; a miss is counted',
        modelled('__bpf_prog_enter_sleepable_recur: set the run context, and count'),
      ),
      returns(V7_2, 'none: recursion_detected() of the program is called', omitted(PRIVATE_STACKS)),
    ],
  },
  {
    fn: '__bpf_prog_exit_sleepable_recur',
    in: ALL,
    rows: [
      locks(
        ALL,
        'migrate_enable() and rcu_read_unlock_trace(), after the counter',
        modelled('__bpf_prog_exit_sleepable_recur: migrate_enable, rcu_read_unlock_trace'),
      ),
    ],
  },
  {
    fn: '__bpf_prog_enter',
    in: ALL,
    rows: [
      locks(
        ALL,
        'rcu_read_lock() and migrate_disable(), until the exit',
        modelled('__bpf_prog_enter: rcu_read_lock, migrate_disable'),
      ),
    ],
  },
  {
    fn: '__bpf_prog_exit',
    in: ALL,
    rows: [
      locks(
        ALL,
        'migrate_enable() and rcu_read_unlock()',
        modelled('__bpf_prog_exit: migrate_enable, rcu_read_unlock'),
      ),
    ],
  },
  {
    fn: '__bpf_prog_enter_sleepable',
    in: ALL,
    rows: [
      locks(
        ALL,
        'rcu_read_lock_trace() and migrate_disable(), until the exit',
        modelled('__bpf_prog_enter_sleepable: rcu_read_lock_trace, migrate_disable'),
      ),
    ],
  },
  {
    fn: '__bpf_prog_exit_sleepable',
    in: ALL,
    rows: [
      locks(
        ALL,
        'migrate_enable() and rcu_read_unlock_trace()',
        modelled('__bpf_prog_exit_sleepable: migrate_enable, rcu_read_unlock_trace'),
      ),
    ],
  },
];
