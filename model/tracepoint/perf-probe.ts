import type { Argument } from '../abi/x86-64.ts';
import type { Profile } from '../core/profile.ts';
import { ARGUMENT_REGS } from '../x86/argument-registers.ts';
import type { Assembler } from '../x86/assemble.ts';
import type { Reg } from '../x86/register.ts';
import { RAX, RDI, RSI, RSP } from '../x86/register.ts';
import { isNarrow, loadNarrow, stackArgumentAt, zeroExtend } from './stub.ts';

/** trace_call_bpf(): runs the programs of an event. */
export const TRACE_CALL_BPF = 'trace_call_bpf';

/**
 * The first of the two designs of 2017, placed before each perf_trace_X(void *__data, proto): if the event has
 * programs, the arguments become an array of u64, and the programs run on it; then the function continues with
 * its registers restored. The second design, a separate stub (`stub.ts`), replaced it.
 */
export function emitGrabbedArguments(a: Assembler, args: readonly Argument[], profile: Profile): void {
  a.compareImmediate(RDI, profile.progArrayOffset, 0);
  a.jumpIfZeroNear('no program');
  const kept = ARGUMENT_REGS.slice(0, args.length + 1);
  for (const reg of kept) a.push(reg);
  const frame = 8 * (args.length + ((kept.length + args.length + 1) % 2));
  a.sub(RSP, frame);
  for (const [i, { size }] of args.entries())
    storeArgument(a, {
      reg: ARGUMENT_REGS[i + 1],
      from: frame + 8 * kept.length + stackArgumentAt(i + 1),
      to: 8 * i,
      size,
    });
  a.mov(RSI, RSP);
  a.call(TRACE_CALL_BPF);
  a.add(RSP, frame);
  for (const reg of kept.toReversed()) a.pop(reg);
  a.label('no program');
}

/** An argument on its way to the array: its register or stack slot, and its place there. */
interface Stored {
  /** Undefined: it is on the stack. */
  readonly reg: Reg | undefined;
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** CAST_TO_U64(): zero-extended by the size of the type, signed or not. */
function storeArgument(a: Assembler, { reg, from, to, size }: Stored): void {
  if (reg === undefined) {
    if (isNarrow(size)) loadNarrow(a, RAX, from, size);
    else a.load(RAX, RSP, from);
  } else if (isNarrow(size)) zeroExtend(a, RAX, reg, size);
  a.store(RSP, to, reg === undefined || isNarrow(size) ? RAX : reg);
}
