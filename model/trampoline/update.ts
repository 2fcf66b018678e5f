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

interface UpdateArgs {
  target: FunctionName;
  lockDirectMutex: boolean;
  /** The multi link on whose behalf it happens: it does the patching afterwards, for all of its targets. */
  multi: string;
}

interface UpdateLocals extends UpdateArgs {
  origFlags: Flags;
  image: ImageId;
  generated: Errno | 0;
  errno: Errno | 0;
}

/**
 * bpf_trampoline_update(), kernel/bpf/trampoline.c: a new image for the programs that are attached now, and the call
 * site led there. When a live patch is on the function, the image is made once more, to call the original through
 * the return address on the stack (EAGAIN).
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
            'the call site cannot be led to the image',
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
 * From `again:` on: an image is made, and the call site led there. Generation A first waits for those who may be in the
 * half of the page that it will write: for both flavours together, here for one after the other. A task that sleeps in
 * the original, which the image has called, is none of them.
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

/** Since generation C a trampoline knows all of its images, and each of them holds it. */
function trackImage(k: BpfWorld, { target, image }: UpdateLocals): void {
  if (profileNamed(k.profile).imageLifecycle !== 'C') return;
  const tr = trOf(k, target);
  tr.refcnt++;
  tr.images.unshift(image);
}

function keepErrno(_: BpfView, locals: UpdateLocals, errno: Errno | 0): void {
  locals.errno = errno;
}

/** `tr->cur_image->image`, read without a look whether there is one. */
function imageToLeave(k: BpfView, target: FunctionName): string {
  const { curImage } = trOf(k, target);
  if (curImage === '') throw new Oops({ is: 'trampoline without image' });
  return curImage;
}

/** All flags but two are chosen again. */
function chooseAnew(k: BpfWorld, target: FunctionName): void {
  const tr = trOf(k, target);
  const flags = chooseFlags(profileNamed(k.profile), programsOf(k, tr.nodes), sticky(tr.flags));
  tr.flags = tr.stubWords === undefined ? flags : { ...flags, ORIG_STACK: true };
}

function sticky({ SHARE_IPMODIFY, TAIL_CALL_CTX }: Flags) {
  return { shareIpmodify: SHARE_IPMODIFY, tailCallCtx: TAIL_CALL_CTX };
}

/** What the next try of an update does differently. 6.1 clears the ops for it, even one that is registered. */
function shareIpmodify(k: BpfWorld, target: FunctionName): void {
  if (profileNamed(k.profile).bpfEagainResetsOps) {
    const fops = ensureOps(k, fopsOf(k, target));
    fops.func = '';
    fops.trampoline = '';
  }
  chooseAnew(k, target);
}

/** The programs of a trampoline in the order of their attachment, each with the cookie that it has there. */
export function programsOf(k: BpfView, nodes: readonly TrampNode[]): BpfProgram[] {
  return nodes.map(({ prog, cookie }) => ({ ...entry(k.bpf.progs, prog).program, cookie }));
}

function generateImage(k: BpfWorld, locals: UpdateLocals): void {
  const made = makeImage(k, imageRequest(k, locals.target));
  locals.generated = 'refused' in made ? made.refused : 0;
  if ('image' in made) locals.image = made.image;
}

/** What an image of a trampoline is made for, as its flags and its programs are now. */
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

/** What an image takes its function to be declared with: as it is, unless a design says more. */
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
