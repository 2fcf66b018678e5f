import type { Errno } from '../../core/errno.ts';
import { entry } from '../../core/present.ts';
import { profileNamed } from '../../core/profile.ts';
import { routine } from '../../core/routine.ts';
import { bpfTrampImagePut } from '../image-lifecycle.ts';
import { makeImage } from '../make-image.ts';
import { linkCount } from '../program.ts';
import { wordSignature } from '../signature.ts';
import { programsOf } from '../update.ts';
import type { BpfView, BpfWorld, TrampNode } from '../world.ts';
import { counted } from './count.ts';
import { idsTrampoline, imageToLeave, noteUpdate } from './multi-ids-set.ts';
import { STUB_WORDS } from './stub-targets.ts';

/*
 * August 2022, patches 7 and 10 of 17: a program is added to the array of functions that share a trampoline, and
 * the image is generated, before any site changes. Commit and rollback come after ftrace has answered for all
 * trampolines of the link.
 */

/** A multi trampoline by its name, and the entry of a program in its array (`struct bpf_tramp_prog`). */
export interface MultiNodeArgs {
  name: string;
  node: TrampNode;
}

/** __bpf_trampoline_link_prog() with a list of updates. The note is taken after the image was generated. */
export const linkIds = routine<BpfWorld, MultiNodeArgs>(
  '__bpf_trampoline_link_prog (multi ids)',
  ({ refuse, allocate, step, attempt, call }) => [
    refuse('E2BIG', 'too many programs', (k, { name, node }) => {
      const { program } = entry(k.bpf.progs, node.prog);
      return idsTrampoline(k, name).progsCnt + linkCount([program]) > profileNamed(k.profile).linksMax;
    }),
    refuse('EBUSY', 'the program is attached there', (k, { name, node }) =>
      idsTrampoline(k, name).nodes.some(({ prog }) => prog === node.prog),
    ),
    allocate('the array of programs'),
    step('enter the array', (k, { name, node }) => {
      const tr = idsTrampoline(k, name);
      tr.nodes.push(node);
      tr.progsCnt++;
      entry(k.bpf.progs, node.prog).trampLinked = true;
    }),
    attempt([call(prepareIds, (_, { name }) => ({ name }))], [step('leave the array', leaveArray)]),
    // Last: a link that fails before has nothing to roll back.
    step('note what was there', (k, { name, node }) => {
      const tr = idsTrampoline(k, name);
      tr.update = noteUpdate(k, tr.nodes, node);
    }),
  ],
);

/** `progs_cnt` follows the array. */
function leaveArray(k: BpfView, { name, node }: MultiNodeArgs): void {
  const tr = idsTrampoline(k, name);
  tr.nodes = tr.nodes.filter(({ link }) => link !== node.link);
  tr.progsCnt--;
}

/**
 * __bpf_trampoline_unlink_prog() with a list of updates. A missing program is ENOENT; nothing is noted for a
 * rollback.
 */
export const unlinkIds = routine<BpfWorld, MultiNodeArgs>(
  '__bpf_trampoline_unlink_prog (multi ids)',
  ({ refuse, allocate, step, call }) => [
    refuse('ENOENT', 'the program is not attached there', (k, { name, node }) =>
      idsTrampoline(k, name).nodes.every(({ prog }) => prog !== node.prog),
    ),
    allocate('the array of programs'),
    step('leave the array', leaveArray),
    call(prepareIds, (_, { name }) => ({ name })),
  ],
);

/** The image that is made, and why it could not be. */
interface PrepareArgs {
  name: string;
  made?: string;
  generated?: Errno | 0;
}

/** bpf_trampoline_update() with a list of updates: the image is generated, the sites stay. */
const prepareIds = routine<BpfWorld, PrepareArgs>(
  'bpf_trampoline_update (multi ids)',
  ({ allocate, step, finish, refuseWith }) => [
    allocate('the list of programs'),
    step('nothing is made yet', (k, { name }) => {
      const tr = idsTrampoline(k, name);
      tr.next = '';
      // Programs by the counter, not by the array: a counter that is wrong leaves or keeps the image wrongly.
      if (tr.progsCnt === 0) imageToLeave(tr);
    }),
    finish('no program is left', (k, { name }) => idsTrampoline(k, name).progsCnt === 0),
    allocate('the image'),
    step('generate the image', generateImage),
    refuseWith(['ENOTSUPP', 'EFAULT', 'EINVAL'], 'the image cannot be generated', (_, { generated }) =>
      generated === 0 ? undefined : generated,
    ),
  ],
);

/** `btf_multi_func_model`: six words for every function, and the original called through the stack. */
function generateImage(k: BpfWorld, locals: PrepareArgs): void {
  const tr = idsTrampoline(k, locals.name);
  const made = makeImage(k, {
    target: '',
    owner: locals.name,
    serial: tr.serial,
    signature: wordSignature(STUB_WORDS),
    programs: programsOf(k, tr.nodes),
    sticky: { shareIpmodify: true, tailCallCtx: false },
  });
  locals.generated = 'refused' in made ? made.refused : 0;
  if (!('image' in made)) return;
  locals.made = made.image;
  tr.next = made.image;
}

/**
 * bpf_trampoline_commit(): the previous image is put. ftrace has moved all sites, and calls in the old image
 * are waited for as for any image.
 */
export const commitIds = routine<BpfWorld, { name: string }, { name: string; stale: string }>(
  'bpf_trampoline_commit',
  ({ step, when, call }) => [
    step('switch to the image', (k, locals) => {
      const tr = idsTrampoline(k, locals.name);
      locals.stale = tr.image;
      tr.image = tr.next;
      tr.next = '';
    }),
    when('there was another', (_, { stale }) => stale !== '', [
      call(bpfTrampImagePut, (_, { stale }) => ({ image: stale })),
    ]),
  ],
);

/** One image for all functions of a set, whatever their number. */
export const IDS_COUNTS = [
  counted<PrepareArgs>('bpf_trampoline_update (multi ids)', 'the image cannot be generated', (k, { made }) =>
    made === undefined ? {} : { images: 1, imageBytes: entry(k.text.pages, made).bytes.length / 2 },
  ),
];
