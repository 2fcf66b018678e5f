import type { Errno } from '../core/errno.ts';
import type { FunctionName, ImageId } from '../core/ids.ts';
import { Oops } from '../core/oops.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { ensureOps } from '../ftrace/ops.ts';
import type { Flags } from './flags.ts';
import { chooseFlags } from './flags.ts';
import { discardImage } from './image-lifecycle.ts';
import { sharesPage } from './image-memory.ts';
import type { ImageRequest } from './make-image.ts';
import { makeImage } from './make-image.ts';
import type { PlanRequest } from './plan/planner.ts';
import type { BpfProgram } from './program.ts';
import type { Signature } from './signature.ts';
import { slotCount, wordSignature } from './signature.ts';
import { modifyFentry, registerFentry, unregisterFentry } from './site.ts';
import { knownFunction } from './traced-function.ts';
import { fopsOf, trOf } from './trampoline.ts';
import type { BpfTrampoline, BpfView, BpfWorld, TrampNode } from './world.ts';

/*
 * A trampoline changes its programs by generating a whole new image and switching the call site to it.
 *
 * ```text
 *   bpf_trampoline_update(tr), tr->mutex held
 *       |
 *       +-- no program --> unregister_fentry() --> put cur_image, cur_image = NULL
 *       v
 *   choose the flags
 *       v
 *   again: allocate, generate  <---------------------------------------+
 *       |                                                              |
 *       +-- no cur_image --> register_fentry() --+                     |
 *       +-- otherwise -----> modify_fentry() ----+-- EAGAIN: free the image, set ORIG_STACK
 *                                                |
 *                                                +-- 0: put the old image, cur_image = the new one
 *                                                +-- other errno: free the image, restore the flags
 *
 *   call site: nop5 without cur_image, call tramp#1 (7.2: jmp tramp#1) with it
 * ```
 *
 * 1. The list of programs is final before the update starts: bpf_trampoline_get_progs() reads it, and the image
 *    calls exactly those programs.
 * 2. The new image is complete and executable before the site can reach it, and the old one is put only after the
 *    site has been switched.
 * 3. When an IPMODIFY ops (a live patch) is on the function, ftrace calls bpf_tramp_ftrace_ops_func(), which sets
 *    SHARE_IPMODIFY and answers EAGAIN.
 * 4. The image is then generated again with ORIG_STACK: it calls the original through the return address on the
 *    stack, which leads into the live patch's replacement.
 * 5. On any other error the previous image stays in effect and only the flags have to be restored, because
 *    neither the site nor `cur_image` has changed.
 */

interface UpdateArgs {
  target: FunctionName;
  /** False when ftrace calls from under `direct_mutex` (bpf_tramp_ftrace_ops_func()). */
  lockDirectMutex: boolean;
  /** The multi link on whose behalf the update runs: it patches all of its sites afterwards. */
  multi: string;
}

interface UpdateLocals extends UpdateArgs {
  origFlags: Flags;
  image: ImageId;
  generated: Errno | 0;
  errno: Errno | 0;
}

/**
 * bpf_trampoline_update(), kernel/bpf/trampoline.c. The rollback is its `out:`: any failure restores the flags.
 */
export const bpfTrampolineUpdate = routine<BpfWorld, UpdateArgs, UpdateLocals>(
  'bpf_trampoline_update',
  (words) => {
    const { step, allocate, when, call, finish, attempt, again, refuseWith } = words;
    return [
      step('keep the flags', (k, locals) => {
        locals.origFlags = trOf(k, locals.target).flags;
      }),
      allocate('the list of programs'),
      attempt(
        [
          when('no program is left', hasNoProgram, [
            call(unregisterFentry, (k, { target, multi }) => ({
              target,
              multi,
              image: imageToLeave(k, target),
            })),
          ]),
          finish('no program is left', hasNoProgram),
          step('choose the flags', (k, { target }) => chooseAnew(k, target)),
          again(
            'a live patch is there: make it again',
            (_, { errno }) => errno === 'EAGAIN',
            tryImage(words),
          ),
          refuseWith(
            ['EBUSY', 'EINVAL', 'ENODEV', 'ENOMEM', 'ENOENT'],
            'the call site cannot be pointed at the image',
            (_, { errno }) => (errno === 0 ? undefined : errno),
          ),
          step('track the image', trackImage),
        ],
        [
          step('restore the flags', (k, { target, origFlags }) => {
            trOf(k, target).flags = origFlags;
          }),
        ],
      ),
    ];
  },
);

function hasNoProgram(k: BpfView, { target }: UpdateArgs): boolean {
  return trOf(k, target).nodes.length === 0;
}

/**
 * From `again:` on. Generation A first waits for tasks in the half of the page that it is about to write: for
 * both flavours together in the kernel (synchronize_rcu_mult()), one after the other here. Neither covers a task
 * that sleeps in the original that the image has called: generation B fixed that.
 */
function tryImage({
  allocate,
  step,
  refuseWith,
  when,
  wait,
  call,
}: RoutineWords<BpfWorld, UpdateLocals>): Part[] {
  return [
    allocate('the image'),
    when('a half of the page is used again', sharesPage, [wait('rcu_tasks_trace'), wait('rcu_tasks')]),
    step('generate the image', generateImage),
    refuseWith(['ENOTSUPP', 'EFAULT', 'EINVAL'], 'the image cannot be generated', (_, { generated }) =>
      generated === 0 ? undefined : generated,
    ),
    when(
      'programs run there already',
      (k, { target }) => trOf(k, target).curImage !== '',
      [
        call(
          modifyFentry,
          (_, { target, image, lockDirectMutex, multi }) => ({
            target,
            image: image,
            lockDirectMutex,
            multi,
          }),
          keepErrno,
        ),
      ],
      [call(registerFentry, (_, { target, image, multi }) => ({ target, image, multi }), keepErrno)],
    ),
    when('it failed', (_, { errno }) => errno !== 0, [call(discardImage, (_, { image }) => ({ image }))]),
    step('share with the live patch', (k, { target, errno }) => {
      if (errno === 'EAGAIN') shareIpmodify(k, target);
    }),
  ];
}

/** Since generation C a trampoline lists its images, and each image holds a reference on the trampoline. */
function trackImage(k: BpfWorld, { target, image }: UpdateLocals): void {
  if (profileNamed(k.profile).imageLifecycle !== 'C') return;
  const tr = trOf(k, target);
  tr.refcnt++;
  tr.images.unshift(image);
}

function keepErrno(_: BpfView, locals: UpdateLocals, errno: Errno | 0): void {
  locals.errno = errno;
}

/**
 * `tr->cur_image->image`, read without a NULL check. 6.12 clears `cur_image` even when unregister_fentry() fails,
 * so an update that finds no program a second time dereferences NULL.
 */
function imageToLeave(k: BpfView, target: FunctionName): string {
  const { curImage } = trOf(k, target);
  if (curImage === '') throw new Oops({ is: 'trampoline without image' });
  return curImage;
}

/**
 * All flags but SHARE_IPMODIFY and TAIL_CALL_CTX are derived from the programs. ORIG_STACK is set here when both
 * SHARE_IPMODIFY and CALL_ORIG are.
 */
function chooseAnew(k: BpfWorld, target: FunctionName): void {
  const tr = trOf(k, target);
  const flags = chooseFlags(profileNamed(k.profile), programsOf(k, tr.nodes), sticky(tr.flags));
  tr.flags = tr.stubWords === undefined ? flags : { ...flags, ORIG_STACK: true };
}

function sticky({ SHARE_IPMODIFY, TAIL_CALL_CTX }: Flags) {
  return { shareIpmodify: SHARE_IPMODIFY, tailCallCtx: TAIL_CALL_CTX };
}

/**
 * 6.1 clears func and trampoline of the ops so that register_ftrace_direct_multi() accepts it again, even when
 * the ops is registered: its direct call is then lost. Later kernels leave that to reset_direct().
 */
function shareIpmodify(k: BpfWorld, target: FunctionName): void {
  if (profileNamed(k.profile).bpfEagainResetsOps) {
    const fops = ensureOps(k, fopsOf(k, target));
    fops.func = '';
    fops.trampoline = '';
  }
  chooseAnew(k, target);
}

/** In the order of their attachment; an image runs each kind newest first. */
export function programsOf(k: BpfView, nodes: readonly TrampNode[]): BpfProgram[] {
  return nodes.map(({ prog, cookie }) => ({ ...entry(k.bpf.progs, prog).program, cookie }));
}

function generateImage(k: BpfWorld, locals: UpdateLocals): void {
  const made = makeImage(k, imageRequest(k, locals.target));
  locals.generated = 'refused' in made ? made.refused : 0;
  if ('image' in made) locals.image = made.image;
}

/** The arguments of arch_prepare_bpf_trampoline(). */
export function imageRequest(k: BpfWorld, target: FunctionName): ImageRequest {
  const tr = trOf(k, target);
  return {
    target,
    serial: tr.serial,
    programs: programsOf(k, tr.nodes),
    sticky: sticky(tr.flags),
    ...wordsOfImage(tr, knownFunction(k.functions, target).signature),
  };
}

/** The signature of the function, unless a design asks for more words. */
function wordsOfImage(
  { flags, imageWords, stubWords }: BpfTrampoline,
  signature: Signature,
): Partial<PlanRequest> & { signature: Signature } {
  if (stubWords !== undefined)
    return {
      signature: wordSignature(stubWords),
      sticky: { shareIpmodify: true, tailCallCtx: flags.TAIL_CALL_CTX },
    };
  const more = flags.CALL_ORIG && imageWords !== undefined && imageWords > slotCount(signature);
  return more ? { signature: wordSignature(imageWords), ownWords: slotCount(signature) } : { signature };
}
