import { profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import { MD_MUTEX } from '../../model/trampoline/designs/global/kfunc-md-array.ts';
import { MULTI_MUTEX } from '../../model/trampoline/designs/multi-trampoline.ts';
import { ownerLock } from '../../model/trampoline/image-lifecycle.ts';
import { POOL_LOCKS, poolLock, trLock } from '../../model/trampoline/trampoline.ts';
import type { GuardedState, Write } from './guarded-state.ts';

const TRAMPOLINE_C = 'kernel/bpf/trampoline.c';

/** The lock of the trampoline of a target: its own, or one of the pool. */
function itsLock({ after, keys: [target = ''] }: Write): readonly string[] {
  return [trLock(after, target)];
}

/** An image is of one trampoline, or of one for many functions. */
function lockOfImage({ after, keys: [image = ''] }: Write): readonly string[] {
  const { owner, target = '' } = after.bpf.images[image as never] ?? {};
  return [owner === undefined ? trLock(after, target) : ownerLock(owner), MULTI_MUTEX];
}

/** State of designs. What they free after a grace period is not reachable any more. */
function inDesign(...names: readonly string[]) {
  return ({ after, new: now }: Write): boolean =>
    now !== undefined && names.includes(designOf(profileNamed(after.profile))?.name ?? '');
}

/** kernel/bpf/trampoline.c and cgroup.c; what designs keep themselves. */
export const OF_BPF: readonly GuardedState[] = [
  {
    state: 'bpf.trampolines.*',
    locks: ['trampoline_mutex'],
    source: `${TRAMPOLINE_C}  trampoline_mutex: "serializes access to trampoline_table"`,
  },
  {
    state: 'bpf.trampolines.*.refcnt',
    // An image in the trampoline's list has a reference on it.
    locks: [(write) => ['trampoline_mutex', ...itsLock(write)]],
    source: `${TRAMPOLINE_C}  bpf_trampoline_get, bpf_trampoline_put`,
  },
  ...[
    'curImage',
    'flags.**',
    'nodes',
    'extensionProg',
    'ftraceManaged',
    'images',
    'oldFlags',
    'oldImage',
    'imageWords',
    'stubWords',
  ].map((field) => ({
    state: `bpf.trampolines.*.${field}`,
    locks: [itsLock],
    source:
      'include/linux/bpf.h  struct bpf_trampoline: mutex, "serializes access to fields of this trampoline"',
  })),
  ...['oldFlags', 'oldImage'].map((field) => ({
    state: `bpf.trampolines.*.${field}`,
    locks: Array.from({ length: POOL_LOCKS }, (_, i) => poolLock(i)),
    source: `${TRAMPOLINE_C} (7.2)  bpf_trampoline_multi_attach, bpf_trampoline_multi_detach: trampoline_lock_all()`,
    when: inDesign('tracing multi'),
  })),
  {
    state: 'bpf.images.*.state',
    locks: [lockOfImage],
    source: `${TRAMPOLINE_C}  bpf_trampoline_update: bpf_tramp_image_put under tr->mutex`,
  },
  {
    state: 'bpf.progs.*.dstTrampoline',
    locks: [({ keys: [prog = ''] }) => [`dst_mutex of prog#${prog}`]],
    source: 'include/linux/bpf.h  struct bpf_prog_aux: dst_mutex, "protects dst_* pointers below"',
    // A program that is being loaded, and one without references (bpf_prog_free_deferred()), is its task's own.
    when: ({ before, after, keys: [prog = ''] }) =>
      [before, after].every(({ bpf }) => (bpf.progs[Number(prog)]?.refs ?? 0) > 0),
  },
  ...['progs', 'effective', 'atypes'].map((table) => ({
    state: `bpf.cgroup.${table}.*`,
    locks: ['cgroup_mutex'],
    source: 'kernel/bpf/cgroup.c  lockdep_assert_held(&cgroup_mutex)',
  })),
  {
    state: 'bpf.cgroup.shims.*.linked',
    locks: [
      ({ after, keys: [shim = ''] }) => [trLock(after, after.bpf.cgroup?.shims[shim as never]?.target ?? '')],
    ],
    source: `${TRAMPOLINE_C}  bpf_trampoline_link_cgroup_shim: under tr->mutex`,
  },
  {
    state: 'bpf.design.**',
    locks: [MD_MUTEX],
    source: 'kernel/bpf/kfunc_md.c (proposal of July 2025)  kfunc_md_mutex',
    when: inDesign('global', 'global padding', 'global int in rax'),
  },
  {
    state: 'bpf.design.**',
    locks: [MULTI_MUTEX],
    source: `${TRAMPOLINE_C} (proposals of November 2021 and July 2025)  multi_mutex`,
    when: inDesign('splitting', 'program sets'),
  },
  {
    state: 'bpf.design.byName.**',
    locks: ['trampoline_mutex'],
    source: `${TRAMPOLINE_C} (proposal of August 2022)  bpf_trampoline_multi_attach: trampoline_mutex throughout`,
    when: inDesign('multi ids'),
  },
  ...['curImage', 'nodes'].map((field) => ({
    state: `bpf.design.shared.*.${field}`,
    locks: [({ keys: [name = ''] }: Write) => [ownerLock(name)]],
    source: `${TRAMPOLINE_C} (proposals of 2021)  bpf_trampoline_update: under tr->mutex`,
    when: inDesign('batch', 'generic', 'generic with fixed slot', 'generic with helpers'),
  })),
];
