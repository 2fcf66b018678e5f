import { DEVICES, HOTPLUG, READ_IN_6_12 } from './reasons.ts';
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
  waits,
} from './row.ts';

/* The dispatcher of XDP programs, and what attaches them to devices. */

const UPDATE = 'bpf_dispatcher_update';
const CHANGE = 'bpf_dispatcher_change_prog';

export const DISPATCHER: Audit = {
  file: 'kernel/bpf/dispatcher.c',
  functions: [
    {
      fn: CHANGE,
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'the program does not change', modelled(`${CHANGE}: nothing changes`)),
        locks(ALL, 'd->mutex: all after that', modelled(`${CHANGE}: lock dispatcher mutex`)),
        allocates(
          ALL,
          'the page of the images, and its writable copy; goto out without them',
          modelled(`${CHANGE}: no memory for it`),
        ),
        gotos(
          ALL,
          'out: neither program came or went, but for its users',
          modelled(`${CHANGE}: no program came or went`),
        ),
        branches(
          ALL,
          'bpf_dispatcher_add_prog(): no slot is free',
          modelled('model/dispatcher/change-prog.ts addProg'),
        ),
      ],
    },
    {
      fn: UPDATE,
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'the image cannot be generated or copied: the static call stays, the programs have changed',
          modelled(`${UPDATE}: it cannot be written`),
        ),
        locks(
          ALL,
          'text_mutex: text_poke_copy() in bpf_arch_text_copy()',
          modelled(`${UPDATE}: lock text_mutex`),
        ),
        waits(
          ALL,
          'synchronize_rcu(): callers leave the half that was in use',
          modelled(`${UPDATE}: wait for rcu`),
        ),
      ],
    },
  ],
};

const STATIC_CALL = '__BPF_DISPATCHER_UPDATE';

export const BPF_H: Audit = {
  file: 'include/linux/bpf.h',
  functions: [
    {
      fn: STATIC_CALL,
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        locks(ALL, 'cpus_read_lock() in __static_call_update()', omitted(HOTPLUG)),
        locks(ALL, 'static_call_mutex in it', modelled(`${STATIC_CALL}: lock static_call_mutex`)),
        locks(
          ALL,
          'text_mutex in arch_static_call_transform(): the trampoline of the static call, then the jump in the function',
          modelled(`${STATIC_CALL}: lock text_mutex`),
        ),
        gotos(
          ALL,
          'done in it: it calls the function already',
          modelled(`${STATIC_CALL}: it calls it already`),
        ),
      ],
    },
  ],
};

export const NET_CORE_DEV: Audit = {
  file: 'net/core/dev.c',
  functions: [
    {
      fn: 'dev_change_xdp_fd',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        locks(ALL, 'rtnl_mutex, which its caller holds', modelled('dev_change_xdp_fd: lock rtnl_mutex')),
        returns(
          ALL,
          'the errno of bpf_prog_get_type_dev()',
          modelled('dev_change_xdp_fd: there is no such program', 'dev_change_xdp_fd: it is no XDP program'),
        ),
        gotos(ALL, 'err_out: expected_fd is no program', omitted(DEVICES)),
        gotos(
          ALL,
          'err_out: the attach fails, and the program is put',
          modelled('dev_change_xdp_fd: roll back'),
        ),
      ],
    },
    {
      fn: 'dev_xdp_attach',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'EINVAL: flags of modes, or XDP_FLAGS_REPLACE, that do not fit', omitted(DEVICES)),
        returns(
          ALL,
          'EBUSY: a link has the device, or a program that a link would replace',
          omitted(DEVICES),
        ),
        returns(
          ALL,
          'EEXIST: a device above has a program, or the program is not the expected one',
          omitted(DEVICES),
        ),
        returns(ALL, 'EOPNOTSUPP: the driver has no XDP', omitted(DEVICES)),
        returns(ALL, 'the errno of dev_xdp_install()', omitted(DEVICES)),
      ],
    },
    {
      fn: 'dev_xdp_install',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'EEXIST: a program in the other mode', omitted(DEVICES)),
        returns(ALL, 'EINVAL: a program of a device, or for DEVMAP or CPUMAP', omitted(DEVICES)),
        returns(SINCE_6_12, 'EBUSY: the device uses a memory provider', omitted(DEVICES)),
        returns(ALL, 'the errno of the driver: the reference for it is dropped', omitted(DEVICES)),
      ],
    },
  ],
};
