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
 * How a call site is led to an image: register_fentry(), modify_fentry(), unregister_fentry() in
 * kernel/bpf/trampoline.c. A site that ftrace manages is changed by its direct calls, another by a poke of its own. A
 * multi link only notes what it wants and has all its sites changed together.
 */

interface SiteArgs {
  target: FunctionName;
  image: ImageId;
  multi: string;
  /** The target's module is held. */
  held?: boolean;
}

function isFtraceSite(k: BpfView, target: FunctionName): boolean {
  return k.ftrace.records[target] !== undefined;
}

function pokeTo(k: BpfView, target: FunctionName, image: ImageId, jmp: boolean): string {
  return image === '' ? NOP5 : branchAtSite(k, target, jmp ? 'e9' : 'e8', image);
}

/** register_fentry(): the first image of a target. */
export const registerFentry = routine<BpfWorld, SiteArgs>('register_fentry', (words) => {
  const { step, refuse, when, attempt } = words;
  return [
    step('note who manages the site', (k, { target }) => {
      if (isFtraceSite(k, target)) trOf(k, target).ftraceManaged = true;
    }),
    when('the image holds the module', imageHolds, [
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
    step('switch to the image', (k, { target, image }) => {
      trOf(k, target).curImage = image;
    }),
  ];
});

function imageHolds({ profile }: BpfView): boolean {
  return profileNamed(profile).moduleHeldBy === 'image';
}

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

/** modify_fentry(): from one image to the next. The old one is put when no call site leads there. */
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
 * unregister_fentry(): the last program has left. Before 7.x the image is put even when the call site could not be
 * changed.
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
      [
        call(
          bpfArchTextPoke,
          (k, { target, image }) => ({
            place: siteOf(target),
            from: pokeTo(k, target, image, entry(k.bpf.images, image).jmp),
            to: NOP5,
          }),
          keepErrno,
        ),
      ],
    ),
    when('the image holds the module', (k, { errno }) => errno === 0 && imageHolds(k), [
      step('bpf_trampoline_module_put', (k, { target }) => modulePut(k, [target])),
    ]),
    refuseWith(['ENODEV', 'EINVAL', 'EBUSY'], 'the call site still leads to the image', (k, { errno }) =>
      errno === 0 || !profileNamed(k.profile).imageKeptIfUnregisterFails ? undefined : errno,
    ),
    call(bpfTrampImagePut, (_, { image }) => ({ image })),
    step('no image is left', (k, { target }) => {
      trOf(k, target).curImage = '';
    }),
    refuseWith(['ENODEV', 'EINVAL', 'EBUSY'], 'the call site could not be changed', (_, { errno }) =>
      errno === 0 ? undefined : errno,
    ),
  ],
);

function keepErrno(_: BpfView, locals: { errno?: Errno | 0 }, errno: Errno | 0): void {
  locals.errno = errno;
}
