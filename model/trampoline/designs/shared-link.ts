import type { Errno } from '../../core/errno.ts';
import type { CodeName, ImageId, OpsId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { entry } from '../../core/present.ts';
import { profileNamed } from '../../core/profile.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { registerFtraceDirect, unregisterFtraceDirect } from '../../ftrace/direct.ts';
import { modifyFtraceDirect } from '../../ftrace/direct-modify.ts';
import { bpfTrampImagePut, bpfTrampolineSkipProg, discardImage, ownerLock } from '../image-lifecycle.ts';
import { linkCount } from '../program.ts';
import { programsOf } from '../update.ts';
import type { BpfView, BpfWorld, TrampNode } from '../world.ts';
import { counted } from './count.ts';
import { makeSharedImage, sharedOf } from './shared-image.ts';

/*
 * bpf_trampoline_link_prog(), bpf_trampoline_unlink_prog() and bpf_trampoline_update() of a trampoline that many
 * functions share: all are in the filter of its ops, and one change of ftrace moves them to the next image. The
 * trampoline's own mutex is held.
 */

/** The ops whose functions call a shared trampoline's image. */
export function opsOfShared(name: string): string {
  return `${name}.ops`;
}

/** The name of a shared trampoline. */
interface SharedArgs {
  /** The shared trampoline. */
  name: string;
}

/**
 * An update between its steps: `image` is the new one, `old` the one that sites call now; `generated` and
 * `errno` are the answers of the JIT and of ftrace, kept while the image is discarded.
 */
interface UpdateLocals extends SharedArgs {
  image: ImageId;
  old: string;
  generated: Errno | 0;
  errno: Errno | 0;
}

/** bpf_trampoline_update(): a new image for the attached programs, for all call sites at once. */
const updateShared = routine<BpfWorld, SharedArgs, UpdateLocals>(
  'bpf_trampoline_update (shared)',
  (words) => {
    const { allocate, step, when, call, finish, refuseWith } = words;
    return [
      allocate('the list of programs'),
      when('no program is left', hasNoProgram, leaveImage(words)),
      finish('no program is left', hasNoProgram),
      allocate('the image'),
      step('generate the image', (k, locals) => {
        const made = makeSharedImage(k, locals.name);
        locals.generated = 'refused' in made ? made.refused : 0;
        if ('image' in made) locals.image = made.image;
      }),
      refuseWith(['ENOTSUPP', 'EFAULT', 'EINVAL'], 'the image cannot be generated', (_, { generated }) =>
        generated === 0 ? undefined : generated,
      ),
      when(
        'programs run there already',
        (k, { name }) => sharedOf(k, name).curImage !== '',
        [call(modifyFtraceDirect, (_, { name, image }) => directOf(name, image), keepErrno)],
        [call(registerFtraceDirect, (_, { name, image }) => directOf(name, image), keepErrno)],
      ),
      when('it failed', (_, { errno }) => errno !== 0, [call(discardImage, (_, { image }) => ({ image }))]),
      refuseWith(
        ['EBUSY', 'EINVAL', 'ENODEV', 'ENOMEM'],
        'the call sites cannot be pointed at the image',
        (_, { errno }) => (errno === 0 ? undefined : errno),
      ),
      // All call sites call it already: ftrace has changed them together.
      step('switch to the image', (k, locals) => {
        const tr = sharedOf(k, locals.name);
        locals.old = tr.curImage;
        tr.curImage = locals.image;
      }),
      when('there was another', (_, { old }) => old !== '', [
        call(bpfTrampImagePut, (_, { old }) => ({ image: old })),
      ]),
    ];
  },
);

/**
 * The last program is detached. The image is put even when the call sites could not be changed, as in
 * bpf_trampoline_update() up to 6.12: sites may then call an image that is freed after its grace periods.
 */
function leaveImage({ call, step, refuseWith }: RoutineWords<BpfWorld, UpdateLocals>): Part[] {
  return [
    call(
      unregisterFtraceDirect,
      (k, { name }) => ({ ...directOf(name, sharedOf(k, name).curImage), freeFilters: false }),
      keepErrno,
    ),
    call(bpfTrampImagePut, (k, { name }) => ({ image: sharedOf(k, name).curImage })),
    step('no image is left', (k, { name }) => {
      sharedOf(k, name).curImage = '';
    }),
    refuseWith(['ENODEV', 'EINVAL', 'EBUSY'], 'the call sites could not be changed', (_, { errno }) =>
      errno === 0 ? undefined : errno,
    ),
  ];
}

function hasNoProgram(k: BpfView, { name }: SharedArgs): boolean {
  return sharedOf(k, name).nodes.length === 0;
}

/** The direct call of all of its functions. */
function directOf(name: string, addr: CodeName): { ops: OpsId; addr: CodeName } {
  return { ops: opsOfShared(name), addr };
}

function keepErrno(_: BpfView, locals: UpdateLocals, errno: Errno | 0): void {
  locals.errno = errno;
}

/** A program, and the shared trampoline that it is linked to. */
interface NodeArgs extends SharedArgs {
  node: TrampNode;
}

/**
 * bpf_trampoline_link_prog(), with the checks in its order: E2BIG for the limit of the image, EBUSY for a
 * program that is in a list already. The program is in the list before the image is generated from it, and
 * leaves it on any failure.
 */
export const linkShared = routine<BpfWorld, NodeArgs>(
  'bpf_trampoline_link_prog (shared)',
  ({ holding, refuse, step, attempt, call }) => [
    holding(
      (_, { name }) => ownerLock(name),
      [
        refuse('E2BIG', 'too many programs', (k, { name, node }) => {
          const count = linkCount(programsOf(k, [...sharedOf(k, name).nodes, node]));
          return count > profileNamed(k.profile).linksMax;
        }),
        refuse('EBUSY', 'the program is attached there', (k, { name, node }) =>
          sharedOf(k, name).nodes.some(({ prog }) => prog === node.prog),
        ),
        step('enter the list', (k, { name, node }) => {
          sharedOf(k, name).nodes.push(node);
          entry(k.bpf.progs, node.prog).trampLinked = true;
        }),
        attempt(
          [call(updateShared, (_, { name }) => ({ name }))],
          [call(removeShared, (_, { name, node }) => ({ name, node }))],
        ),
      ],
    ),
  ],
);

/**
 * bpf_trampoline_unlink_prog(): the program is removed first, whatever becomes of the image. If the update is
 * refused, the sites keep an image with the program in it, which only generation C can skip.
 */
export const unlinkShared = routine<BpfWorld, NodeArgs>(
  'bpf_trampoline_unlink_prog (shared)',
  ({ holding, call }) => [
    holding(
      (_, { name }) => ownerLock(name),
      [
        call(removeShared, (_, { name, node }) => ({ name, node })),
        call(updateShared, (_, { name }) => ({ name })),
      ],
    ),
  ],
);

/**
 * bpf_trampoline_remove_prog(): out of the list; since generation C also skipped in every image of the
 * trampoline.
 */
const removeShared = routine<BpfWorld, NodeArgs>(
  'bpf_trampoline_remove_prog (shared)',
  ({ step, when, call }) => [
    step('leave the list', (k, { name, node }) => {
      const tr = sharedOf(k, name);
      tr.nodes = tr.nodes.filter(({ link }) => link !== node.link);
    }),
    // Draining images too: a task may sleep in one for a long time and would still enter the program.
    when('images skip the program', (k) => profileNamed(k.profile).imageLifecycle === 'C', [
      call(bpfTrampolineSkipProg, (k, { name, node }) => ({
        images: Object.keys(k.bpf.images).filter((image) => entry(k.bpf.images, image).owner === name),
        prog: node.prog,
      })),
    ]),
  ],
);

/** One image, whatever the number of functions: the point of these designs. */
export const SHARED_COUNTS = [
  counted<{ image?: ImageId }>(
    'bpf_trampoline_update (shared)',
    'the image cannot be generated',
    (k, { image }) =>
      image === undefined ? {} : { images: 1, imageBytes: entry(k.text.pages, image).bytes.length / 2 },
  ),
];
