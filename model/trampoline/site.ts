import type { Errno } from '../core/errno.ts';
import type { FunctionName, ImageId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { modulePut, tryModuleGet } from '../text/module.ts';
import { branchAtSite, NOP5, siteOf } from '../text/text.ts';
import { addressOfImage, modifyDirect, registerDirect, unregisterDirect } from './direct-site.ts';
import { enteredByJmp } from './flags.ts';
import { bpfArchTextPoke, bpfTrampImagePut } from './image-lifecycle.ts';
import { trOf } from './trampoline.ts';
import type { BpfView, BpfWorld } from './world.ts';

/*
 * Pointing a call site at an image: register_fentry(), modify_fentry(), unregister_fentry() in
 * kernel/bpf/trampoline.c. A site that ftrace manages is changed through its direct call, any other by
 * bpf_arch_text_poke(). A multi link only notes the change and has all of its sites changed together.
 *
 * ```text
 *   register_fentry()     nop5       -> image     cur_image is set afterwards
 *   modify_fentry()       old image  -> image     the old image is put afterwards
 *   unregister_fentry()   image      -> nop5      6.1, 6.12: the image is put even if that failed
 * ```
 *
 * The caller holds the trampoline's lock.
 */

interface SiteArgs {
  target: FunctionName;
  image: ImageId;
  multi: string;
  /** The target's module is held (6.1). */
  held?: boolean;
}

/** ftrace_location(): the entry of a BPF program is unknown to ftrace. */
function isFtraceSite(k: BpfView, target: FunctionName): boolean {
  return k.ftrace.records[target] !== undefined;
}

/** The instruction of a site that ftrace does not manage. */
function pokeTo(k: BpfView, target: FunctionName, image: ImageId, jmp: boolean): string {
  return image === '' ? NOP5 : branchAtSite(k, target, jmp ? 'e9' : 'e8', image);
}

/**
 * register_fentry(): the first image of a target. 6.1 takes a reference on the module here
 * (bpf_trampoline_module_get()) and drops it with the image; later kernels hold the module as long as the program
 * is loaded.
 */
export const registerFentry = routine<BpfWorld, SiteArgs>('register_fentry', (words) => {
  const { step, refuse, when, attempt } = words;
  return [
    step('check ftrace_location()', (k, { target }) => {
      if (isFtraceSite(k, target)) trOf(k, target).ftraceManaged = true;
    }),
    when('the image holds the module', imageHolds, [
      // Before the site: once it is patched, the module's text calls the image.
      step('bpf_trampoline_module_get', (k, locals) => {
        locals.held = tryModuleGet(k, [locals.target]);
      }),
      refuse('ENOENT', 'its module is going', (_, { held }) => held === false),
    ]),
    attempt(leadToImage(words), [
      when('the image holds the module', imageHolds, [
        step('bpf_trampoline_module_put', (k, { target }) => modulePut(k, [target])),
      ]),
    ]),
    // Last: a failure above leaves `cur_image` NULL, and the next update registers again.
    step('switch to the image', (k, { target, image }) => {
      trOf(k, target).curImage = image;
    }),
  ];
});

/** 6.1: the module is held as long as an image is attached. */
function imageHolds({ profile }: BpfView): boolean {
  return profileNamed(profile).moduleHeldBy === 'image';
}

/** The direct call, the text poke, or a note for the multi link. */
function leadToImage({ when, step, call }: RoutineWords<BpfWorld, SiteArgs>): Part[] {
  return [
    when(
      'a multi link',
      (_, { multi }) => multi !== '',
      [
        step('note the site', (k, { target, image, multi }) => {
          entry(k.bpf.links, multi).reg[target] = addressOfImage(k, target, image);
        }),
      ],
      [
        when(
          'ftrace manages the site',
          (k, { target }) => trOf(k, target).ftraceManaged,
          [call(registerDirect, (_, { target, image }) => ({ target, image }))],
          [
            call(bpfArchTextPoke, (k, { target, image }) => ({
              place: siteOf(target),
              from: NOP5,
              to: pokeTo(k, target, image, enteredByJmp(trOf(k, target).flags)),
            })),
          ],
        ),
      ],
    ),
  ];
}

interface ModifyArgs extends SiteArgs {
  lockDirectMutex: boolean;
}

/** modify_fentry(): from one image to the next. The old one is put when no call site calls it any more. */
export const modifyFentry = routine<BpfWorld, ModifyArgs, ModifyArgs & { old: string }>(
  'modify_fentry',
  ({ step, when, call, finish }) => [
    when('a multi link', (_, { multi }) => multi !== '', [
      step('note the site', (k, { target, image, multi }) => {
        entry(k.bpf.links, multi).modify[target] = addressOfImage(k, target, image);
        trOf(k, target).curImage = image;
      }),
    ]),
    finish('a multi link', (_, { multi }) => multi !== ''),
    when(
      'ftrace manages the site',
      (k, { target }) => trOf(k, target).ftraceManaged,
      [call(modifyDirect, (_, { target, image, lockDirectMutex }) => ({ target, image, lockDirectMutex }))],
      [
        call(bpfArchTextPoke, (k, { target, image }) => {
          const { curImage, flags } = trOf(k, target);
          return {
            place: siteOf(target),
            from: pokeTo(k, target, curImage, entry(k.bpf.images, curImage).jmp),
            to: pokeTo(k, target, image, enteredByJmp(flags)),
          };
        }),
      ],
    ),
    step('switch to the image', (k, locals) => {
      const tr = trOf(k, locals.target);
      locals.old = tr.curImage;
      tr.curImage = locals.image;
    }),
    call(bpfTrampImagePut, (_, { old }) => ({ image: old })),
  ],
);

/**
 * unregister_fentry(): the last program is detached. 6.1 and 6.12 put the image even when the call site could not
 * be changed: the site then calls freed memory. 7.2 keeps the image and returns the error.
 */
export const unregisterFentry = routine<BpfWorld, SiteArgs, SiteArgs & { errno: Errno | 0 }>(
  'unregister_fentry',
  ({ step, when, call, finish, refuseWith }) => [
    when('a multi link', (_, { multi }) => multi !== '', [
      step('note the site', (k, { target, image, multi }) => {
        entry(k.bpf.links, multi).unreg[target] = addressOfImage(k, target, image);
        trOf(k, target).curImage = '';
      }),
    ]),
    finish('a multi link', (_, { multi }) => multi !== ''),
    when(
      'ftrace manages the site',
      (k, { target }) => trOf(k, target).ftraceManaged,
      [call(unregisterDirect, (_, { target, image }) => ({ target, image }), keepErrno)],
      [call(bpfArchTextPoke, toNop, keepErrno)],
    ),
    when('the image holds the module', (k, { errno }) => errno === 0 && imageHolds(k), [
      step('bpf_trampoline_module_put', (k, { target }) => modulePut(k, [target])),
    ]),
    refuseWith(
      ['ENODEV', 'EINVAL', 'EBUSY', 'ENOMEM'],
      'the call site still calls the image',
      (k, { errno }) =>
        errno === 0 || !profileNamed(k.profile).imageKeptIfUnregisterFails ? undefined : errno,
    ),
    call(bpfTrampImagePut, (_, { image }) => ({ image })),
    step('no image is left', dropImage),
    refuseWith(['ENODEV', 'EINVAL', 'EBUSY'], 'the call site could not be changed', (_, { errno }) =>
      errno === 0 ? undefined : errno,
    ),
  ],
);

function dropImage(k: BpfWorld, { target }: SiteArgs): void {
  trOf(k, target).curImage = '';
}

function toNop(k: BpfView, { target, image }: SiteArgs) {
  const from = pokeTo(k, target, image, entry(k.bpf.images, image).jmp);
  return { place: siteOf(target), from, to: NOP5 };
}

function keepErrno(_: BpfView, locals: { errno?: Errno | 0 }, errno: Errno | 0): void {
  locals.errno = errno;
}
