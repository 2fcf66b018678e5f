import type { AuditedFunction } from './row.ts';
import { ALL, allocates, gotos, locks, modelled, omitted, returns } from './row.ts';

const LINK = 'bpf_trampoline_link_cgroup_shim:';
const UNLINK = 'bpf_trampoline_unlink_cgroup_shim:';

/** Shims of programs for cgroups. */
export const SHIMS: readonly AuditedFunction[] = [
  {
    fn: 'bpf_trampoline_link_cgroup_shim',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the errno of bpf_check_attach_target()',
        omitted('the program was loaded for the hook, which is never unloaded'),
      ),
      returns(ALL, 'ENOMEM: no trampoline', modelled('bpf_trampoline_get: allocate a trampoline')),
      locks(ALL, 'the mutex of the trampoline: the search, and the link', modelled(`${LINK} lock`)),
      returns(
        ALL,
        '0: another program has a shim, whose count was not zero',
        modelled('bpf_trampoline_put: others have references'),
      ),
      allocates(
        ALL,
        'the link and the program, in cgroup_shim_alloc()',
        modelled(`${LINK} allocate the shim`),
      ),
      gotos(
        ALL,
        'err: the shim that was made is put, then the trampoline, without its mutex',
        modelled(`${LINK} roll back`),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_unlink_cgroup_shim',
    in: ALL,
    rows: [
      returns(
        ALL,
        'none, a WARN: bpf_trampoline_lookup() has no memory for a trampoline',
        omitted('the shim holds the trampoline: it is found'),
      ),
      locks(
        ALL,
        'trampoline_mutex, in bpf_trampoline_lookup()',
        modelled('bpf_trampoline_lookup: lock trampoline_mutex'),
      ),
      locks(ALL, 'the mutex of the trampoline: the search', modelled(`${UNLINK} lock`)),
    ],
  },
  {
    fn: 'bpf_shim_tramp_link_release',
    in: ALL,
    rows: [
      returns(
        ALL,
        'at once: it was never linked',
        modelled('bpf_shim_tramp_link_release: bpf_trampoline_unlink_prog'),
      ),
    ],
  },
];
