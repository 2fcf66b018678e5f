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

/** An image is of one trampoline, or of one for many functions, whose links have a mutex besides. */
function lockOfImage(write: Write): readonly string[] {
  const { after, keys } = write;
  const { owner, target = '' } = after.bpf.images[keys[0] as never] ?? {};
  if (owner === undefined) return [trLock(after, target)];
  return inMultiTrampolines(write) ? [ownerLock(owner), MULTI_MUTEX] : [ownerLock(owner)];
}

/**
 * References are taken and put under `trampoline_mutex`; that of an image (imageLifecycle = C) under
 * the lock of the trampoline: bpf_trampoline_update() of 7.2.
 */
function lockOfRefcnt(write: Write): readonly string[] {
  const isOfImage = profileNamed(write.after.profile).imageLifecycle === 'C' && isMore(write);
  return isOfImage ? ['trampoline_mutex', ...itsLock(write)] : ['trampoline_mutex'];
}

function isMore({ old, new: now }: Write): boolean {
  return typeof old === 'number' && typeof now === 'number' && now > old;
}

/** State of designs. */
function inDesign(...names: readonly string[]) {
  return ({ after }: Write): boolean => names.includes(designOf(profileNamed(after.profile))?.name ?? '');
}

const inMultiTrampolines = inDesign('splitting', 'program sets');
const inGlobal = inDesign('global', 'global padding', 'global int in rax');

/** kernel/bpf/trampoline.c and cgroup.c; what designs keep themselves. */
export const OF_BPF: readonly GuardedState[] = [
  {
    state: 'bpf.trampolines.*',
    locks: ['trampoline_mutex'],
    source: `${TRAMPOLINE_C}  bpf_trampoline_lookup, bpf_trampoline_put: trampoline_mutex`,
  },
  {
    state: 'bpf.trampolines.*.refcnt',
    locks: [lockOfRefcnt],
    source: `${TRAMPOLINE_C}  bpf_trampoline_lookup, bpf_trampoline_put`,
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
    source: `${TRAMPOLINE_C}  bpf_trampoline_link_prog, bpf_trampoline_unlink_prog: tr->mutex`,
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
    source: `${TRAMPOLINE_C}  bpf_tramp_image_put in bpf_trampoline_update: callers hold tr->mutex`,
  },
  {
    state: 'bpf.progs.*.dstTrampoline',
    locks: [({ keys: [prog = ''] }) => [`dst_mutex of prog#${prog}`]],
    source: 'kernel/bpf/syscall.c  bpf_tracing_prog_attach: prog->aux->dst_mutex',
    // A program that is being loaded is its loader's, and bpf_prog_free_deferred() puts that of one without references.
    when: ({ before, after, keys: [prog = ''] }) =>
      [before, after].every(({ bpf }) => (bpf.progs[Number(prog)]?.refs ?? 0) > 0),
  },
  ...['progs', 'effective', 'atypes'].map((table) => ({
    state: `bpf.cgroup.${table}.*`,
    locks: ['cgroup_mutex'],
    source:
      'kernel/bpf/cgroup.c  lockdep_assert_held(&cgroup_mutex) in bpf_cgroup_atype_get; activate_effective_progs',
  })),
  {
    state: 'bpf.cgroup.shims.*.linked',
    locks: [
      ({ after, keys: [shim = ''] }) => [trLock(after, after.bpf.cgroup?.shims[shim as never]?.target ?? '')],
    ],
    source: `${TRAMPOLINE_C}  bpf_trampoline_link_cgroup_shim, bpf_trampoline_unlink_prog: tr->mutex`,
  },
  {
    state: 'bpf.design.**',
    locks: [MD_MUTEX],
    source: 'kernel/bpf/kfunc_md.c (series of July 2025, v2)  kfunc_md_mutex',
    // What callbacks of RCU free is in no list any more.
    when: (write) => inGlobal(write) && write.new !== undefined,
  },
  {
    state: 'bpf.design.**',
    locks: [MULTI_MUTEX],
    source: `${TRAMPOLINE_C} (November 2021; multi-fentry proposal, July 2025)  one mutex for all links`,
    when: inMultiTrampolines,
  },
  {
    state: 'bpf.design.byName.**',
    locks: ['trampoline_mutex'],
    source: `${TRAMPOLINE_C} (17 patches of August 2022)  bpf_trampoline_multi_attach: trampoline_mutex throughout`,
    when: inDesign('multi ids'),
  },
  ...['curImage', 'nodes'].map((field) => ({
    state: `bpf.design.shared.*.${field}`,
    locks: [({ keys: [name = ''] }: Write) => [ownerLock(name)]],
    source: `${TRAMPOLINE_C} (June 2021; batch attach, v4, August 2021)  bpf_trampoline_update: tr->mutex`,
    when: inDesign('batch', 'generic', 'generic with fixed slot', 'generic with helpers'),
  })),
];
