import type { FunctionName, ImageId, ProgId } from '../core/ids.ts';
import { entry, item } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { fails, warn } from '../core/world.ts';
import type { Poke } from '../text/poke.ts';
import { holds, textPokeBpBatch } from '../text/poke.ts';
import { addressOf, branchBytes } from '../text/space.ts';
import type { TextPlace } from '../text/text.ts';
import { NOP5 } from '../text/text.ts';
import { plus } from '../x86/word.ts';
import type { PatchPoint } from './generate.ts';
import { freeImageMemory, sharesPage } from './image-memory.ts';
import { bpfTrampolinePut, trLock, trOf } from './trampoline.ts';
import type { BpfView, BpfWorld } from './world.ts';

interface PokeArgs {
  place: TextPlace;
  from: string;
  to: string;
}

/**
 * bpf_arch_text_poke(), arch/x86/net/bpf_jit_comp.c: text that ftrace does not manage. It takes `text_mutex` and
 * refuses text that does not hold the expected instruction.
 */
export const bpfArchTextPoke = routine<BpfWorld, PokeArgs>(
  'bpf_arch_text_poke',
  ({ holding, refuse, finish, call }) => [
    refuse(
      'EINVAL',
      'it is no text of the kernel, nor of BPF',
      (k, { place: { kind, name } }) => kind === 'site' && k.text.sites[name] === undefined,
    ),
    holding('text_mutex', [
      refuse(
        'EBUSY',
        'text does not hold the old instruction',
        (k, { place, from }) => !holds(k, place, from) || fails(k, 'poke', 'bpf_arch_text_poke'),
      ),
      finish('nothing changes', (_, { from, to }) => from === to),
      call(textPokeBpBatch, (_, { place, to }) => ({ pokes: [{ place, to } satisfies Poke] })),
    ]),
  ],
);

/** The jump that replaces the nop of a patch point. */
function patchOf(k: BpfView, image: ImageId, point: PatchPoint): PokeArgs {
  const address = addressOf(k, image);
  return {
    place: { kind: 'page', name: image, offset: point.offset },
    from: NOP5,
    to: branchBytes('e9', plus(address, point.offset), plus(address, point.target)),
  };
}

interface ImageArgs {
  image: ImageId;
}

/**
 * bpf_tramp_image_put(): an image that no call site calls any more. Tasks may still be in it, in a program, or in
 * the original that it has called; for each of these there is a grace period that covers it:
 *
 * ```text
 *   calls the original     rcu_tasks       in the first instructions, before the reference is taken
 *                          percpu_ref      between __bpf_tramp_enter and __bpf_tramp_exit
 *                          rcu_tasks       in the last instructions
 *   entry programs only    rcu_tasks_trace in a sleepable program
 *                          rcu_tasks       in any other instruction
 * ```
 *
 * Generation A has no such function: the image stays until its half is written again, or its trampoline is freed.
 */
export const bpfTrampImagePut = routine<BpfWorld, ImageArgs>(
  'bpf_tramp_image_put',
  ({ when, call, step, finish, defer }) => [
    step('retire the image', (k, { image }) => {
      entry(k.bpf.images, image).state = 'draining';
    }),
    finish('its half is used again', sharesPage),
    when('fexit programs are to be skipped', skipsFexit, [
      call(
        bpfArchTextPoke,
        (k, { image }) => patchOf(k, image, item(entry(k.bpf.images, image).patchPoints, 0)),
        (k, _, errno) => {
          if (errno !== 0) warn(k, { is: 'image not patched' });
        },
      ),
    ]),
    defer('wait for its users in the background', freeWhenUnused, (_, { image }) => ({ image })),
  ],
);

/** Generation B with an original call: `ip_after_call` becomes a jump to `ip_epilogue`. */
function skipsFexit(k: BpfView, { image }: ImageArgs): boolean {
  return profileNamed(k.profile).imageLifecycle === 'B' && entry(k.bpf.images, image).callOrig;
}

/** __bpf_tramp_image_put_rcu_tasks() and what follows it, to __bpf_tramp_image_put_deferred(). */
export const freeWhenUnused = routine<BpfWorld, ImageArgs>(
  '__bpf_tramp_image_put',
  ({ when, wait, step, call }) => [
    when(
      'it calls the original',
      (k, { image }) => entry(k.bpf.images, image).callOrig,
      [
        // A task in the first instructions has not taken its reference yet.
        wait('rcu_tasks'),
        // From here on the counter is exact: no task can enter the image any more.
        step('kill the reference counter', (k, { image }) => {
          entry(k.bpf.images, image).killed = true;
        }),
        wait('percpu_ref', (k, { image }) => entry(k.bpf.images, image).refs === 0),
        // The last instructions run after __bpf_tramp_exit() has dropped the reference.
        wait('rcu_tasks'),
      ],
      [wait('rcu_tasks_trace'), wait('rcu_tasks')],
    ),
    // arch_free_bpf_trampoline() may sleep, an RCU callback must not.
    wait('workqueue'),
    call(freeImage, (_, { image }) => ({ image })),
  ],
);

/**
 * bpf_tramp_image_free(), and since generation C the image's reference on its trampoline. A shared image is found
 * through its owner.
 */
const freeImage = routine<BpfWorld, ImageArgs, ImageArgs & { target: FunctionName; owner: string }>(
  'bpf_tramp_image_free',
  ({ step, when, holding, call }) => [
    step('find the trampoline', (k, locals) => {
      const { target, owner } = entry(k.bpf.images, locals.image);
      locals.target = target;
      if (owner !== undefined) locals.owner = owner;
    }),
    when(
      'its trampoline knows it',
      (k, locals) => holdsTrampoline(k, locals),
      [
        holding(
          (k, { target }) => trLock(k, target),
          [
            step('leave the list of images', (k, { image, target }) => {
              const tr = trOf(k, target);
              tr.images = tr.images.filter((name) => name !== image);
            }),
          ],
        ),
        step('free the image', free),
        call(bpfTrampolinePut, (_, { target }) => ({ target })),
      ],
      [
        when(
          'programs are skipped in it',
          (k, locals) => 'owner' in locals && profileNamed(k.profile).imageLifecycle === 'C',
          [holding((_, { owner }) => ownerLock(owner), [step('free the image', free)])],
          [step('free the image', free)],
        ),
      ],
    ),
  ],
);

/** The lock of a trampoline that many functions share. */
export function ownerLock(owner: string): string {
  return `mutex of ${owner}`;
}

/** Generation C: the image is in the list of its trampoline. */
function holdsTrampoline(k: BpfView, { image, target }: ImageArgs & { target: FunctionName }): boolean {
  return k.bpf.trampolines[target]?.images.includes(image) === true;
}

function free(k: BpfWorld, { image }: ImageArgs): void {
  freeImageMemory(k, image);
}

/** An image that was never reachable is freed at once. */
export const discardImage = routine<BpfWorld, ImageArgs>('bpf_tramp_image_free (unused)', ({ step }) => [
  step('free the image', free),
]);

interface SkipArgs {
  /** The images of its trampoline that are not freed yet. */
  images: readonly ImageId[];
  prog: ProgId;
}

interface SkipLocals extends SkipArgs {
  poke: PokeArgs;
}

/**
 * bpf_trampoline_skip_prog() (generation C): a program that is detached is jumped over in every image that still
 * exists, so that it can be freed while tasks are in them.
 */
export const bpfTrampolineSkipProg = routine<BpfWorld, SkipArgs, SkipLocals>(
  'bpf_trampoline_skip_prog',
  ({ each, call, step }) => [
    each(
      'place of the program',
      skipsOf,
      (locals, poke) => {
        locals.poke = poke;
      },
      [
        call(
          bpfArchTextPoke,
          (_, { poke }) => poke,
          (k, _, errno) => {
            if (errno !== 0) warn(k, { is: 'program not skipped' });
          },
        ),
      ],
    ),
    step('forget its places', (k, { images, prog }) => {
      for (const image of images.map((name) => entry(k.bpf.images, name)))
        image.patchPoints = image.patchPoints.filter(({ program }) => program !== prog);
    }),
  ],
);

/** The nops before the program, in all images of its trampoline that are not freed. */
function skipsOf(k: BpfView, { images, prog }: SkipLocals): PokeArgs[] {
  return images.flatMap((image) =>
    entry(k.bpf.images, image)
      .patchPoints.filter(({ program }) => program === prog)
      .map((point) => patchOf(k, image, point)),
  );
}
