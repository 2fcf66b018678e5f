import type { Item } from '../../../model/trampoline/item.ts';
import { plain } from '../../../model/trampoline/item.ts';
import { IMAGE_STRUCT } from '../../../model/trampoline/plan/symbols.ts';
import { branchesHaveValidTargets } from '../../trampoline/branches-have-valid-targets.ts';
import { callDepthIsAccounted } from '../../trampoline/call-depth-is-accounted.ts';
import { generationIsDeterministic } from '../../trampoline/generation-is-deterministic.ts';
import { returnsUseTheReturnThunk } from '../../trampoline/returns-use-the-return-thunk.ts';
import { editBytes, editItems } from './edit.ts';
import type { Planted } from './planted.ts';

/** Bytes of the accounting instruction. */
const ACCOUNTING_BYTES = 9;

/** Faults in the encoding: displacements, lengths, mitigations. */
export const PLANTED_ENCODING: readonly Planted[] = [
  {
    name: 'accounting-not-added-to-ip',
    sentence:
      'The displacement of a call is computed without the length of the call-depth accounting before it.',
    history: 'x86/bpf: Fix IP after emitting call depth accounting (6.9)',
    law: branchesHaveValidTargets,
    smallest: '6.12 stuff: -> u64; fentry',
    tools: editBytes((bytes, { request }, relocations) => {
      const view = new DataView(bytes.buffer);
      const calls = relocations.filter(
        ({ kind, offset }) => kind === 'relative' && bytes[offset - 1] === 0xe8,
      );
      for (const { offset } of request.mitigations.callDepth ? calls : [])
        view.setInt32(offset, view.getInt32(offset, true) + ACCOUNTING_BYTES, true);
      return bytes;
    }),
  },
  {
    name: 'size-pass-with-a-short-pointer',
    sentence: 'The size pass gets an image structure whose address loads with a shorter instruction.',
    history: 'bpf, arm64: Fix trampoline for BPF_TRAMP_F_CALL_ORIG (6.10, 6.1.140)',
    law: branchesHaveValidTargets,
    smallest: '6.12: -> u64; fexit',
    tools: (kernel) => ({
      ...kernel,
      sizePass: (plan, resolve) => kernel.sizePass({ ...plan, items: shorten(plan.items) }, resolve),
    }),
  },
  {
    name: 'bytes-depend-on-history',
    sentence: 'Every second image is generated with a different encoding.',
    history:
      'bpf: Remove bpf trampoline selector (6.6, 6.1.52), which let an update depend on the number of updates',
    law: generationIsDeterministic,
    smallest: '6.12: -> u64; fentry',
    tools: (kernel) => {
      let generation = 0;
      return {
        ...kernel,
        generate: (plan, base, resolve) => {
          const generated = kernel.generate(plan, base, resolve);
          if ('refused' in generated || generation++ % 2 === 0) return generated;
          const bytes = generated.image.bytes.slice();
          bytes[bytes.length - 1] = 0x90;
          return { image: { ...generated.image, bytes } };
        },
      };
    },
  },
  {
    name: 'program-call-not-counted',
    sentence: 'Calls of programs are not accounted.',
    history: undefined,
    law: callDepthIsAccounted,
    smallest: '6.12 stuff: -> u64; fentry',
    tools: editItems((items) =>
      items.filter(({ op }, i) => op !== 'account' || items[i + 1]?.role !== 'run program'),
    ),
  },
  {
    name: 'plain-return-under-mitigation',
    sentence: 'The image returns by a plain ret although returns are mitigated.',
    history: 'x86/bpf: Fix emit_return for X86_FEATURE_RETHUNK (6.0), found while retbleed was mitigated',
    law: returnsUseTheReturnThunk,
    smallest: '6.12 stuff: -> u64; fentry',
    tools: editItems((items) =>
      items.map((item) => (item.role === 'return' ? plain('return', 0, 'ret') : item)),
    ),
  },
];

/** The instruction that loads the image structure takes two bytes instead of ten. */
function shorten(items: readonly Item[]): Item[] {
  return items.map((item) => (item.symbol === IMAGE_STRUCT ? { ...item, op: 'constant' } : item));
}
