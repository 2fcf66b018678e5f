import type { FunctionName } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { linkExtension, unlinkExtension } from './extension.ts';
import { bpfTrampolineSkipProg } from './image-lifecycle.ts';
import { linkCount } from './program.ts';
import { trLock, trOf } from './trampoline.ts';
import { bpfTrampolineUpdate, programsOf } from './update.ts';
import type { BpfView, BpfWorld, TrampNode } from './world.ts';

/*
 * Attaching a program to one target, and detaching it: the locked part of bpf_trampoline_link_prog() and
 * bpf_trampoline_unlink_prog().
 *
 * ```text
 *   user space            struct bpf_trampoline of f1 (tr->mutex)            call site of f1
 *   ------------------    ----------------------------------------------    -----------------
 *   link#1  fentry -----> progs_hlist[FENTRY]         link#1                 call tramp#2
 *   link#2  fexit  --+--> progs_hlist[FEXIT]          link#3, link#2             |
 *   link#3  fexit  --+    progs_hlist[MODIFY_RETURN]  (empty)                    |
 *                         extension_prog              NULL                       |
 *                         cur_image ---------------------------------> tramp#2 <-+
 *                         refcnt      one for each link; generation C: one for each image as well
 *
 *   not linked --link--> listed --update--> in the image --unlink--> not listed --update--> gone
 *       ^                  |                                             |
 *       +---- failure -----+                  failure: not listed, but still in the image
 * ```
 *
 * 1. `tr->mutex` (7.x: one of 32 `trampoline_locks`) is held throughout, so that lists, flags and `cur_image` of
 *    a target change together.
 * 2. The order of the refusals is visible to the caller: EBUSY for an extension, E2BIG for too many programs,
 *    then EBUSY for a program that is already linked.
 * 3. The program enters its list before bpf_trampoline_update() generates an image from the lists; when the
 *    update fails, the program is taken out again and the previous image is still right.
 * 4. Unlinking takes the program out first and never puts it back: when that update fails, the old image keeps
 *    calling a program that no list names any more.
 * 5. An extension (freplace) and tracing programs exclude each other, since both patch the entry of the target:
 *    `extension_prog` blocks every later link, and any linked program blocks an extension.
 */

export interface NodeArgs {
  target: FunctionName;
  node: TrampNode;
  /** The multi link on whose behalf the update runs; empty for a single link. */
  multi: string;
}

/**
 * __bpf_trampoline_link_prog(), kernel/bpf/trampoline.c. The kernel compares the program only with those of the
 * same kind; a program has one kind, so any node counts here. hlist_unhashed() covers a link that is used twice,
 * which no client of the model can do.
 */
export const linkProgLocked = routine<BpfWorld, NodeArgs>(
  '__bpf_trampoline_link_prog',
  ({ refuse, step, when, finish, attempt, call }) => [
    refuse(
      'EBUSY',
      'an extension has the target for itself',
      (k, { target }) => trOf(k, target).extensionProg !== 0,
    ),
    when('it is an extension', isExtension, [
      call(linkExtension, (_, { target, node }) => ({ target, prog: node.prog })),
    ]),
    finish('it is an extension', isExtension),
    refuse('E2BIG', 'too many programs', (k, { target, node }) => {
      const count =
        linkCount(programsOf(k, trOf(k, target).nodes)) + linkCount([entry(k.bpf.progs, node.prog).program]);
      return count > profileNamed(k.profile).linksMax;
    }),
    refuse('EBUSY', 'the program is attached there', (k, { target, node }) =>
      trOf(k, target).nodes.some(({ prog }) => prog === node.prog),
    ),
    // bpf_trampoline_get_progs() reads the list: the program is in it before the image is generated.
    step('enter the list', (k, { target, node }) => {
      trOf(k, target).nodes.push(node);
      entry(k.bpf.progs, node.prog).trampLinked = true;
    }),
    attempt(
      [call(bpfTrampolineUpdate, (_, { target, multi }) => ({ target, lockDirectMutex: true, multi }))],
      [call(removeProg, (_, { target, node }) => ({ target, node }))],
    ),
  ],
);

/** `BPF_TRAMP_REPLACE`. */
function isExtension(k: BpfView, { node }: NodeArgs): boolean {
  return entry(k.bpf.progs, node.prog).program.kind === 'freplace';
}

/**
 * bpf_trampoline_remove_prog(): out of the list. Since generation C the program is also skipped in every image
 * that has not been freed, so that it can be freed while tasks are in those images.
 */
export const removeProg = routine<BpfWorld, Omit<NodeArgs, 'multi'>>(
  'bpf_trampoline_remove_prog',
  ({ step, when, call }) => [
    step('leave the list', (k, { target, node }) => {
      const tr = trOf(k, target);
      tr.nodes = tr.nodes.filter(({ link }) => link !== node.link);
    }),
    when('images skip the program', (k) => profileNamed(k.profile).imageLifecycle === 'C', [
      call(bpfTrampolineSkipProg, (k, { target, node }) => ({
        images: trOf(k, target).images,
        prog: node.prog,
      })),
    ]),
  ],
);

/**
 * __bpf_trampoline_unlink_prog(): the program leaves the list whatever becomes of the image. The caller,
 * bpf_tracing_link_release(), warns about an error and drops the program all the same.
 */
export const unlinkProgLocked = routine<BpfWorld, NodeArgs>(
  '__bpf_trampoline_unlink_prog',
  ({ when, finish, call }) => [
    when('it is an extension', isExtension, [call(unlinkExtension, (_, { target }) => ({ target }))]),
    finish('it is an extension', isExtension),
    call(removeProg, (_, { target, node }) => ({ target, node })),
    call(bpfTrampolineUpdate, (_, { target, multi }) => ({ target, lockDirectMutex: true, multi })),
  ],
);

/** The lock comes from trLock(): `tr->mutex`, or a lock of the pool that other targets hash to as well. */
export const bpfTrampolineLinkProg = routine<BpfWorld, Omit<NodeArgs, 'multi'>>(
  'bpf_trampoline_link_prog',
  ({ holding, call }) => [
    holding(
      (k, { target }) => trLock(k, target),
      [call(linkProgLocked, (_, { target, node }) => ({ target, node, multi: '' }))],
    ),
  ],
);

/** Never fails for the caller's purposes: bpf_tracing_link_release() only warns. */
export const bpfTrampolineUnlinkProg = routine<BpfWorld, Omit<NodeArgs, 'multi'>>(
  'bpf_trampoline_unlink_prog',
  ({ holding, call }) => [
    holding(
      (k, { target }) => trLock(k, target),
      [call(unlinkProgLocked, (_, { target, node }) => ({ target, node, multi: '' }))],
    ),
  ],
);
