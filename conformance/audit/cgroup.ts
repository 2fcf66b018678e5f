import { ONE_CGROUP } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, allocates, branches, gotos, locks, modelled, omitted, returns, SINCE_6_12 } from './row.ts';

const ATTACH = '__cgroup_bpf_attach:';

/** Links of BPF LSM programs to a cgroup; other types of programs for cgroups are not modelled. */
export const CGROUP: Audit = {
  file: 'kernel/bpf/cgroup.c',
  functions: [
    {
      fn: 'cgroup_bpf_link_attach',
      in: ALL,
      rows: [
        returns(ALL, 'EINVAL: unknown flags; the errno of cgroup_get_from_fd()', omitted(ONE_CGROUP)),
        allocates(ALL, 'the link', modelled('cgroup_bpf_link_attach: allocate the link')),
        locks(
          ALL,
          'cgroup_mutex, in cgroup_bpf_attach(): the whole of __cgroup_bpf_attach()',
          modelled('cgroup_bpf_link_attach: lock cgroup_mutex'),
        ),
        gotos(
          ALL,
          'out_put_cgroup: the link is freed by bpf_link_cleanup()',
          modelled('cgroup_bpf_link_attach: roll back'),
        ),
      ],
    },
    {
      fn: '__cgroup_bpf_attach',
      in: ALL,
      rows: [
        returns(ALL, 'EINVAL: flags that exclude each other', omitted(ONE_CGROUP)),
        returns(
          ALL,
          'EINVAL of bpf_cgroup_atype_find(): ten other hooks have programs',
          modelled(`${ATTACH} all slots are taken by other hooks`),
        ),
        returns(SINCE_6_12, 'ESTALE: another revision than expected', omitted(ONE_CGROUP)),
        returns(ALL, 'EPERM: a parent, or this cgroup, has programs with other flags', omitted(ONE_CGROUP)),
        returns(ALL, 'E2BIG: 64 programs', modelled(`${ATTACH} too many programs`)),
        returns(ALL, 'EINVAL, ENOENT: the entry is there, or the one to replace is not', omitted(ONE_CGROUP)),
        allocates(
          ALL,
          'storages of the program',
          omitted('docs/scope.md: what a program does inside is not modelled; it has no map'),
        ),
        allocates(ALL, 'the entry', modelled(`${ATTACH} allocate the entry`)),
        gotos(
          ALL,
          'cleanup: the shim was not linked; the entry leaves the list',
          modelled(`${ATTACH} roll back`),
        ),
        allocates(
          ALL,
          'the effective programs, in update_effective_progs()',
          modelled(`${ATTACH} allocate the effective programs`),
        ),
        gotos(
          ALL,
          'cleanup_trampoline: the shim is unlinked, then as before',
          modelled(`${ATTACH} roll back (2)`),
        ),
      ],
    },
    {
      fn: 'bpf_cgroup_link_release',
      in: ALL,
      rows: [
        returns(ALL, 'at once: the cgroup is gone', omitted(ONE_CGROUP)),
        locks(
          ALL,
          'cgroup_mutex: __cgroup_bpf_detach() and the shim',
          modelled('bpf_cgroup_link_release: lock cgroup_mutex'),
        ),
        branches(
          ALL,
          'purge_effective_progs(), in __cgroup_bpf_detach(): there is no memory for a smaller array',
          omitted('the program leaves the array that calls read in either way, in one step'),
        ),
      ],
    },
    {
      fn: '__cgroup_bpf_run_lsm_current',
      in: ALL,
      rows: [
        returns(
          ALL,
          '0: the task has no cgroup',
          omitted('every task of the model is in the one cgroup that there is'),
        ),
      ],
    },
  ],
};
