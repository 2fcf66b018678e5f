import type { Outcome } from '../call/outcome.ts';
import type { Action } from '../client/all.ts';
import type { FunctionName, ProgId } from '../core/ids.ts';
import { entry, present } from '../core/present.ts';
import { warningText } from '../core/warning-words.ts';
import type { Kernel } from '../kernel.ts';
import { bootKernel } from '../kernel.ts';
import { apply } from '../step.ts';
import { describeBranch } from '../text/branch.ts';
import { siteAddress } from '../text/text.ts';
import type { BpfProgram, TracingKind } from '../trampoline/program.ts';
import { plainProgram } from '../trampoline/program.ts';
import { abiSlots } from '../trampoline/signature.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { knownFunction } from '../trampoline/traced-function.ts';
import type { Word } from '../x86/word.ts';
import { fromNumber, ZERO } from '../x86/word.ts';

/** A kernel for tests, and client calls in few words. */
export class Rig {
  readonly k: Kernel;

  constructor(profile: string, functions: readonly TracedFunction[]) {
    this.k = bootKernel({ profile, boot: 'default', functions });
  }

  /** What the kernel answers. */
  answer(action: Action): Outcome['errno'] {
    return apply(this.k, action).errno;
  }

  load(
    id: number,
    kind: TracingKind,
    target: FunctionName,
    more: Partial<BpfProgram> = {},
    returns: Word = ZERO,
  ): Outcome['errno'] {
    const program = { ...plainProgram(id), kind, ...more };
    return this.answer({ do: 'BPF_PROG_LOAD', program, target, probe: '', returns });
  }

  /** A link of a program to the target that it was loaded for. */
  link(prog: ProgId, link = `link#${prog}`): Outcome['errno'] {
    return this.answer({ do: 'BPF_LINK_CREATE', link, prog, targets: [] });
  }

  close(prog: ProgId): readonly string[] {
    return apply(this.k, { do: 'close(link)', link: `link#${prog}` }).warnings.map(warningText);
  }

  /** A call with arguments 1, 2, 3 …: who saw it, in which order, and what the caller got. */
  call(fn: FunctionName): { readonly who: readonly string[]; readonly run: NonNullable<Outcome['call']> } {
    const registers: Word[] = Array.from({ length: 6 }, () => ZERO);
    abiSlots(knownFunction(this.k.functions, fn).signature).forEach(({ place }, i) => {
      registers[place.index] = fromNumber(i + 1);
    });
    const run = present(apply(this.k, { do: 'call', fn, registers, stack: [] }).call, 'call');
    return { who: run.events.map(({ who }) => who), run };
  }

  /** What a call site holds: `nop5`, `call tramp#1`. */
  site(fn: FunctionName): string {
    return describeBranch(this.k, entry(this.k.text.sites, fn), siteAddress(this.k, fn));
  }
}
