import type { AuditedFunction } from './row.ts';
import { ALL, branches, gotos, locks, modelled, returns } from './row.ts';

/** Kprobes that are armed, disabled and enabled again, kernel/kprobes.c. */
export const ENABLING: readonly AuditedFunction[] = [
  {
    fn: 'disable_kprobe',
    in: ALL,
    rows: [
      locks(ALL, 'kprobe_mutex: __disable_kprobe()', modelled('disable_kprobe: lock kprobe_mutex')),
      returns(
        ALL,
        'EINVAL of __disable_kprobe(): the kprobe is not in the table',
        modelled('disable_kprobe: the kprobe is not registered'),
      ),
      returns(
        ALL,
        'the errno of disarm_kprobe(): the kprobe is enabled again',
        modelled('disable_kprobe: roll back'),
      ),
    ],
  },
  {
    fn: 'arm_kprobe',
    in: ALL,
    rows: [
      locks(
        ALL,
        'cpus_read_lock() and text_mutex: __arm_kprobe(), in a body',
        modelled('arch_arm_kprobe: lock text_mutex'),
      ),
      branches(
        ALL,
        'none: an optimised kprobe over the address is unoptimised, and this one is queued to be optimised',
        modelled('arch_arm_kprobe: an optimised kprobe overlaps', 'arch_arm_kprobe: it may be optimised'),
      ),
    ],
  },
  {
    fn: 'enable_kprobe',
    in: ALL,
    rows: [
      locks(ALL, 'kprobe_mutex: the whole call', modelled('enable_kprobe: lock kprobe_mutex')),
      gotos(
        ALL,
        'out, EINVAL: the kprobe is not in the table (7.2: returns)',
        modelled('enable_kprobe: the kprobe is not registered'),
      ),
      gotos(
        ALL,
        'out, EINVAL: KPROBE_FLAG_GONE, its module has been unloaded (7.2: returns)',
        modelled('enable_kprobe: its module has gone'),
      ),
      returns(
        ALL,
        'the errno of arm_kprobe(): the address and the kprobe are disabled again',
        modelled('enable_kprobe: roll back'),
      ),
    ],
  },
];
