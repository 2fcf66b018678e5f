import { BRANCHES_REACH, FIRST_FAILURE, NO_MEMORY_LEFT } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, allocates, gotos, locks, modelled, omitted, returns, SINCE_6_12, V6_1 } from './row.ts';

const IMAGE_ALLOCATION = 'bpf_trampoline_update: allocate the image';
const GENERATE = 'model/trampoline/generate.ts generate';

/** The text poke of BPF, and the image of a trampoline, as far as either can fail. */
export const BPF_JIT_COMP: Audit = {
  file: 'arch/x86/net/bpf_jit_comp.c',
  functions: [
    {
      fn: 'bpf_arch_text_poke',
      in: ALL,
      rows: [
        returns(
          ALL,
          'EINVAL: the address is neither text of the kernel nor of BPF; text of modules is not',
          modelled('bpf_arch_text_poke: it is no text of the kernel, nor of BPF'),
        ),
      ],
    },
    {
      fn: '__bpf_arch_text_poke',
      in: ALL,
      rows: [
        returns(ALL, 'ERANGE: the old target is beyond a branch of the place', omitted(BRANCHES_REACH)),
        returns(ALL, 'ERANGE: the new target is beyond a branch of the place', omitted(BRANCHES_REACH)),
        locks(
          ALL,
          'text_mutex: the comparison with the old instruction, and the poke',
          modelled('bpf_arch_text_poke: lock text_mutex'),
        ),
        gotos(
          ALL,
          'out, EBUSY: text does not hold the old instruction',
          modelled('bpf_arch_text_poke: text does not hold the old instruction'),
        ),
        returns(
          ALL,
          '1, not 0: text holds the new instruction already; callers would take it for a failure, but none pokes what is there',
          modelled('bpf_arch_text_poke: nothing changes'),
        ),
      ],
    },
    {
      fn: 'arch_bpf_trampoline_size',
      in: SINCE_6_12,
      rows: [
        allocates(
          SINCE_6_12,
          'a page of executable memory to write the image into for its size: ENOMEM before anything changes',
          modelled(IMAGE_ALLOCATION),
        ),
        returns(SINCE_6_12, 'the errno of __arch_prepare_bpf_trampoline() for that page', modelled(GENERATE)),
      ],
    },
    {
      fn: 'arch_prepare_bpf_trampoline',
      in: ALL,
      rows: [
        returns(
          V6_1,
          'ENOTSUPP: more argument words than registers carry',
          modelled(GENERATE, 'bpf_trampoline_update: the image cannot be generated'),
        ),
        gotos(V6_1, 'cleanup, EINVAL: a helper is beyond a call', modelled(GENERATE)),
        returns(V6_1, 'EINVAL: a program or its helper is beyond a call', modelled(GENERATE)),
        allocates(V6_1, 'branches, for fmod_ret programs', omitted(FIRST_FAILURE)),
        gotos(V6_1, 'cleanup, EFAULT: the image outgrows its page less BPF_INSN_SAFETY', modelled(GENERATE)),
        returns(
          V6_1,
          'none, a WARN_ON_ONCE() before that EFAULT',
          modelled('model/trampoline/make-image.ts makeImage'),
        ),
        allocates(
          SINCE_6_12,
          'rw_image, in which the image is written before it is copied',
          omitted(FIRST_FAILURE),
        ),
        gotos(
          SINCE_6_12,
          'out: the errno of __arch_prepare_bpf_trampoline(), at the address where the image will run',
          modelled(GENERATE),
        ),
        returns(
          SINCE_6_12,
          'the errno of bpf_arch_text_copy(): the copy to executable memory',
          omitted('the copy fails for text of the kernel itself, where no image is'),
        ),
      ],
    },
    {
      fn: '__arch_prepare_bpf_trampoline',
      in: SINCE_6_12,
      rows: [
        returns(
          SINCE_6_12,
          'ENOTSUPP: more argument words than MAX_BPF_FUNC_ARGS',
          modelled(GENERATE, 'bpf_trampoline_update: the image cannot be generated'),
        ),
        returns(
          SINCE_6_12,
          'none, a WARN: BPF_TRAMP_F_INDIRECT with flags other than BPF_TRAMP_F_RET_FENTRY_RET',
          omitted(
            'bpf_struct_ops_prepare_trampoline() sets no other, and bpf_trampoline_update() never sets the first',
          ),
        ),
        gotos(SINCE_6_12, 'cleanup, EINVAL: a helper is beyond a call', modelled(GENERATE)),
        returns(SINCE_6_12, 'EINVAL: a program or its helper is beyond a call', modelled(GENERATE)),
        allocates(SINCE_6_12, 'branches, for fmod_ret programs', omitted(FIRST_FAILURE)),
        gotos(
          SINCE_6_12,
          'cleanup, EFAULT: the image outgrows its page less BPF_INSN_SAFETY',
          modelled(GENERATE),
        ),
        returns(
          SINCE_6_12,
          'none, a WARN_ON_ONCE() before that EFAULT',
          modelled('model/trampoline/make-image.ts makeImage'),
        ),
        gotos(SINCE_6_12, 'cleanup: branches are freed', omitted(NO_MEMORY_LEFT)),
      ],
    },
    {
      fn: 'arch_alloc_bpf_trampoline',
      in: SINCE_6_12,
      rows: [
        allocates(
          SINCE_6_12,
          'the executable memory of the image, in a pack of programs',
          modelled(IMAGE_ALLOCATION),
        ),
      ],
    },
    {
      fn: 'arch_protect_bpf_trampoline',
      in: SINCE_6_12,
      rows: [
        returns(SINCE_6_12, '0: memory of a pack is read-only already', omitted('it has no effect on x86')),
      ],
    },
  ],
};
