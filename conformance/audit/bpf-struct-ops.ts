import type { Audit } from './row.ts';
import { ALL, allocates, modelled, omitted, returns, SINCE_6_12, V6_1 } from './row.ts';

const GENERATE = 'model/trampoline/generate.ts generate';
const PLACE = 'model/trampoline/struct-ops.ts placeMembers';

export const STRUCT_OPS: Audit = {
  file: 'kernel/bpf/bpf_struct_ops.c',
  functions: [
    {
      fn: 'bpf_struct_ops_prepare_trampoline',
      in: ALL,
      rows: [
        returns(V6_1, 'the errno of arch_prepare_bpf_trampoline(), or the length', modelled(GENERATE, PLACE)),
        returns(
          SINCE_6_12,
          'the errno of arch_bpf_trampoline_size(), EFAULT for no length',
          modelled(GENERATE),
        ),
        returns(SINCE_6_12, 'E2BIG: the image does not fit, and the map has eight pages', modelled(PLACE)),
        allocates(
          SINCE_6_12,
          'a page for images, ENOMEM, or the errno of bpf_jit_charge_modmem()',
          omitted('docs/scope.md, not modelled: struct_ops maps, of which only the images are'),
        ),
        returns(
          SINCE_6_12,
          'the errno of arch_prepare_bpf_trampoline(): a page that was taken for it is freed',
          modelled(GENERATE),
        ),
      ],
    },
  ],
};
