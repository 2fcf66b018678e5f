import type { Errno } from '../../core/errno.ts';
import { Oops } from '../../core/oops.ts';
import type { Part } from '../../core/part.ts';
import { profileNamed } from '../../core/profile.ts';
import type { Words } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { modifyFtraceDirect, registerFtraceDirect, unregisterFtraceDirect } from '../../ftrace/direct.ts';
import { updateFtraceDirectAdd, updateFtraceDirectDel } from '../../ftrace/direct-hash.ts';
import { updateFtraceDirectMod } from '../../ftrace/direct-hash-modify.ts';
import { freeOps } from '../../ftrace/filter-hash.ts';
import { isCoreOps } from '../../ftrace/ops.ts';
import { ftraceSetFilterIps } from '../../ftrace/set-filter.ts';
import { bpfTrampImagePut, bpfTrampolineSkipProg, discardImage, ownerLock } from '../image-lifecycle.ts';
import { makeImage } from '../make-image.ts';
import { linkCount } from '../program.ts';
import { functionNamed } from '../traced-function.ts';
import { programsOf } from '../update.ts';
import type { BpfWorld, TrampNode } from '../world.ts';
import { counted } from './count.ts';
import { designData } from './design.ts';
import type { Part as IdPart, Ids } from './partition.ts';

/*
 * A trampoline of several functions: what bpf_trampoline_update(), bpf_trampoline_link_prog() and the others do to it.
 */

/** `struct bpf_trampoline` with several functions of one signature, its programs and its one image. */
export interface MultiTrampoline extends IdPart {
  ids: Ids;
  /** In the order of their attachment. */
  nodes: TrampNode[];
  /** Empty: no site leads to it. Two trampolines that were one have it together until one of them changes. */
  image: string;
  /** The trampoline that it was split from, and those before that: a task may be in an image of theirs. */
  readonly lineage: string;
  /** The ops by which it makes its direct calls: one of its own, or `direct_ops`, which serves all (7.2). */
  readonly fops: string;
}

/** What designs with such trampolines keep, by the name of each. */
export interface MultiTrampolines {
  byName: Record<string, MultiTrampoline>;
}

/** Held for whatever is done to any of them. */
export const MULTI_MUTEX = 'multi_mutex';

/** The arguments of what is done to one of them. */
export interface TrArgs {
  tr: string;
}

/** A trampoline by name; whoever follows a pointer to one that has been freed crashes. */
export function multiOf(k: BpfWorld, name: string): MultiTrampoline {
  const tr = designData<MultiTrampolines>(k).byName[name];
  if (tr === undefined) throw new Oops('use after free', `${name} has been freed`);
  return tr;
}

/** All of them by name. */
export function multisOf(k: BpfWorld): [name: string, tr: MultiTrampoline][] {
  return Object.entries(designData<MultiTrampolines>(k).byName);
}

/**
 * The name of one with these functions: it is called after the first of them, which no other has, so that its name does
 * not depend on what was there before.
 */
export function multiNamed(ids: Ids): string {
  let first = ids[0]!;
  for (const id of ids) if (id < first) first = id;
  return `tr(${first}, …)`;
}

/** The lineage of a part of a trampoline. */
export function lineageOfPart(lineage: string, ids: Ids): string {
  return `${lineage}/${multiNamed(ids)}`;
}

/** A new one, without programs and image if nothing else is said. */
export function makeMulti(k: BpfWorld, ids: Ids, more: Partial<Omit<MultiTrampoline, 'ids'>> = {}): void {
  const fops = `${multiNamed(ids)}.fops`;
  const tr = { ids, nodes: [], image: '', lineage: multiNamed(ids), fops, ...more };
  designData<MultiTrampolines>(k).byName[multiNamed(ids)] = tr;
}

/** It is no more, and its ops neither. */
export function freeMulti(k: BpfWorld, name: string): void {
  const { fops } = multiOf(k, name);
  if (!isCoreOps(fops)) freeOps(k, fops);
  delete designData<MultiTrampolines>(k).byName[name];
}

interface UpdateArgs extends TrArgs {
  image?: string;
  generated?: Errno | 0;
  old?: string;
  errno?: Errno | 0;
}

/** bpf_trampoline_update(): an image for the programs that are attached now, and all sites led there. */
export const updateMulti = routine<BpfWorld, UpdateArgs>('bpf_trampoline_update (multi)', (words) => {
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
          [modifySites(words)],
          [call(registerMulti, (_, { tr, image }) => ({ tr, image: image! }))],
        ),
      ],
      [call(discardImage, (_, { image }) => ({ image: image! }))],
    ),
    step('switch to the image', (k, at) => {
      const tr = multiOf(k, at.tr);
      at.old = tr.image;
      tr.image = at.image!;
    }),
    putUnused(words),
  ];
});

/**
 * What one of its functions has, all have: one signature is as good as another. The original is called
 * through the stack (`BPF_TRAMP_F_ORIG_STACK`).
 */
function generateImage(k: BpfWorld, at: UpdateArgs): void {
  const { ids, nodes, lineage } = multiOf(k, at.tr);
  const made = makeImage(k, {
    target: '',
    owner: lineage,
    serial: k.bpf.imagesMade + 1,
    signature: signatureOf(k, ids),
    programs: programsOf(k, nodes),
    sticky: { shareIpmodify: true, tailCallCtx: false },
  });
  at.generated = 'refused' in made ? made.refused : 0;
  if ('image' in made) at.image = made.image;
}

function signatureOf(k: BpfWorld, [first]: Ids) {
  return functionNamed(k.functions, first!)!.signature;
}

function hasNoProgram(k: BpfWorld, { tr }: TrArgs): boolean {
  return multiOf(k, tr).nodes.length === 0;
}

/** The image that was there before is put, unless another trampoline has it still. */
function putUnused({ when, call }: Words<BpfWorld, UpdateArgs>): Part {
  return when(
    'nobody has the old image',
    (k, { old }) => old !== '' && !multisOf(k).some(([, { image }]) => image === old),
    [call(bpfTrampImagePut, (_, { old }) => ({ image: old! }))],
  );
}

/** Sites of a trampoline, and where they are to lead. */
interface SitesArgs extends TrArgs {
  image: string;
}

function hashOf(k: BpfWorld, { tr, image }: { tr: string; image?: string }): Record<string, string> {
  return Object.fromEntries(multiOf(k, tr).ids.map((id) => [id, image!]));
}

function fopsOf(k: BpfWorld, { tr }: TrArgs): string {
  return multiOf(k, tr).fops;
}

function isOneForAll(k: BpfWorld, at: TrArgs): boolean {
  return isCoreOps(fopsOf(k, at));
}

/** register_fentry(): all sites get a direct call. */
export const registerMulti = routine<BpfWorld, SitesArgs>('register_fentry (multi)', ({ when, call }) => [
  when(
    'one ops serves all',
    isOneForAll,
    [call(updateFtraceDirectAdd, (k, at) => ({ ops: fopsOf(k, at), hash: hashOf(k, at) }))],
    [
      call(ftraceSetFilterIps, (k, at) => ({
        ops: fopsOf(k, at),
        ips: multiOf(k, at.tr).ids,
        remove: false,
        reset: true,
      })),
      call(registerFtraceDirect, (k, at) => ({ ops: fopsOf(k, at), addr: at.image })),
    ],
  ),
]);

/** modify_fentry(): their direct calls lead to the next image. */
function modifySites({ when, call }: Words<BpfWorld, UpdateArgs>): Part {
  return when(
    'one ops serves all',
    isOneForAll,
    [
      call(updateFtraceDirectMod, (k, at) => ({
        ops: fopsOf(k, at),
        hash: hashOf(k, at),
        lockDirectMutex: true,
      })),
    ],
    [call(modifyFtraceDirect, (k, at) => ({ ops: fopsOf(k, at), addr: at.image! }))],
  );
}

/** unregister_fentry(): their direct calls go. The image stays. */
export const unregisterSites = routine<BpfWorld, TrArgs>('unregister_fentry (multi)', ({ when, call }) => [
  when(
    'one ops serves all',
    isOneForAll,
    [
      call(updateFtraceDirectDel, (k, at) => ({
        ops: fopsOf(k, at),
        hash: hashOf(k, { ...at, image: multiOf(k, at.tr).image }),
      })),
    ],
    [
      call(unregisterFtraceDirect, (k, at) => ({
        ops: fopsOf(k, at),
        addr: multiOf(k, at.tr).image,
        freeFilters: false,
      })),
    ],
  ),
]);

/** bpf_trampoline_unregister(): its sites are as if it were not there. The image is put whatever ftrace answers. */
export const unregisterMulti = routine<BpfWorld, UpdateArgs>('bpf_trampoline_unregister', (words) => {
  const { finish, step, call, refuseWith } = words;
  return [
    finish('no site leads to it', (k, { tr }) => multiOf(k, tr).image === ''),
    call(
      unregisterSites,
      (_, { tr }) => ({ tr }),
      (_, at, errno) => {
        at.errno = errno;
      },
    ),
    step('no image is left', (k, at) => {
      const tr = multiOf(k, at.tr);
      at.old = tr.image;
      tr.image = '';
    }),
    putUnused(words),
    refuseWith(
      ['EINVAL', 'ENODEV', 'EBUSY', 'ENOMEM'],
      'the call sites could not be changed',
      (_, { errno }) => (errno === 0 ? undefined : errno),
    ),
  ];
});

interface NodeArgs extends TrArgs {
  node: TrampNode;
}

/** bpf_trampoline_link_prog(). */
export const linkMulti = routine<BpfWorld, NodeArgs>(
  'bpf_trampoline_link_prog (multi)',
  ({ refuse, step, attempt, call }) => [
    refuse('E2BIG', 'too many programs', (k, { tr, node }) => {
      const programs = [...multiOf(k, tr).nodes, node].map(({ prog }) => k.bpf.progs[prog]!.program);
      return linkCount(programs) > profileNamed(k.profile).linksMax;
    }),
    step('enter the list', (k, { tr, node }) => {
      multiOf(k, tr).nodes.push(node);
      k.bpf.progs[node.prog]!.trampLinked = true;
    }),
    attempt(
      [call(updateMulti, (_, { tr }) => ({ tr }))],
      [call(removeMulti, (_, { tr, node }) => ({ tr, node }))],
    ),
  ],
);

/** bpf_trampoline_unlink_prog(): the program leaves the list first, whatever becomes of the image. */
export const unlinkMulti = routine<BpfWorld, NodeArgs>('bpf_trampoline_unlink_prog (multi)', ({ call }) => [
  call(removeMulti, (_, { tr, node }) => ({ tr, node })),
  call(updateMulti, (_, { tr }) => ({ tr })),
]);

/** bpf_trampoline_remove_prog(): off the list; since generation C also out of every image that its functions may be in. */
const removeMulti = routine<BpfWorld, NodeArgs & { image?: string }>(
  'bpf_trampoline_remove_prog (multi)',
  ({ step, when, each, holding, call }) => [
    step('leave the list', (k, { tr: name, node }) => {
      const tr = multiOf(k, name);
      tr.nodes = tr.nodes.filter(({ link }) => link !== node.link);
    }),
    when('images skip the program', (k) => profileNamed(k.profile).imageLifecycle === 'C', [
      each<string>('image', imagesOf, takeImage, [
        holding(
          (k, { image }) => ownerLock(k.bpf.images[image!]?.owner ?? image!),
          [
            when('it is there', (k, { image }) => k.bpf.images[image!] !== undefined, [
              call(bpfTrampolineSkipProg, (_, { image, node }) => ({ images: [image!], prog: node.prog })),
            ]),
          ],
        ),
      ]),
    ]),
  ],
);

/** Images that are not freed yet: its own, and those of which it was a part. */
function imagesOf(k: BpfWorld, { tr }: TrArgs): string[] {
  const lineage = `${multiOf(k, tr).lineage}/`;
  return Object.keys(k.bpf.images).filter((image) => {
    const { owner } = k.bpf.images[image]!;
    return owner !== undefined && lineage.startsWith(`${owner}/`);
  });
}

function takeImage(at: { image?: string }, image: string): void {
  at.image = image;
}

/** Where images of several functions are made. */
export const MULTI_COUNTS = [
  counted<UpdateArgs>('bpf_trampoline_update (multi)', 'the image cannot be generated', (k, { image }) =>
    image === undefined ? {} : { images: 1, imageBytes: k.text.pages[image]!.bytes.length / 2 },
  ),
];
