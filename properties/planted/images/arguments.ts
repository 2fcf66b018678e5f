import type { ArgumentSlot } from '../../../model/abi/x86-64.ts';
import { item } from '../../../model/core/present.ts';
import { layOutFrame } from '../../../model/trampoline/frame.ts';
import type { Item } from '../../../model/trampoline/item.ts';
import type { PlanParts } from '../../../model/trampoline/plan/planner.ts';
import type { Reg } from '../../../model/x86/register.ts';
import { R8, R9 } from '../../../model/x86/register.ts';
import { fromNumber } from '../../../model/x86/word.ts';
import { argumentsReachPrograms } from '../../trampoline/arguments-reach-programs.ts';
import { argumentsReachTheOriginal } from '../../trampoline/arguments-reach-the-original.ts';
import { functionIpAndArgumentCount } from '../../trampoline/function-ip-and-argument-count.ts';
import { narrowArgumentsAreDefined } from '../../trampoline/narrow-arguments-are-defined.ts';
import { stackIsAligned } from '../../trampoline/stack-is-aligned.ts';
import { storesStayInTheFrame } from '../../trampoline/stores-stay-in-the-frame.ts';
import { editBytes, editItems, editParts, without } from './edit.ts';
import type { Planted } from './planted.ts';

/** Faults in where arguments are read and stored. */
export const PLANTED_ARGUMENTS: readonly Planted[] = [
  {
    name: 'stack-source-is-one-word-too-low',
    sentence: 'Stack arguments are read from rbp+16, which holds the return address to the caller.',
    history:
      'bpf, x86: allow function arguments up to 12 for TRACING (6.6), offset of the first stack argument',
    law: argumentsReachPrograms,
    smallest: '6.12: u64 x7 -> u64; fentry',
    tools: editParts((parts) => withFrame(parts, { callerStackAt: parts.frame.callerStackAt - 8 })),
  },
  {
    name: 'stack-arguments-not-copied',
    sentence: 'The stack arguments are not copied for the call of the original.',
    history: undefined,
    law: argumentsReachTheOriginal,
    smallest: '6.12: u64 x7 -> u64; fexit',
    tools: without('copy stack argument'),
  },
  {
    name: 'r9-not-restored',
    sentence: 'The sixth register argument is clobbered by the helpers.',
    history: undefined,
    law: argumentsReachTheOriginal,
    smallest: '6.12: u64 x6 -> u64; fentry',
    tools: editItems((items) => items.filter(({ role, reg }) => role !== 'restore argument' || reg !== R9)),
  },
  {
    name: 'stack-garbage-not-cleared',
    sentence: 'The upper half of a single narrow stack argument is not cleared.',
    history: 'bpf, x86: allow function arguments up to 12 for TRACING (6.6), clean_stack_garbage()',
    law: narrowArgumentsAreDefined,
    smallest: '6.12: u64 x6, u8 -> u64; fentry',
    tools: without('clear garbage'),
  },
  {
    name: 'argument-stored-by-its-width',
    sentence:
      'An argument of up to four bytes is stored by four bytes, and the upper half of its word in ctx is whatever was on the stack.',
    history: 'bpf, x86: save/restore regs with BPF_DW size (6.6)',
    law: narrowArgumentsAreDefined,
    smallest: '6.12: u8 -> u64; fentry',
    tools: editBytes((bytes, { items, slots }) => {
      for (const { role, op, index, reg, at: offset } of items)
        if (role === 'save argument' && op === 'store' && item(slots, index).bytes <= 4)
          storeHalf(bytes, reg, offset);
      return bytes;
    }),
  },
  {
    name: 'words-counted-per-argument',
    sentence: 'The frame reserves one word for each __int128, but stores two.',
    history: 'bpf, x86: Fix trampoline stack size for 128-bit arguments (7.2, 6.12.111)',
    law: storesStayInTheFrame,
    smallest: '6.12: u128 -> u64; fentry',
    tools: editParts((parts) => ({ ...parts, frame: frameForArguments(parts) })),
  },
  {
    name: 'frame-offset-truncated',
    sentence: 'Frame offsets beyond −128 are encoded in one byte.',
    history: 'bpf, x86: allow function arguments up to 12 for TRACING (6.6), disp32 for large frames',
    law: storesStayInTheFrame,
    smallest: '6.12: u64 x8 -> u64; fexit get_func_ip',
    tools: editItems((items) => items.map(truncateOffset)),
  },
  {
    name: 'padding-forgotten',
    sentence: 'The frame is not padded to a multiple of 16.',
    history:
      'bpf, x86: allow function arguments up to 12 for TRACING (6.6), alignment of the stack arguments',
    law: stackIsAligned,
    smallest: '6.12: u64 x7 -> u64; fexit get_func_ip',
    tools: editParts((parts) => ({ ...parts, frame: unpadded(parts) })),
  },
  {
    name: 'arguments-counted-not-words',
    sentence: 'ctx[−1] counts arguments, not argument words.',
    history: 'bpf, x86: Fix trampoline stack size for 128-bit arguments (7.2, 6.12.111)',
    law: functionIpAndArgumentCount,
    smallest: '6.12: s16b -> u64; fentry',
    tools: editItems((items, { request }) =>
      items.map((item) => {
        const counts = item.role === 'store argument count' && item.op === 'constant';
        return counts ? { ...item, value: fromNumber(request.signature.args.length) } : item;
      }),
    ),
  },
];

function withFrame(parts: PlanParts, change: Partial<PlanParts['frame']>): PlanParts {
  return { ...parts, frame: { ...parts.frame, ...change } };
}

/** A frame that counts a scalar of two words once. */
function frameForArguments({ request, slots, flags, lists }: PlanParts): PlanParts['frame'] {
  const counted = slots.filter(
    ({ word, argument }: ArgumentSlot) => word === 0 || item(request.signature.args, argument).struct,
  );
  return layOutFrame(request.profile, counted, flags, lists);
}

function truncateOffset(item: Item): Item {
  const inFrame = item.op === 'load' || item.op === 'store' || item.op === 'lea';
  return inFrame ? { ...item, at: (item.at << 24) >> 24 } : item;
}

/** A frame that ends with the copied stack arguments. */
function unpadded({ frame }: PlanParts): PlanParts['frame'] {
  if (frame.stackArgsAt === undefined) return frame;
  const bytes = -frame.runCtxAt + 8 * frame.stackSlots;
  return { ...frame, bytes, stackArgsAt: -bytes };
}

/** Takes REX.W from the store of a register to a place in the frame: `mov %rdi,-8(%rbp)` becomes `mov %edi,-8(%rbp)`. */
function storeHalf(bytes: Uint8Array, reg: Reg, offset: number): void {
  const high = reg >= R8 ? 4 : 0;
  const [rex, opcode, modrm, disp8] = [0x48 | high, 0x89, 0x45 | ((reg & 7) << 3), offset & 0xff];
  const place = bytes.findIndex(
    (byte, i) => byte === rex && bytes[i + 1] === opcode && bytes[i + 2] === modrm && bytes[i + 3] === disp8,
  );
  if (place >= 0) bytes[place] = 0x40 | high;
}
