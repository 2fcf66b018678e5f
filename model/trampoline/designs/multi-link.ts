import type { Errno } from '../../core/errno.ts';
import type { ImageId, ProgId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { entry, present } from '../../core/present.ts';
import { profileNamed } from '../../core/profile.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { bpfTrampImagePut, bpfTrampolineSkipProg, discardImage, ownerLock } from '../image-lifecycle.ts';
import { makeImage } from '../make-image.ts';
import { linkCount } from '../program.ts';
import { knownFunction } from '../traced-function.ts';
import { programsOf } from '../update.ts';
import type { BpfView, BpfWorld, TrampNode } from '../world.ts';
import { counted } from './count.ts';
import { modifyMulti, registerMulti, unregisterSites } from './multi-sites.ts';
import type { TrArgs } from './multi-trampoline.ts';
import { isUsedImage, multiOf, multisOf } from './multi-trampoline.ts';
import type { Ids } from './partition.ts';

/*
 * bpf_trampoline_link_prog(), bpf_trampoline_unlink_prog() and bpf_trampoline_update() of a trampoline of several
 * functions, `multi_mutex` held. They mirror the kernel's routines for one function (`../link.ts`,
 * `../update.ts`); the differences are what an image for several functions needs:
 *
 * ```text
 *   original    called through the return address on the stack, as the image does not know its function
 *   image       shared by the parts of a split until one of them changes; put with its last user
 *   skipping    (generation C) in every image that one of the functions may still be in
 * ```
 */

/** An update between its steps: the new image, the previous one. */
interface UpdateLocals extends TrArgs {
  image: ImageId;
  generated: Errno | 0;
  old: string;
  errno: Errno | 0;
}

/** bpf_trampoline_update(): an image for the attached programs, and one change of ftrace for all sites. */
export const updateMulti = routine<BpfWorld, TrArgs, UpdateLocals>(
  'bpf_trampoline_update (multi)',
  (words) => {
    const { allocate, step, when, finish, call, attempt, refuseWith } = words;
    return [
      allocate('the list of programs'),
      when('no program is left', hasNoProgram, [call(unregisterMulti, (_, { tr }) => ({ tr }))]),
      finish('no program is left', hasNoProgram),
      allocate('the image'),
      step('generate the image', generateImage),
      refuseWith(['ENOTSUPP', 'EFAULT', 'EINVAL'], 'the image cannot be generated', (_, { generated }) =>
        generated === 0 ? undefined : generated,
      ),
      attempt(
        [
          when(
            'programs run there already',
            (k, { tr }) => multiOf(k, tr).image !== '',
            [call(modifyMulti, (_, { tr, image }) => ({ tr, image }))],
            [call(registerMulti, (_, { tr, image }) => ({ tr, image }))],
          ),
        ],
        [call(discardImage, (_, { image }) => ({ image }))],
      ),
      // All sites call it already.
      step('switch to the image', (k, locals) => {
        const tr = multiOf(k, locals.tr);
        locals.old = tr.image;
        tr.image = locals.image;
      }),
      putUnused(words),
    ];
  },
);

/** All of its functions have the same arguments: any signature of them will do (`BPF_TRAMP_F_ORIG_STACK`). */
function generateImage(k: BpfWorld, locals: UpdateLocals): void {
  const { ids, nodes, serial } = multiOf(k, locals.tr);
  const made = makeImage(k, {
    target: '',
    owner: locals.tr,
    serial,
    signature: signatureOf(k, ids),
    programs: programsOf(k, nodes),
    sticky: { shareIpmodify: true, tailCallCtx: false },
  });
  locals.generated = 'refused' in made ? made.refused : 0;
  if ('image' in made) locals.image = made.image;
}

/** Of the first function; `btf_distill_func_proto()` of any other would give the same slots. */
function signatureOf(k: BpfView, [first]: Ids) {
  return knownFunction(k.functions, present(first, 'function of the trampoline')).signature;
}

/** An empty list means that the sites become nops: no image is made for no program. */
function hasNoProgram(k: BpfView, { tr }: TrArgs): boolean {
  return multiOf(k, tr).nodes.length === 0;
}

/** The previous image is put, unless another trampoline still uses it. */
function putUnused({ when, call }: RoutineWords<BpfWorld, UpdateLocals>): Part {
  return when('the old image is unused', (k, { old }) => old !== '' && !isUsedImage(k, old), [
    call(bpfTrampImagePut, (_, { old }) => ({ image: old })),
  ]);
}

/** bpf_trampoline_unregister(): no direct calls. The image is put whatever ftrace answers. */
export const unregisterMulti = routine<BpfWorld, TrArgs, UpdateLocals>(
  'bpf_trampoline_unregister',
  (words) => {
    const { finish, step, call, refuseWith } = words;
    return [
      finish('no site calls it', (k, { tr }) => multiOf(k, tr).image === ''),
      call(
        unregisterSites,
        (_, { tr }) => ({ tr }),
        (_, locals, errno) => {
          locals.errno = errno;
        },
      ),
      step('no image is left', (k, locals) => {
        const tr = multiOf(k, locals.tr);
        locals.old = tr.image;
        tr.image = '';
      }),
      putUnused(words),
      refuseWith(
        ['EINVAL', 'ENODEV', 'EBUSY', 'ENOMEM'],
        'the call sites could not be changed',
        (_, { errno }) => (errno === 0 ? undefined : errno),
      ),
    ];
  },
);

interface NodeArgs extends TrArgs {
  node: TrampNode;
}

/** bpf_trampoline_link_prog(): the program is in the list before the image is generated. */
export const linkMulti = routine<BpfWorld, NodeArgs>(
  'bpf_trampoline_link_prog (multi)',
  ({ refuse, step, attempt, call }) => [
    refuse('E2BIG', 'too many programs', (k, { tr, node }) => {
      const programs = [...multiOf(k, tr).nodes, node].map(({ prog }) => entry(k.bpf.progs, prog).program);
      return linkCount(programs) > profileNamed(k.profile).linksMax;
    }),
    // The image is generated from the list.
    step('enter the list', (k, { tr, node }) => {
      multiOf(k, tr).nodes.push(node);
      entry(k.bpf.progs, node.prog).trampLinked = true;
    }),
    attempt(
      [call(updateMulti, (_, { tr }) => ({ tr }))],
      [call(removeMulti, (_, { tr, node }) => ({ tr, node }))],
    ),
  ],
);

/** bpf_trampoline_unlink_prog(): the program is removed first, whatever becomes of the image. */
export const unlinkMulti = routine<BpfWorld, NodeArgs>('bpf_trampoline_unlink_prog (multi)', ({ call }) => [
  call(removeMulti, (_, { tr, node }) => ({ tr, node })),
  call(updateMulti, (_, { tr }) => ({ tr })),
]);

/**
 * bpf_trampoline_remove_prog(): out of the list; since generation C also skipped in every image of its functions.
 */
const removeMulti = routine<BpfWorld, NodeArgs>('bpf_trampoline_remove_prog (multi)', ({ step, call }) => [
  step('leave the list', (k, { tr: name, node }) => {
    const tr = multiOf(k, name);
    tr.nodes = tr.nodes.filter(({ link }) => link !== node.link);
  }),
  call(skipInShared, (k, { tr, node }) => ({ prog: node.prog, serial: multiOf(k, tr).serial })),
]);

/** A program that is detached, and the trampoline that it leaves. */
interface SkipArgs {
  prog: ProgId;
  /** The serial of the trampoline; absent: a trampoline of one function, which may have been part of a set. */
  serial?: number;
}

/**
 * Since generation C a detached program is jumped over in the images of several functions that a task may be in:
 * those of all parts of one former trampoline, except the one that a part with the program still calls; or, where
 * it is detached from a single function, those that no site calls any more.
 */
export const skipInShared = routine<BpfWorld, SkipArgs, SkipArgs & { image: ImageId }>(
  'bpf_trampoline_skip_prog (multi)',
  ({ finish, when, each, holding, call }) => [
    finish('images do not skip', (k) => profileNamed(k.profile).imageLifecycle !== 'C'),
    each<string>('image', imagesOf, takeImage, [
      holding(
        (k, { image }) => ownerLock(k.bpf.images[image]?.owner ?? image),
        [
          when('it is there', (k, { image }) => k.bpf.images[image] !== undefined, [
            call(bpfTrampolineSkipProg, (_, { image, prog }) => ({ images: [image], prog })),
          ]),
        ],
      ),
    ]),
  ],
);

/** Images of several functions that may still call the program although it is detached there. */
function imagesOf(k: BpfView, { prog, serial }: SkipArgs): string[] {
  const kept = multisOf(k).flatMap(([, { nodes, image }]) =>
    nodes.some((node) => node.prog === prog) ? [image] : [],
  );
  return Object.keys(k.bpf.images).filter((image) => {
    const { owner, state, serial: ofImage } = entry(k.bpf.images, image);
    if (owner === undefined || kept.includes(image)) return false;
    return serial === undefined ? state === 'draining' : serial === ofImage;
  });
}

/**
 * One image of those that `imagesOf()` found; it may be freed before its turn, while the lock of another is
 * awaited.
 */
function takeImage(locals: { image: ImageId }, image: ImageId): void {
  locals.image = image;
}

/** An image is counted when it is generated, even if it is discarded afterwards. */
export const MULTI_COUNTS = [
  counted<{ image?: ImageId }>(
    'bpf_trampoline_update (multi)',
    'the image cannot be generated',
    (k, { image }) =>
      image === undefined ? {} : { images: 1, imageBytes: entry(k.text.pages, image).bytes.length / 2 },
  ),
];
