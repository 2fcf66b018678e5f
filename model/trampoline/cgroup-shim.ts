import type { FunctionName, LinkId } from '../core/ids.ts';
import { useAfterFree } from '../core/oops.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { ZERO } from '../x86/word.ts';
import { bpfTrampolineUnlinkProg, linkProgLocked } from './link.ts';
import { lsmKind } from './load-target.ts';
import { plainProgram } from './program.ts';
import { bpfProgPut } from './release.ts';
import { knownFunction } from './traced-function.ts';
import { bpfTrampolineGet, bpfTrampolinePut, trLock, trOf } from './trampoline.ts';
import type { BpfView, BpfWorld, CgroupShim, TrampNode } from './world.ts';
import { cgroupOf, FIRST_SHIM } from './world.ts';

/*
 * Shims, kernel/bpf/trampoline.c. Programs for cgroups are on no trampoline: a hook of BPF LSM has one program of the
 * kernel's for all of them, whose code is __cgroup_bpf_run_lsm_current() (`cgroup-run.ts`).
 *
 * ```text
 *   link#1 ─┐                          ┌─ prog#1, prog#2: what the shim runs, the oldest first
 *           ├─ cgrp->bpf.progs[hook] ──┘
 *   link#2 ─┘        │
 *                    └─ refs ─> shim#1 ─ prog#512 ─ node of the trampoline of the hook
 * ```
 *
 * The shim is a program of `BPF_PROG_TYPE_LSM` with `BPF_LSM_MAC` (cgroup_shim_alloc()): bpf_trampoline_enter() never
 * gets to see `BPF_LSM_CGROUP`, and so an image enters a shim by __bpf_prog_enter(), never by
 * __bpf_prog_enter_lsm_cgroup(). It is not jited: the image loads `prog->insnsi`, by which the code finds the shim.
 */

interface HookArgs {
  /** The hook. */
  target: FunctionName;
}

/** A shim, once it was found or made. */
interface WithShim extends HookArgs {
  shim?: LinkId;
  found?: boolean;
}

/** The shim of a link; one that was freed is memory of another object. */
function shimOf(k: BpfWorld, shim: LinkId): CgroupShim;
function shimOf(k: BpfView, shim: LinkId): DeepReadonly<CgroupShim>;
function shimOf(k: BpfView, shim: LinkId): DeepReadonly<CgroupShim> {
  const found = cgroupOf(k).shims[shim];
  if (found === undefined) throw useAfterFree({ is: 'link', name: shim }, 'bpf_link_put');
  return found;
}

/** cgroup_shim_find(): the newest one first. A shim that is being released is listed until then. */
function shimFind(k: BpfView, target: FunctionName): LinkId | undefined {
  return trOf(k, target).nodes.findLast(({ link }) => cgroupOf(k).shims[link] !== undefined)?.link;
}

/** bpf_link_inc_not_zero(). */
function holdsShim(k: BpfWorld, shim: LinkId | undefined): boolean {
  if (shim === undefined || shimOf(k, shim).refs === 0) return false;
  shimOf(k, shim).refs++;
  return true;
}

/**
 * bpf_trampoline_link_cgroup_shim(): one more attachment of a hook. The first makes the shim, which takes over the
 * reference on the trampoline.
 */
export const linkCgroupShim = routine<BpfWorld, HookArgs, WithShim>(
  'bpf_trampoline_link_cgroup_shim',
  ({ call, attempt, holding, step, when, allocate }) => [
    call(bpfTrampolineGet, (_, { target }) => ({ target })),
    attempt(
      [
        holding(
          (k, { target }) => trLock(k, target),
          [
            step('cgroup_shim_find, bpf_link_inc_not_zero', (k, locals) => {
              locals.found = holdsShim(k, shimFind(k, locals.target));
            }),
            when('there is none', (_, { found }) => found !== true, [
              allocate('the shim'),
              step('make the shim', makeShim),
              call(linkProgLocked, (k, { target, shim = '' }) => ({
                target,
                node: shimNode(k, shim),
                multi: '',
              })),
              step('the shim owns the reference', (k, { shim = '' }) => {
                shimOf(k, shim).linked = true;
              }),
            ]),
          ],
        ),
      ],
      [
        when('the shim was made', (_, { shim }) => shim !== undefined, [
          call(bpfLinkPut, (_, { shim = '' }) => ({ shim })),
        ]),
        call(bpfTrampolinePut, (_, { target }) => ({ target })),
      ],
    ),
    when('there was one', (_, { found }) => found === true, [
      call(bpfTrampolinePut, (_, { target }) => ({ target })),
    ]),
  ],
);

/** cgroup_shim_alloc(): a link and its program, which holds the slot of the hook (bpf_cgroup_atype_get()). */
function makeShim(k: BpfWorld, locals: WithShim): void {
  const { target } = locals;
  const cgroup = cgroupOf(k);
  const made = ++cgroup.shimsMade;
  const shim = `shim#${made}`;
  const prog = FIRST_SHIM + made - 1;
  const kind = lsmKind(knownFunction(k.functions, target).signature);
  k.bpf.progs[prog] = {
    program: { ...plainProgram(prog), kind, lsm: true, shim: true, reads: 'direct' },
    target,
    probe: '',
    returns: ZERO,
    dstTrampoline: false,
    open: false,
    refs: 1,
    trampLinked: false,
    freed: false,
    active: 0,
    misses: 0,
  };
  cgroup.shims[shim] = { prog, target, refs: 1, linked: false };
  cgroup.atypes[target] = (cgroup.atypes[target] ?? 0) + 1;
  locals.shim = shim;
}

/** The entry of a shim in the list of its trampoline. */
function shimNode(k: BpfView, shim: LinkId): TrampNode {
  return { link: shim, prog: entry(cgroupOf(k).shims, shim).prog, cookie: ZERO };
}

/** bpf_trampoline_lookup(): the shim has a reference, so that the trampoline is there. */
const bpfTrampolineLookup = routine<BpfWorld, HookArgs>('bpf_trampoline_lookup', ({ holding, step }) => [
  holding('trampoline_mutex', [
    step('take a reference', (k, { target }) => {
      trOf(k, target).refcnt++;
    }),
  ]),
]);

/** bpf_trampoline_unlink_cgroup_shim(): one attachment of a hook less. */
export const unlinkCgroupShim = routine<BpfWorld, HookArgs, WithShim>(
  'bpf_trampoline_unlink_cgroup_shim',
  ({ call, holding, step, when }) => [
    call(bpfTrampolineLookup, (_, { target }) => ({ target })),
    holding(
      (k, { target }) => trLock(k, target),
      [
        step('cgroup_shim_find', (k, locals) => {
          const shim = shimFind(k, locals.target);
          if (shim !== undefined) locals.shim = shim;
        }),
      ],
    ),
    when('there is one', (_, { shim }) => shim !== undefined, [
      call(bpfLinkPut, (_, { shim = '' }) => ({ shim })),
    ]),
    call(bpfTrampolinePut, (_, { target }) => ({ target })),
  ],
);

interface ShimArgs {
  shim: LinkId;
}

/** bpf_link_put(): the last reference frees the link, at once (6.1, with no spinlock held) or in a work item. */
const bpfLinkPut = routine<BpfWorld, ShimArgs>('bpf_link_put', ({ step, finish, when, call, defer }) => [
  step('drop a reference', (k, { shim }) => {
    shimOf(k, shim).refs--;
  }),
  finish('others have references', (k, { shim }) => shimOf(k, shim).refs > 0),
  when(
    'it sleeps',
    (k) => profileNamed(k.profile).linkPut === 'at once',
    [call(shimRelease, (_, { shim }) => ({ shim }))],
    [defer('schedule_work', bpfLinkPutDeferred, (_, { shim }) => ({ shim }))],
  ),
]);

/** bpf_link_put_deferred(): until it runs, the shim is in the image. */
export const bpfLinkPutDeferred = routine<BpfWorld, ShimArgs>('bpf_link_put_deferred', ({ wait, call }) => [
  wait('workqueue'),
  call(shimRelease, (_, { shim }) => ({ shim })),
]);

/** bpf_shim_tramp_link_release(), and the rest of bpf_link_free(). */
const shimRelease = routine<BpfWorld, ShimArgs>('bpf_shim_tramp_link_release', ({ when, step, call }) => [
  when('it is on a trampoline', (k, { shim }) => shimOf(k, shim).linked, [
    call(
      bpfTrampolineUnlinkProg,
      (k, { shim }) => ({ target: shimOf(k, shim).target, node: shimNode(k, shim) }),
      (k, _, errno) => {
        if (errno !== 0) warn(k, { is: 'program not taken off', errno, by: 'bpf_shim_tramp_link_release' });
      },
    ),
    call(bpfTrampolinePut, (k, { shim }) => ({ target: shimOf(k, shim).target })),
  ]),
  call(bpfProgPut, (k, { shim }) => ({ prog: shimOf(k, shim).prog })),
  step('free the link', (k, { shim }) => {
    delete cgroupOf(k).shims[shim];
  }),
]);
