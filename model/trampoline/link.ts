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

export interface NodeArgs {
  target: FunctionName;
  node: TrampNode;
  /** The multi link on whose behalf it happens; empty: none. */
  multi: string;
}

/** __bpf_trampoline_link_prog(), kernel/bpf/trampoline.c. The order of the refusals can be seen. */
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

function isExtension(k: BpfView, { node }: NodeArgs): boolean {
  return entry(k.bpf.progs, node.prog).program.kind === 'freplace';
}

/** bpf_trampoline_remove_prog(): off the list; since generation C also out of every image. */
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

/** __bpf_trampoline_unlink_prog(): the program leaves the list first, whatever becomes of the image. */
export const unlinkProgLocked = routine<BpfWorld, NodeArgs>(
  '__bpf_trampoline_unlink_prog',
  ({ when, finish, call }) => [
    when('it is an extension', isExtension, [call(unlinkExtension, (_, { target }) => ({ target }))]),
    finish('it is an extension', isExtension),
    call(removeProg, (_, { target, node }) => ({ target, node })),
    call(bpfTrampolineUpdate, (_, { target, multi }) => ({ target, lockDirectMutex: true, multi })),
  ],
);

export const bpfTrampolineLinkProg = routine<BpfWorld, Omit<NodeArgs, 'multi'>>(
  'bpf_trampoline_link_prog',
  ({ holding, call }) => [
    holding(
      (k, { target }) => trLock(k, target),
      [call(linkProgLocked, (_, { target, node }) => ({ target, node, multi: '' }))],
    ),
  ],
);

export const bpfTrampolineUnlinkProg = routine<BpfWorld, Omit<NodeArgs, 'multi'>>(
  'bpf_trampoline_unlink_prog',
  ({ holding, call }) => [
    holding(
      (k, { target }) => trLock(k, target),
      [call(unlinkProgLocked, (_, { target, node }) => ({ target, node, multi: '' }))],
    ),
  ],
);
