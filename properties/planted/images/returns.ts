import { item } from '../../../model/core/present.ts';
import type { Item } from '../../../model/trampoline/item.ts';
import { withReg, withSymbol } from '../../../model/trampoline/item.ts';
import { ORIGINAL, TRACED } from '../../../model/trampoline/plan/symbols.ts';
import { SITE_BYTES } from '../../../model/trampoline/stage/install.ts';
import { RDI } from '../../../model/x86/register.ts';
import { plus } from '../../../model/x86/word.ts';
import { argumentsAreOnlyCopied } from '../../trampoline/arguments-are-only-copied.ts';
import { calleeSavedRegistersArePreserved } from '../../trampoline/callee-saved-registers-are-preserved.ts';
import { callerSeesTheReturnValue } from '../../trampoline/caller-sees-the-return-value.ts';
import { exitProgramsSeeTheReturnValue } from '../../trampoline/exit-programs-see-the-return-value.ts';
import { imageIsPinned } from '../../trampoline/image-is-pinned.ts';
import { imageReturnsWithoutAFault } from '../../trampoline/image-returns-without-a-fault.ts';
import { originalRunsExactlyOnce } from '../../trampoline/original-runs-exactly-once.ts';
import { returnsToTheRightAddress } from '../../trampoline/returns-to-the-right-address.ts';
import { tailCallCounterIsPreserved } from '../../trampoline/tail-call-counter-is-preserved.ts';
import { editItems, editParts, misplace, without } from './edit.ts';
import type { Planted } from './planted.ts';

/** Faults in the call of the original, in the return, and in what both must preserve. */
export const PLANTED_RETURNS: readonly Planted[] = [
  {
    name: 'wide-return-not-refused',
    sentence:
      'A program that reads the return value may attach to a function that returns 16 bytes: rdx is lost.',
    history: 'bpf: Reject >8 byte return values on return-reading paths (7.2, 6.12.115)',
    law: callerSeesTheReturnValue,
    smallest: '6.12: -> u128; fexit',
    tools: (kernel) => ({
      ...kernel,
      attach: (target, programs, where) =>
        kernel.attach(
          { ...target, profile: { ...target.profile, wideReturnRefused: false } },
          programs,
          where,
        ),
    }),
  },
  {
    name: 'original-return-not-stored',
    sentence: 'The return value of the original is not stored for the exit programs.',
    history: undefined,
    law: exitProgramsSeeTheReturnValue,
    smallest: '6.12: -> u64; fexit',
    tools: without('store original return'),
  },
  {
    name: 'return-not-cleared',
    sentence: 'The first fmod_ret program finds stack garbage in place of a return value.',
    history: undefined,
    law: exitProgramsSeeTheReturnValue,
    smallest: '6.12: -> u64; fmod_ret',
    tools: without('clear return'),
  },
  {
    name: 'modified-return-ignored',
    sentence: 'The original runs although a program returned a value in its place.',
    history: undefined,
    law: originalRunsExactlyOnce,
    smallest: '6.12: -> u64; fmod_ret',
    tools: editItems((items) =>
      items.filter(({ role, op }) => role !== 'stop at modified return' || op !== 'ifNonzero'),
    ),
  },
  {
    name: 'original-entered-at-plus-5',
    sentence:
      'The original is entered five bytes after its start, although an endbr64 precedes the call site.',
    history: 'x86/ibt,bpf: Add ENDBR instructions to prologue and trampoline (5.18)',
    law: originalRunsExactlyOnce,
    smallest: '6.12: -> u64; fexit',
    tools: misplace(ORIGINAL, (resolve) => plus(resolve(TRACED)!, SITE_BYTES)),
  },
  {
    name: 'rbx-not-restored',
    sentence: 'rbx is not restored: the caller gets a start time in it.',
    history: undefined,
    law: calleeSavedRegistersArePreserved,
    smallest: '6.12: -> u64; fentry',
    tools: without('restore rbx'),
  },
  {
    name: 'frame-not-skipped',
    sentence: 'An image that called the original returns into it again.',
    history:
      'bpf, arm64: Remove garbage frame for struct_ops trampoline (6.13), the same fault the other way round',
    law: returnsToTheRightAddress,
    smallest: '6.12: -> u64; fexit',
    tools: without('skip frame'),
  },
  {
    name: 'return-of-a-member-lost',
    sentence: 'The caller of a struct_ops member gets whatever the exit helper left in rax.',
    history: 'bpf: Handle return value of BPF_PROG_TYPE_STRUCT_OPS prog (5.16)',
    law: callerSeesTheReturnValue,
    smallest: '6.12: -> u64; fentry struct_ops',
    tools: editParts((parts) => ({ ...parts, flags: { ...parts.flags, RET_FENTRY_RET: false } })),
  },
  {
    name: 'member-without-endbr64',
    sentence: 'The image of a struct_ops member starts like one that only a call site enters.',
    history: undefined,
    law: imageReturnsWithoutAFault,
    smallest: '6.12: -> u64; fentry struct_ops',
    tools: without('endbr'),
  },
  {
    name: 'frame-of-a-member-skipped',
    sentence: 'The image of a struct_ops member skips a frame that a call site would have left.',
    history: 'bpf, arm64: Remove garbage frame for struct_ops trampoline (6.13)',
    law: returnsToTheRightAddress,
    smallest: '6.12: -> u64; fentry struct_ops',
    tools: editParts((parts) => ({
      ...parts,
      flags: { ...parts.flags, SKIP_FRAME: parts.flags.SKIP_FRAME || parts.flags.INDIRECT === true },
    })),
  },
  {
    name: 'frame-not-closed',
    sentence: 'The image returns with its frame still on the stack.',
    history: undefined,
    law: imageReturnsWithoutAFault,
    smallest: '6.12: -> u64; fentry',
    tools: without('close frame'),
  },
  {
    name: 'tail-call-counter-lost',
    sentence: 'rax is clobbered when a BPF program with tail calls resumes.',
    history: 'bpf, x64: Fix tailcall infinite loop (6.7)',
    law: tailCallCounterIsPreserved,
    smallest: '6.12: -> u64; fentry; tail calls',
    tools: without('load tail-call counter'),
  },
  {
    name: 'early-return-keeps-the-pin',
    sentence: 'A modified return branches past __bpf_tramp_exit: the image keeps its reference.',
    history: undefined,
    law: imageIsPinned,
    smallest: '6.12: -> u64; fmod_ret',
    tools: editItems(jumpBehindTheExit),
  },
  {
    name: 'null-argument-shortcut',
    sentence: 'The image returns early when its first argument is zero.',
    history: undefined,
    law: argumentsAreOnlyCopied,
    smallest: '6.12: u64 -> u64; fentry',
    tools: editItems((items, { slots }) =>
      slots[0]?.place.in === 'register' ? shortcut(items) : [...items],
    ),
  },
];

/** `jne` targets the load of the return value, past the call that drops the reference. */
function jumpBehindTheExit(items: readonly Item[]): Item[] {
  const label = 'after the exit';
  return items.flatMap((item) => {
    if (item.op === 'ifNonzero') return [{ ...item, symbol: label }];
    return item.role === 'load return' ? [withSymbol('load return', 0, 'label', label), item] : [item];
  });
}

/** `test %rdi,%rdi; je` around the first store of an argument. */
function shortcut(items: readonly Item[]): Item[] {
  const index = items.findIndex(({ role }) => role === 'save argument');
  const label = 'past the first argument';
  return [
    ...items.slice(0, index),
    withReg('save argument', 0, 'test', RDI),
    withSymbol('save argument', 0, 'ifZero', label),
    item(items, index),
    withSymbol('save argument', 0, 'label', label),
    ...items.slice(index + 1),
  ];
}
