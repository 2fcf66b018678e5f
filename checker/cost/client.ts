import type { Action } from '../../model/client/all.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { item, present } from '../../model/core/present.ts';
import type { KernelVersion, Profile } from '../../model/core/profile.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';
import { plainProgram, probeProgram } from '../../model/trampoline/program.ts';
import { ZERO } from '../../model/x86/word.ts';

/** A way to have a program run for many functions, on one kernel: by single links, or by a design of multi links. */
export interface CostClient {
  readonly name: string;
  /** How it attaches, in one sentence. */
  readonly sentence: string;
  /** The kernel that it runs on, with its overridden behaviours. */
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

/** What tools do in every kernel, or in every one that has fprobes. */
interface KernelsOwn extends Omit<CostClient, 'profile'> {
  /** Why it cannot run on a kernel. */
  readonly needs?: (profile: Profile) => string | undefined;
}

const needsFprobes: KernelsOwn['needs'] = ({ fprobe }) =>
  fprobe === 'none' ? 'it has no fprobes' : undefined;

const KERNELS_OWN: readonly KernelsOwn[] = [
  {
    name: 'single links',
    sentence: 'Each function has its own program and link: the only means in every kernel.',
    attach: (functions) =>
      functions.flatMap((target, i) => [
        load(i + 1, target, 'fentry'),
        { do: 'BPF_LINK_CREATE', link: `link#${i + 1}`, prog: i + 1, targets: [] } as const,
      ]),
    detach: (functions) => functions.map((_, i) => ({ do: 'close(link)', link: `link#${i + 1}` }) as const),
  },
  {
    name: 'kprobe.multi',
    sentence: 'One program and one link, which is an fprobe with an entry handler on all functions.',
    needs: needsFprobes,
    attach: (functions) => [
      { do: 'BPF_PROG_LOAD', program: probeProgram(1), target: '', probe: 'entry', returns: ZERO },
      { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: functions },
    ],
    detach: () => [{ do: 'close(link)', link: 'link#1' }],
  },
  {
    name: 'fprobe',
    sentence: 'One fprobe of a module, with an entry and an exit handler, on all functions.',
    needs: needsFprobes,
    attach: (ips) => [{ do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips, entry: true, exit: true }],
    detach: () => [{ do: 'unregister_fprobe', fprobe: 'fprobe#1' }],
  },
];

/** All that can be compared: what kernels have without multi links, and the designs of those. */
export function clientNames(): readonly string[] {
  return [...KERNELS_OWN, ...DESIGNS].map(({ name }) => name);
}

/** A client on a kernel; with none named, on the first that it can run on. */
export function clientOn(name: string, profile: string | undefined): CostClient | Absent {
  const design = DESIGNS.find((design) => design.name === name);
  const own = KERNELS_OWN.find((client) => client.name === name);
  const { needs } = present(own ?? design, name);
  const kernel = profile ?? PREFERRED.find((version) => needs?.(profileNamed(version)) === undefined)!;
  const why = needs?.(profileNamed(kernel));
  if (why !== undefined) return { name, profile: kernel, why };
  return own === undefined ? multiLink(present(design, name), kernel) : { ...own, profile: kernel };
}

/** A client as another thread names it, which sends no functions. */
export type NamedClient = Pick<CostClient, 'name' | 'profile'>;

/** The client of that name and profile. Throws for one that no kernel has. */
export function clientNamed({ name, profile }: NamedClient): CostClient {
  const design = multiLinksOf(name);
  const client = clientOn(name, profile.endsWith(design) ? profile.slice(0, -design.length) : profile);
  if ('why' in client || client.profile !== profile)
    throw new Error(`there is no client ${name} on ${profile}`);
  return client;
}

/** What the profile of a design ends with. */
function multiLinksOf(name: string): string {
  return `, multiLinks = ${name}`;
}

/**
 * Designs of other versions run on 6.12 if they can: comparable with each other, and with the kernel of their tools.
 */
const PREFERRED: readonly KernelVersion[] = ['6.12', ...KERNELS.filter((kernel) => kernel !== '6.12')];

function multiLink(design: Design, kernel: string): CostClient {
  const { name, sentence, kinds } = design;
  const kind = kinds.includes('fentry') ? 'fentry' : item(kinds, 0);
  return {
    name,
    sentence,
    profile: `${kernel}${multiLinksOf(name)}`,
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
