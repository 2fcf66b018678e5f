import type { ExplainedMoment, StackWord } from '../../checker/explain/moment.ts';
import { frameRows } from '../../counterexamples/images/drawing.ts';
import { item, last } from '../../model/core/present.ts';
import { PT_REGS } from '../../model/ftrace/entry/frame.ts';
import type { ImagePlan } from '../../model/trampoline/plan/planner.ts';
import type { Word } from '../../model/x86/word.ts';
import { displacement } from '../../model/x86/word.ts';

/** A piece of code that was entered and has not returned, with its enclosing ones. */
export interface Activation {
  /** `f1`, `tramp#1`, `ftrace_caller`. */
  readonly code: string;
  /** The stack pointer at its entry. */
  readonly rsp: Word;
  /** Its return address; undefined: it was entered by a jump or a return. */
  readonly back: string | undefined;
  /** Start of the `struct pt_regs` that it has built, once it has. */
  regs: Word | undefined;
}

/** The pieces of code that a call is in, the outermost first; fed with the steps of the call in order. */
export class Activations {
  readonly open: Activation[] = [];

  constructor(private readonly plans: Readonly<Record<string, ImagePlan>>) {}

  /** Execution has arrived somewhere; answers the pieces of code that it left, the innermost first. */
  come(moment: ExplainedMoment): Activation[] {
    const { how, to, inC, rsp, stack } = moment;
    const left: Activation[] = [];
    while (this.open.length > 0 && isAbove(rsp, last(this.open).rsp)) left.push(this.open.pop()!);
    if (inC) this.notePtRegs(stack[1]?.address);
    else if (codeOf(to) !== CALLER && (how !== 'return' || !this.isIn(codeOf(to)))) this.enter(moment);
    return left;
  }

  /** A return to other code with the stack as at entry acts as a jump: that code takes its place. */
  private enter({ how, to, rsp, back, stack }: ExplainedMoment): void {
    const last = this.open.at(-1);
    const isTail = how === 'return' && last !== undefined && displacement(rsp, last.rsp) === 0;
    if (isTail) this.open.pop();
    const returnsTo = isTail ? last.back : back && stack[0]?.code;
    this.open.push({ code: codeOf(to), rsp, back: returnsTo, regs: undefined });
  }

  /** The name of a word on the stack, by its frame; empty: the model has none. */
  nameOf(address: Word): string {
    for (const { code, rsp, regs } of this.open) {
      const name = this.inFrame(code, displacement(address, rsp)) ?? inPtRegs(regs, address);
      if (name !== undefined) return name;
    }
    return '';
  }

  private isIn(code: string): boolean {
    return this.open.at(-1)?.code === code;
  }

  /** ftrace's entry code calls handlers with a frame of registers on top of the stack. */
  private notePtRegs(address: Word | undefined): void {
    const last = this.open.at(-1);
    if (last !== undefined && WITH_REGS.test(last.code)) last.regs = address;
  }

  /** `rbp` of an image points to the word below the one that it was entered with. */
  private inFrame(code: string, offset: number | undefined): string | undefined {
    const plan = this.plans[code];
    if (plan === undefined || offset === undefined || offset >= 0) return undefined;
    return frameRows(plan).find(([index]) => index === offset + 8)?.[1];
  }
}

/** A word of the stack by its name, and whether it is a return address: one that an image or a handler saves is not. */
export function namedWord(
  frames: Activations,
  { address, code, origin }: StackWord,
): { readonly name: string; readonly isAddress: boolean } {
  const name = frames.nameOf(address) || origin;
  return { name, isAddress: code !== undefined && !/^(ctx\[|regs->)/.test(name) };
}

/** The caller encloses everything. */
const CALLER = 'caller';

const WITH_REGS = /^ftrace_(regs_)?caller$|\.trampoline$|^return_to_handler$|^arch_rethook_trampoline$/;

/** Fields of `struct pt_regs` by their offsets, as the kernel calls them. */
const REGS_FIELDS = new Map(
  Object.entries(PT_REGS).map(([name, index]) => [index as number, fieldName(name)]),
);

/** `di` of `RDI`, `orig_ax` of `ORIG_RAX`, `flags` of `EFLAGS`, `r8` of `R8`. */
function fieldName(name: string): string {
  return name.toLowerCase().replace(/(^|_)[er](?=[a-z])/, '$1');
}

function inPtRegs(regs: Word | undefined, address: Word): string | undefined {
  const offset = regs && displacement(address, regs);
  const field = offset === undefined ? undefined : REGS_FIELDS.get(offset);
  return field && `regs->${field}`;
}

/** `tramp#1` of `tramp#1+0x31`. */
export function codeOf(place: string): string {
  return item(place.split('+'), 0);
}

function isAbove(a: Word, b: Word): boolean {
  return (displacement(a, b) ?? 0) > 0;
}
