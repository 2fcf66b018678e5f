import type { AttachBreach } from '../../../checker/sequences/played.ts';
import type { KernelVersion } from '../../../model/core/profile.ts';
import { KERNELS } from '../../../model/core/profile.ts';
import { staleOps } from '../../../model/ftrace/filter-hash.ts';
import type { KnownAttach } from '../attach.ts';
import { known } from '../attach.ts';
import { isLeftOf, LEFT_BY_A_FREED_OPS } from '../left-by-a-freed-ops.ts';

/*
 * A trampoline shared by many functions is freed with its ops although the ops cannot be unregistered, as trampolines
 * of one function are before 7.x: once for each design whose functions share an ops, and for each law that shows it.
 */

interface Design {
  readonly name: string;
  /** Other designs that show the same under all laws but the first. */
  readonly variants?: readonly string[];
  /** One of those. */
  readonly isVariant?: true;
  readonly kernels: readonly KernelVersion[];
  readonly evidence: string;
  /** How its ops are named. */
  readonly ops: RegExp;
  /** What it does to many functions, and where it lacks memory for that. */
  readonly example: string;
}

const BATCH = {
  evidence:
    'Olsa, v4 16/27  bpf_trampoline_multi_put: kfree(multi), whatever bpf_trampoline_multi_unlink_prog() answered; June 2021  bpf_trampoline_multi_free',
  ops: /^(?:multi|generic)\S*\.ops$/,
  example:
    'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next allocation in bpf_trampoline_update (shared) fails; close(link#1)',
};

const MIXING = {
  evidence:
    'modelled as bpf_trampoline_put() of 6.1.192 and 6.12.117: kfree(tr->fops), whatever unlinking answered',
  ops: /^tr\(\w+, …\)\.fops$/,
  example:
    'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); the next allocation in bpf_trampoline_update (multi) fails; close(link#1)',
};

const DESIGNS: readonly Design[] = [
  { ...BATCH, name: 'batch', kernels: ['6.1', '6.12'] },
  {
    ...BATCH,
    name: 'generic',
    kernels: KERNELS,
    variants: ['generic with fixed slot', 'generic with helpers'],
  },
  { ...BATCH, name: 'generic with fixed slot', kernels: KERNELS, isVariant: true },
  { ...BATCH, name: 'generic with helpers', kernels: KERNELS, isVariant: true },
  { ...MIXING, name: 'splitting', kernels: KERNELS },
  { ...MIXING, name: 'program sets', kernels: ['6.1', '6.12'] },
];

/** The functions in the filters of ops that were freed on the list, by ops name. */
function freedFunctions({ after }: AttachBreach['moment'], ops: RegExp): string[] {
  return after.ftrace.opsList.flatMap((name) =>
    ops.test(name) ? (staleOps(after, name)?.filter ?? []) : [],
  );
}

const SENTENCE =
  'A trampoline shared by many functions is freed with its ops although the ops cannot be unregistered, because ftrace is dead or memory is short: the same as trampolines of one function before 7.x.';

function leftBy({
  name: multiLinks,
  kernels,
  evidence,
  ops: named,
  example,
  ...design
}: Design): KnownAttach[] {
  const by = multiLinks.replaceAll(' ', '-');
  const of = { sentence: SENTENCE, evidence, kernels, multiLinks, example };
  const listed = known({
    ...of,
    name: `ops-is-freed-on-the-list-by-${by}`,
    law: 'ftrace/no-pointer-to-a-retired-image',
    finding: 'ops-is-freed-on-the-list',
    when: ({ ops }, { moment: { faults } }) => faults.length > 0 && named.test(ops),
  });
  const { variants = [], isVariant } = design;
  if (isVariant) return [listed];
  const seen = LEFT_BY_A_FREED_OPS.map(([law, finding]) =>
    known({
      ...of,
      name: `ops-freed-by-${by}-seen-by-${law.slice(law.indexOf('/') + 1)}`,
      law,
      variants,
      finding,
      when: (found, { moment }) => moment.faults.length > 0 && isLeftOf(found, freedFunctions(moment, named)),
    }),
  );
  return [listed, ...seen];
}

/** What an ops that was freed while registered leaves. */
export const KNOWN_FREED_OPS: readonly KnownAttach[] = DESIGNS.flatMap(leftBy);
