import type { AttachBreach, Step } from '../../../checker/sequences/played.ts';
import { KERNELS } from '../../../model/core/profile.ts';
import { FTRACE_OPS_FL_IPMODIFY } from '../../../model/ftrace/ops.ts';
import type { KernelView } from '../../../model/kernel.ts';
import type {
  MultiTrampoline,
  MultiTrampolines,
} from '../../../model/trampoline/designs/multi-trampoline.ts';
import type { AttachFindingOf, AttachTag } from '../../../properties/finding/attach-finding.ts';
import type { KnownAttach, KnownForm } from '../attach.ts';
import { known } from '../attach.ts';

/*
 * Failures around a split, where a trampoline of several functions, or one of its parts, lacks memory, or another
 * client attaches to one of the functions: with the series of November 2021, and with the proposal of July 2025.
 */

/** The trampolines of several functions, by name. */
export function trampolinesOf({ bpf }: KernelView): Readonly<Record<string, MultiTrampoline>> {
  return (bpf.design as MultiTrampolines).byName;
}

/** A trampoline has the same functions and programs, and another image. */
function isMadeAnew({ moment: { before, after, faults } }: AttachBreach): boolean {
  const now = trampolinesOf(after);
  const alike = ({ ids, nodes }: MultiTrampoline) => JSON.stringify([ids, nodes]);
  return (
    faults.length > 0 &&
    Object.entries(trampolinesOf(before)).some(([name, was]) => {
      const is = now[name];
      return is !== undefined && is.image !== was.image && alike(is) === alike(was);
    })
  );
}

/** The functions whose IPMODIFY owner an action changes. */
function patchedBy({ before, action }: Pick<Step, 'before' | 'action'>): readonly string[] {
  if (action.do === 'register_kprobe') return action.post ? [action.ip] : [];
  if (action.do !== 'register_ftrace_function') return [];
  const ops = before.ftrace.ops[action.ops];
  return ops !== undefined && (ops.flags & FTRACE_OPS_FL_IPMODIFY) !== 0 ? ops.filter : [];
}

/** One of two neighbouring actions is a live patch on a function of a set, and the other splits the set. */
function isPatchBesideASplit({ moment }: AttachBreach): boolean {
  const { previous, after } = moment;
  const patched = [...patchedBy(previous!), ...patchedBy(moment)];
  const left = Object.values(trampolinesOf(after)).map(({ ids }) => ids.join());
  return Object.values(trampolinesOf(previous!.before)).some(
    ({ ids }) => !left.includes(ids.join()) && ids.some((id) => patched.includes(id)),
  );
}

export const ON_A_SET =
  'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })';

const AS_UNLINK_PROG =
  'modelled as bpf_trampoline_unlink_prog() of 6.1.192 and 6.12.117: hlist_del_init() before bpf_trampoline_update()';

export const SPLIT = '[PATCH bpf-next 19/29] bpf_trampoline_split';
const CUT = 'Starovoitov, 17 July 2025: rows of links are cut under one mutex';
/** The failures of a cut are seen in the model alone, which treats it as a split. */
const CUT_AS_SPLIT = `${CUT}; modelled as the split of November 2021, where there is an ops for each trampoline`;

export type Entry<T extends AttachTag> = Pick<
  KnownForm<T>,
  'sentence' | 'evidence' | 'law' | 'finding' | 'when' | 'example'
>;

const STAYS_IN_THE_IMAGE: Entry<'multi-image-is-for-others'> = {
  sentence:
    'A detached program leaves the list of a trampoline of several functions first; if the next image cannot be generated, the old one still calls it.',
  evidence: AS_UNLINK_PROG,
  law: 'ftrace/multi-link-bookkeeping-is-consistent',
  finding: 'multi-image-is-for-others',
  when: ({ expected, observed }, { moment: { faults, outcome } }) =>
    faults.length > 0 &&
    expected.length > 0 &&
    observed.length > 0 &&
    outcome.warnings.some(
      (warning) => warning.is === 'multi link not taken off' && warning.by === 'bpf_tramp_attach_unlink',
    ),
  example:
    'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); the next allocation in bpf_trampoline_update (multi) fails; close(link#1)',
};

const LIVE_PATCH: Entry<'answers-depend-on-the-order' | 'state-depends-on-the-order'> = {
  sentence:
    'Whether an IPMODIFY client is accepted depends on attachments to other functions: while the function shares a trampoline with them, no owner is queried to share with the live patch; after a split, the trampoline is.',
  evidence: `${SPLIT}; kernel/trace/ftrace.c of all three  prepare_direct_functions_for_ipmodify: only an ops with ops_func can be queried`,
  law: 'ftrace/independent-operations-commute',
  finding: ['answers-depend-on-the-order', 'state-depends-on-the-order'],
  when: (finding, breach) => isOfAPatch(finding) && isPatchBesideASplit(breach),
  example: `${ON_A_SET}; link#2 = BPF_LINK_CREATE(prog#2); register_kprobe(kprobe#1, f2, post_handler)`,
};

/** The calls that attach a link. */
const ATTACHES: ReadonlySet<Step['action']['do']> = new Set(['BPF_LINK_CREATE', 'BPF_RAW_TRACEPOINT_OPEN']);

const IMAGE_IS_PUT: Entry<'leads-to-memory-that-left'> = {
  sentence:
    'A single program joins one of two functions of a link, and their call sites cannot be changed: their common trampoline is unregistered and its image retired, as when the last program is detached.',
  evidence: `${SPLIT}: bpf_trampoline_unregister(); kernel/trace/ftrace.c of all three  ftrace_shutdown: no check of ftrace_disabled after ftrace_run_update_code()`,
  law: 'ftrace/no-pointer-to-a-retired-image',
  finding: 'leads-to-memory-that-left',
  when: ({ from, page }, { moment: { before, action, after } }) =>
    ATTACHES.has(action.do) &&
    after.ftrace.disabled &&
    from.is === 'call site' &&
    after.text.sites[from.of] === before.text.sites[from.of] &&
    Object.values(trampolinesOf(before)).some(({ ids, image }) => image === page && ids.includes(from.of)) &&
    Object.values(trampolinesOf(after)).every(({ image }) => image !== page),
  example: `${ON_A_SET}; the next poke in ftrace_replace_code fails; link#2 = BPF_LINK_CREATE(prog#2)`,
};

const MADE_ANEW: Entry<'refusal-leaves-a-trace'> = {
  sentence:
    'A split without memory for the copy, or with ftrace dead, has already unregistered the trampoline: it returns with another image, and if ftrace lives at the head of the ops list.',
  evidence: `${SPLIT}: bpf_trampoline_unregister(), and then bpf_trampoline_dup()`,
  law: 'ftrace/failed-calls-have-no-effect',
  finding: 'refusal-leaves-a-trace',
  when: ({ errno, changes: [{ place }] }, breach) =>
    (errno === 'ENOMEM' || breach.moment.before.ftrace.disabled) &&
    ['text', 'ftrace', 'bpf'].includes(place[0] ?? '') &&
    isMadeAnew(breach),
  example: `${ON_A_SET}; the next allocation in bpf_trampoline_split fails; link#2 = BPF_LINK_CREATE(prog#2)`,
};

/** A breach of a split, under one name, and of a cut, under another. */
export function splitAndCut<T extends AttachTag>(
  entry: Entry<T>,
  split: string,
  cut: string,
): readonly KnownAttach[] {
  return [
    known({ ...entry, name: split, kernels: KERNELS, multiLinks: 'splitting' }),
    known({
      ...entry,
      name: cut,
      evidence: CUT_AS_SPLIT,
      kernels: ['6.1', '6.12'],
      multiLinks: 'program sets',
    }),
  ];
}

/** The answer to a live patch, or what its client and its neighbours find then. */
function isOfAPatch(
  finding: AttachFindingOf<'answers-depend-on-the-order' | 'state-depends-on-the-order'>,
): boolean {
  if (finding.is === 'answers-depend-on-the-order')
    return finding.action === 'register_kprobe' || finding.action === 'register_ftrace_function';
  return ['text', 'ftrace', 'bpf', 'probes'].includes(finding.place[0] ?? '');
}

export const KNOWN_MIXING_FAILURES: readonly KnownAttach[] = [
  known({
    ...STAYS_IN_THE_IMAGE,
    name: 'program-that-left-stays-in-the-image-of-many',
    kernels: KERNELS,
    multiLinks: 'splitting',
  }),
  known({
    ...STAYS_IN_THE_IMAGE,
    name: 'program-that-left-stays-in-the-image-of-a-row',
    kernels: KERNELS,
    multiLinks: 'program sets',
  }),
  known({ ...LIVE_PATCH, name: 'live-patch-waits-for-a-split', kernels: KERNELS, multiLinks: 'splitting' }),
  known({
    ...LIVE_PATCH,
    name: 'live-patch-waits-for-a-cut',
    evidence: LIVE_PATCH.evidence.replace(SPLIT, CUT),
    kernels: KERNELS,
    multiLinks: 'program sets',
  }),
  ...splitAndCut(
    IMAGE_IS_PUT,
    'split-puts-an-image-although-its-site-calls-it',
    'cut-puts-an-image-although-its-site-calls-it',
  ),
  ...splitAndCut(MADE_ANEW, 'refused-split-regenerates-the-image', 'refused-cut-regenerates-the-image'),
];
