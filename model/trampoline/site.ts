import type { Errno } from '../core/errno.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import {
  modifyFtraceDirect,
  modifyFtraceDirectNolock,
  registerFtraceDirect,
  unregisterFtraceDirect,
} from '../ftrace/direct.ts';
import {
  updateFtraceDirectAdd,
  updateFtraceDirectDel,
  updateFtraceDirectMod,
} from '../ftrace/direct-hash.ts';
import { ftraceJmpSet } from '../ftrace/jmp.ts';
import { ftraceSetFilterIp } from '../ftrace/set-filter.ts';
import { branchAtSite, NOP5, siteOf } from '../text/text.ts';
import { enteredByJmp } from './flags.ts';
import { bpfArchTextPoke, bpfTrampImagePut } from './image-lifecycle.ts';
import { fopsOf, trOf } from './trampoline.ts';
import type { BpfWorld } from './world.ts';

/*
 * How a call site is led to an image: register_fentry(), modify_fentry(), unregister_fentry() in
 * kernel/bpf/trampoline.c. A site that ftrace manages is changed by its direct calls, another by a poke of its own. A
 * multi link only notes what it wants and has all its sites changed together.
 */

interface SiteArgs {
  target: string;
  image: string;
  multi: string;
}

/** The address of an image as ftrace takes it: marked when it is to be jumped to. */
function addressOfImage(k: BpfWorld, target: string, image: string): string {
  return enteredByJmp(trOf(k, target).flags) ? ftraceJmpSet(image) : image;
}

function isFtraceSite(k: BpfWorld, target: string): boolean {
  return k.ftrace.records[target] !== undefined;
}

function pokeTo(k: BpfWorld, target: string, image: string, jmp: boolean): string {
  return image === '' ? NOP5 : branchAtSite(k, target, jmp ? 'e9' : 'e8', image);
}

/** register_fentry(): the first image of a target. */
export const registerFentry = routine<BpfWorld, SiteArgs>('register_fentry', ({ step, when, call }) => [
  step('note who manages the site', (k, { target }) => {
    if (isFtraceSite(k, target)) trOf(k, target).ftraceManaged = true;
  }),
  when(
    'a multi link',
    (_, { multi }) => multi !== '',
    [
      step('note the site', (k, { target, image, multi }) => {
        k.bpf.links[multi]!.reg[target] = addressOfImage(k, target, image);
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
  step('switch to the image', (k, { target, image }) => {
    trOf(k, target).curImage = image;
  }),
]);

/** A direct call for the site, by the interface that the kernel has. */
const registerDirect = routine<BpfWorld, { target: string; image: string; errno?: Errno | 0 }>(
  'direct_ops_add',
  ({ when, call, refuseWith }) => [
    when(
      'a table of sites',
      (k) => profileNamed(k.profile).singleDirectOps,
      [
        call(updateFtraceDirectAdd, (k, { target, image }) => ({
          ops: fopsOf(k, target),
          hash: { [target]: addressOfImage(k, target, image) },
        })),
      ],
      [
        call(
          ftraceSetFilterIp,
          (k, { target }) => ({ ops: fopsOf(k, target), ip: target, remove: false, reset: true }),
          (_, at, errno) => {
            at.errno = errno;
          },
        ),
        refuseWith(['ENOMEM', 'ENODEV', 'EINVAL', 'EBUSY'], 'the filter cannot be set', (k, { errno }) =>
          errno === 0 || profileNamed(k.profile).bpfIgnoresFilterErrors ? undefined : errno,
        ),
        call(registerFtraceDirect, (k, { target, image }) => ({ ops: fopsOf(k, target), addr: image })),
      ],
    ),
  ],
);

interface ModifyArgs extends SiteArgs {
  lockDirectMutex: boolean;
}

/** modify_fentry(): from one image to the next. The old one is put when no call site leads there. */
export const modifyFentry = routine<BpfWorld, ModifyArgs & { old?: string }>(
  'modify_fentry',
  ({ step, when, call, finish }) => [
    when('a multi link', (_, { multi }) => multi !== '', [
      step('note the site', (k, { target, image, multi }) => {
        k.bpf.links[multi]!.modify[target] = addressOfImage(k, target, image);
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
            from: pokeTo(k, target, curImage, k.bpf.images[curImage]!.jmp),
            to: pokeTo(k, target, image, enteredByJmp(flags)),
          };
        }),
      ],
    ),
    step('switch to the image', (k, at) => {
      const tr = trOf(k, at.target);
      at.old = tr.curImage;
      tr.curImage = at.image;
    }),
    call(bpfTrampImagePut, (_, { old }) => ({ image: old! })),
  ],
);

const modifyDirect = routine<BpfWorld, { target: string; image: string; lockDirectMutex: boolean }>(
  'direct_ops_mod',
  ({ when, call }) => [
    when(
      'a table of sites',
      (k) => profileNamed(k.profile).singleDirectOps,
      [
        call(updateFtraceDirectMod, (k, { target, image, lockDirectMutex }) => ({
          ops: fopsOf(k, target),
          hash: { [target]: addressOfImage(k, target, image) },
          lockDirectMutex,
        })),
      ],
      [
        when(
          'direct_mutex is not held',
          (_, { lockDirectMutex }) => lockDirectMutex,
          [call(modifyFtraceDirect, (k, { target, image }) => ({ ops: fopsOf(k, target), addr: image }))],
          [
            call(modifyFtraceDirectNolock, (k, { target, image }) => ({
              ops: fopsOf(k, target),
              addr: image,
            })),
          ],
        ),
      ],
    ),
  ],
);

/**
 * unregister_fentry(): the last program has left. Before 7.x the image is put even when the call site could not be
 * changed.
 */
export const unregisterFentry = routine<BpfWorld, SiteArgs & { errno?: Errno | 0 }>(
  'unregister_fentry',
  ({ step, when, call, finish, refuseWith }) => [
    when('a multi link', (_, { multi }) => multi !== '', [
      step('note the site', (k, { target, image, multi }) => {
        k.bpf.links[multi]!.unreg[target] = addressOfImage(k, target, image);
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
            from: pokeTo(k, target, image, k.bpf.images[image]!.jmp),
            to: NOP5,
          }),
          keepErrno,
        ),
      ],
    ),
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

function keepErrno(_: BpfWorld, at: { errno?: Errno | 0 }, errno: Errno | 0): void {
  at.errno = errno;
}

const unregisterDirect = routine<BpfWorld, { target: string; image: string }>(
  'direct_ops_del',
  ({ when, call }) => [
    when(
      'a table of sites',
      (k) => profileNamed(k.profile).singleDirectOps,
      [
        call(updateFtraceDirectDel, (k, { target, image }) => ({
          ops: fopsOf(k, target),
          hash: { [target]: addressOfImage(k, target, image) },
        })),
      ],
      [
        call(unregisterFtraceDirect, (k, { target, image }) => ({
          ops: fopsOf(k, target),
          addr: image,
          freeFilters: false,
        })),
      ],
    ),
  ],
);
