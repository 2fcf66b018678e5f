import type { Action } from '../../model/client/all.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { item } from '../../model/core/present.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { ZERO } from '../../model/x86/word.ts';

/** A way to have a program run for many functions, on one kernel: by single links, or by a design of multi links. */
export interface CostClient {
  readonly name: string;
  /** How it attaches, in one sentence. */
  readonly sentence: string;
  /** The kernel that it stands on, with its overridden behaviours. */
  readonly profile: string;
  readonly attach: (functions: readonly string[]) => readonly Action[];
  readonly detach: (functions: readonly string[]) => readonly Action[];
}

/** A client that a kernel has no room for, and why. */
export interface Absent {
  readonly name: string;
  readonly profile: string;
  readonly why: string;
}

export const SINGLE_LINKS = 'single links';

/** All that can be compared: what tools did that had only single links, and the designs of multi links. */
export function clientNames(): readonly string[] {
  return [SINGLE_LINKS, ...DESIGNS.map(({ name }) => name)];
}

/** A client on a kernel; with none named, on the first that it can stand on. */
export function clientOn(name: string, profile: string | undefined): CostClient | Absent {
  const design = DESIGNS.find((design) => design.name === name);
  if (design === undefined) return singleLinks(profile ?? item(PREFERRED, 0));
  const kernel = profile ?? PREFERRED.find((version) => design.needs?.(profileNamed(version)) === undefined)!;
  const why = design.needs?.(profileNamed(kernel));
  return why === undefined ? multiLink(design, kernel) : { name, profile: kernel, why };
}

/** Designs of other times stand on 6.12 where they can: beside each other, and beside the kernel of their tools. */
const PREFERRED: readonly KernelVersion[] = ['6.12', ...KERNELS.filter((kernel) => kernel !== '6.12')];

function singleLinks(profile: string): CostClient {
  return {
    name: SINGLE_LINKS,
    sentence: 'Each function has a program and a link of its own: what a tool does that has nothing else.',
    profile,
    attach: (functions) =>
      functions.flatMap((target, i) => [
        load(i + 1, target, 'fentry'),
        { do: 'BPF_LINK_CREATE', link: `link#${i + 1}`, prog: i + 1, targets: [] } as const,
      ]),
    detach: (functions) => functions.map((_, i) => ({ do: 'close(link)', link: `link#${i + 1}` }) as const),
  };
}

function multiLink(design: Design, kernel: string): CostClient {
  const { name, sentence, kinds } = design;
  const kind = kinds.includes('fentry') ? 'fentry' : item(kinds, 0);
  return {
    name,
    sentence,
    profile: `${kernel}, multiLinks = ${name}`,
    attach: (functions) => [
      load(1, '', kind),
      { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: functions },
    ],
    detach: () => [{ do: 'close(link)', link: 'link#1' }],
  };
}

/** A program for one function, or for those of a multi link. */
function load(id: number, target: FunctionName, kind: Design['kinds'][number]): Action {
  const program = { ...plainProgram(id), kind, multi: target === '' };
  return { do: 'BPF_PROG_LOAD', program, target, probe: '', returns: ZERO };
}
