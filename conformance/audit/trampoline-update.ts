import { ADDRESS_IS_KNOWN, NEVER_FAILS, NOTHING_CHANGED_YET } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import {
  ALL,
  allocates,
  gotos,
  locks,
  modelled,
  omitted,
  returns,
  SINCE_6_12,
  UNTIL_6_12,
  V6_1,
  V7_2,
  waits,
} from './row.ts';
import { IMAGES } from './trampoline-image.ts';

const UPDATE = 'bpf_trampoline_update:';
const IMAGE = 'bpf_trampoline_update: allocate the image';
const SITE = 'bpf_trampoline_update: the call site cannot be pointed at the image';

/** A new image of a trampoline, and its call site. */
export const UPDATING: readonly AuditedFunction[] = [
  {
    fn: 'bpf_trampoline_get_progs',
    in: ALL,
    rows: [
      allocates(
        ALL,
        'the lists of programs, for the generator: ENOMEM',
        modelled(`${UPDATE} allocate the list of programs`),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_update',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the errno of bpf_trampoline_get_progs(), with all flags as they were',
        modelled(`${UPDATE} allocate the list of programs`),
      ),
      gotos(
        ALL,
        'out, the answer of unregister_fentry(): no program is left',
        modelled(`${UPDATE} no program is left`),
      ),
      gotos(V6_1, 'out, the errno of bpf_tramp_image_alloc(), before the flags are chosen', modelled(IMAGE)),
      gotos(
        SINCE_6_12,
        'out, the errno of arch_bpf_trampoline_size(): ENOTSUPP, EFAULT, EINVAL, or ENOMEM',
        modelled(`${UPDATE} the image cannot be generated`, IMAGE),
      ),
      gotos(
        SINCE_6_12,
        'out, E2BIG: the image outgrows a page',
        omitted('arch_bpf_trampoline_size() writes into one page, and has answered EFAULT before'),
      ),
      gotos(SINCE_6_12, 'out, the errno of bpf_tramp_image_alloc()', modelled(IMAGE)),
      waits(
        ALL,
        'none in these kernels: with imageLifecycle = A (Linux 5.6 to 5.11) synchronize_rcu_mult() of both flavours, before a half of the page is written again',
        modelled(`${UPDATE} wait for rcu_tasks_trace`, `${UPDATE} wait for rcu_tasks`),
      ),
      gotos(
        ALL,
        'out_free, the errno of arch_prepare_bpf_trampoline(): the image is freed at once',
        modelled(`${UPDATE} the image cannot be generated`),
      ),
      gotos(SINCE_6_12, 'out_free, the errno of arch_protect_bpf_trampoline()', omitted(NEVER_FAILS)),
      returns(
        UNTIL_6_12,
        'none, a WARN: there is an image, and no program',
        omitted('no program has ended the function before; the branch cannot be taken'),
      ),
      gotos(
        ALL,
        'again: EAGAIN, the direct call shares with a live patch now (6.1: the ops is reset, and the page written again)',
        modelled(`${UPDATE} a live patch is there: make it again`),
      ),
      gotos(
        ALL,
        'out_free, another errno of register_fentry() or modify_fentry(): the image is freed at once',
        modelled(SITE),
      ),
      gotos(
        ALL,
        'out: the flags are as they were before, whatever has failed',
        modelled(`${UPDATE} roll back`),
      ),
    ],
  },
  ...IMAGES,
  {
    fn: 'bpf_trampoline_module_get',
    in: V6_1,
    rows: [
      returns(
        V6_1,
        'ENOENT: the module of the function is going',
        modelled('register_fentry: its module is going'),
      ),
      locks(
        V6_1,
        'preempt_disable(): the look-up of the module and its reference',
        omitted('the look-up and the reference are one step of the model'),
      ),
    ],
  },
  {
    fn: 'register_fentry',
    in: ALL,
    rows: [
      returns(
        V6_1,
        'ENOENT of bpf_trampoline_module_get()',
        modelled('register_fentry: its module is going'),
      ),
      returns(
        ALL,
        'ENOTSUPP: ftrace knows the site, and the trampoline has no ops',
        omitted('bpf_trampoline_lookup() allocates both together; the branch cannot be taken'),
      ),
      returns(
        UNTIL_6_12,
        'the errno of ftrace_set_filter_ip() (6.1 does not read it)',
        modelled('direct_ops_add: the filter cannot be set'),
      ),
      gotos(
        V6_1,
        'none: register_ftrace_direct_multi() or the poke failed, the reference on the module is dropped',
        modelled('register_fentry: roll back'),
      ),
      returns(ALL, 'the errno of the direct call, or of bpf_arch_text_poke()', modelled(SITE)),
    ],
  },
  {
    fn: 'modify_fentry',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the errno of the direct call, or of bpf_arch_text_poke(); the image stays',
        modelled(SITE),
      ),
    ],
  },
  {
    fn: 'unregister_fentry',
    in: ALL,
    rows: [
      returns(
        V7_2,
        'the errno of the direct call, or of the poke; the image stays',
        modelled('unregister_fentry: the call site still calls the image'),
      ),
      returns(
        UNTIL_6_12,
        'the same errno; bpf_trampoline_update() puts the image all the same',
        modelled('unregister_fentry: the call site could not be changed'),
      ),
    ],
  },
  {
    fn: 'hash_from_ip',
    in: V7_2,
    rows: [
      returns(V7_2, 'NULL, so ENOMEM: ftrace does not know the site', omitted(ADDRESS_IS_KNOWN)),
      allocates(V7_2, 'a hash for one site; NULL', omitted(NOTHING_CHANGED_YET)),
      allocates(V7_2, 'its entry; the hash is freed, NULL', omitted(NOTHING_CHANGED_YET)),
    ],
  },
  {
    fn: 'direct_ops_add',
    in: V7_2,
    rows: [
      returns(V7_2, 'ENOMEM: no hash', omitted(NOTHING_CHANGED_YET)),
      returns(V7_2, 'the errno of update_ftrace_direct_add()', modelled(SITE)),
    ],
  },
  {
    fn: 'direct_ops_mod',
    in: V7_2,
    rows: [
      returns(V7_2, 'ENOMEM: no hash', omitted(NOTHING_CHANGED_YET)),
      returns(V7_2, 'the errno of update_ftrace_direct_mod()', modelled(SITE)),
    ],
  },
  {
    fn: 'direct_ops_del',
    in: V7_2,
    rows: [
      returns(V7_2, 'ENOMEM: no hash; the program has left its list', omitted(NOTHING_CHANGED_YET)),
      returns(
        V7_2,
        'the errno of update_ftrace_direct_del()',
        modelled('unregister_fentry: the call site still calls the image'),
      ),
    ],
  },
];
