import { FIRST_FAILURE } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import { ALL, allocates, gotos, locks, modelled, omitted, returns, UNTIL_6_12, V7_2, waits } from './row.ts';

const GET = 'bpf_trampoline_get:';
const OPS_FUNC = 'bpf_tramp_ftrace_ops_func:';

/** The trampoline of a target, and the queries of ftrace to it. */
export const LOOKING_UP: readonly AuditedFunction[] = [
  {
    fn: 'bpf_trampoline_lookup',
    in: ALL,
    rows: [
      locks(
        ALL,
        'trampoline_mutex: the look-up, the reference, and the insertion of a new trampoline',
        modelled(`${GET} lock trampoline_mutex`),
      ),
      gotos(
        ALL,
        'out: the trampoline is there, with one more reference',
        omitted('no error path: the branch "there is none" of bpf_trampoline_get is not taken'),
      ),
      allocates(ALL, 'the trampoline; out with NULL', modelled(`${GET} allocate a trampoline`)),
      allocates(
        UNTIL_6_12,
        'its ops; out with NULL, the trampoline is freed (7.2: direct_ops_alloc() takes no memory)',
        omitted(FIRST_FAILURE),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_get',
    in: ALL,
    rows: [
      returns(ALL, 'NULL: no memory; ENOMEM at the callers', modelled(`${GET} allocate a trampoline`)),
      locks(
        ALL,
        'the mutex of the trampoline (7.2: of the pool): its function and the model of it; it waits for an attach under way',
        modelled(`${GET} lock`),
      ),
      gotos(
        ALL,
        'out: the function is stored already',
        omitted('a trampoline has one function for all of its life: it is the one that is stored'),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_put',
    in: ALL,
    rows: [
      returns(ALL, 'NULL: there is no trampoline', omitted('each put of the model has a get before it')),
      locks(
        ALL,
        'trampoline_mutex: the reference, and the removal of the trampoline',
        modelled('bpf_trampoline_put: lock trampoline_mutex'),
      ),
      gotos(ALL, 'out: others have references', modelled('bpf_trampoline_put: others have references')),
      returns(
        UNTIL_6_12,
        'none, a WARN: the mutex of the trampoline is locked',
        modelled('model/trampoline/trampoline.ts isLocked'),
      ),
      gotos(
        ALL,
        'out, with a WARN: a list of programs is not empty; the trampoline is leaked',
        modelled('bpf_trampoline_put: programs are attached'),
      ),
      waits(
        ALL,
        'none in these kernels: with imageLifecycle = A (Linux 5.6 to 5.11) synchronize_rcu_tasks() before the images are freed',
        modelled('bpf_trampoline_put: wait for rcu_tasks'),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_set_flags',
    in: ALL,
    rows: [
      locks(
        ALL,
        'the mutex of the trampoline: BPF_TRAMP_F_TAIL_CALL_CTX',
        omitted(
          'docs/scope.md, BPF programs as targets: tail calls are not modelled, and no target sets the flag',
        ),
      ),
    ],
  },
  {
    fn: 'direct_ops_ip_lookup',
    in: V7_2,
    rows: [
      locks(
        V7_2,
        'trampoline_mutex, inside direct_mutex: the look-up by the call site',
        modelled(`${OPS_FUNC} lock trampoline_mutex`),
      ),
      gotos(
        V7_2,
        'out: the trampoline is found, without a reference',
        omitted('no error path: the step "direct_ops_ip_lookup" remembers whether there is one'),
      ),
    ],
  },
  {
    fn: 'bpf_tramp_ftrace_ops_func',
    in: ALL,
    rows: [
      returns(
        V7_2,
        'EINVAL: no trampoline has the call site',
        modelled(`${OPS_FUNC} no trampoline is known for the site`),
      ),
      returns(
        ALL,
        'EBUSY with a WARN: the image calls the original by its address although SHARE_IPMODIFY is set',
        modelled(`${OPS_FUNC} it should share already`),
      ),
      returns(
        ALL,
        'EAGAIN: SHARE_IPMODIFY is set now, and bpf_trampoline_update() makes the image again',
        modelled(`${OPS_FUNC} the image has to be made again`),
      ),
      returns(
        ALL,
        '0: the image does not call the original, or through the return address',
        modelled(`${OPS_FUNC} the image can share`),
      ),
      locks(
        ALL,
        'mutex_trylock() of the mutex of the trampoline, against the normal order: direct_mutex is held',
        modelled(`${OPS_FUNC} try lock`),
      ),
      waits(
        ALL,
        'msleep(1) when it is locked; the client of the live patch tries again',
        modelled(`${OPS_FUNC} the trampoline is being changed`),
      ),
      returns(ALL, 'EAGAIN after it', modelled(`${OPS_FUNC} the trampoline is being changed`)),
      returns(
        ALL,
        'EINVAL: another command',
        omitted('ftrace has three commands, and calls with no other; the branch cannot be taken'),
      ),
    ],
  },
];
