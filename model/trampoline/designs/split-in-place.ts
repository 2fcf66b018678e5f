import type { FunctionName, ImageId, LinkId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { entry, item } from '../../core/present.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { updateFtraceDirectMod } from '../../ftrace/direct-hash-modify.ts';
import { bpfTrampImagePut } from '../image-lifecycle.ts';
import { trLock, trOf } from '../trampoline.ts';
import { bpfTrampolineUpdate } from '../update.ts';
import type { BpfWorld, TrampNode } from '../world.ts';
import { DIRECT_OPS, freeMulti, isUsedImage, makeMulti, multiNamed, multiOf } from './multi-trampoline.ts';
import type { Ids } from './partition.ts';
import type { SplitArgs } from './split-trampoline.ts';

/*
 * Splitting where one ops makes the direct calls of all trampolines (7.2): both parts keep calling the same
 * image, until one of them gets another. No function is without its programs at any point.
 *
 * ```text
 *   T {f1, f2, f3}: tramp#1, program P; a link of Q to {f1}
 *     T  {f1}       the kernel's trampoline with P: tramp#2, site moved by update_ftrace_direct_mod()
 *     T' {f2, f3}   still tramp#1, which is put when no set uses it
 *     then Q is linked to T
 * ```
 */

interface InPlaceArgs extends SplitArgs {
  /** The link on whose behalf it happens. */
  link: LinkId;
}

/** A split between its steps: the programs and the image that both parts share. */
interface InPlace extends InPlaceArgs {
  nodes: readonly TrampNode[];
  image: ImageId;
  half: Ids;
}

/** The split itself changes no text; only a part of one function is moved at once. */
export const splitInPlace = routine<BpfWorld, InPlaceArgs, InPlace>(
  'bpf_trampoline_split (in place)',
  (words) => {
    const { step, each, call, when } = words;
    return [
      step('read its programs', (k, locals) => {
        const { nodes, image } = multiOf(k, multiNamed(locals.ids));
        locals.nodes = [...nodes];
        locals.image = image;
      }),
      each<Ids>(
        'part of one function',
        (_, { common, other }) => [common, other].filter(isSingle),
        takeHalf,
        [
          call(leadToOwn, (_, { half, nodes, link }) => ({ target: item(half, 0), nodes, link })),
          step('its set does not have it', leaveSet),
        ],
      ),
      step('divide the rest', divide),
      when('the image is unused', (k, { image }) => !isUsedImage(k, image), [
        call(bpfTrampImagePut, (_, { image }) => ({ image })),
      ]),
    ];
  },
);

function isSingle(ids: Ids): boolean {
  return ids.length === 1;
}

function takeHalf(locals: InPlace, half: Ids): void {
  locals.half = half;
}

/** The rest stays a set as before, in case a later step is refused. */
function leaveSet(k: BpfWorld, locals: InPlace): void {
  const { nodes, image, fops } = multiOf(k, multiNamed(locals.ids));
  freeMulti(k, multiNamed(locals.ids));
  locals.ids = locals.ids.filter((id) => id !== locals.half[0]);
  if (locals.ids.length > 0) makeMulti(k, locals.ids, { nodes, image, fops, serial: locals.serial });
}

/**
 * Both parts get the programs and the image; only the sets change. No site is touched, and so no call can see
 * the split. The image belongs to the serial of the former trampoline, by which skipping finds it later.
 */
function divide(k: BpfWorld, { ids, common, other, nodes, image, serial }: InPlace): void {
  if (isSingle(common) || isSingle(other)) return;
  freeMulti(k, multiNamed(ids));
  for (const half of [common, other])
    makeMulti(k, half, {
      nodes: [...nodes],
      image,
      fops: DIRECT_OPS,
      serial,
    });
}

/** A function that moves to its own trampoline, and the link for which it does. */
interface OwnArgs {
  target: FunctionName;
  nodes: readonly TrampNode[];
  link: LinkId;
}

/**
 * One function moves to its own trampoline, with the same programs; its programs run throughout. The list is
 * complete before the update, so that the first image already has all programs; a refusal empties it again and
 * the function stays in its set.
 */
const leadToOwn = routine<BpfWorld, OwnArgs>('bpf_trampoline_take_over', (words) => {
  const { holding, step, attempt, call } = words;
  return [
    holding(
      (k, { target }) => trLock(k, target),
      [
        step('give it the programs', (k, { target, nodes }) => {
          trOf(k, target).nodes = [...nodes];
        }),
        attempt(
          [
            call(bpfTrampolineUpdate, (_, { target, link }) => ({
              target,
              lockDirectMutex: true,
              multi: link,
            })),
            moveSite(words),
          ],
          [
            step('take the programs', (k, { target }) => {
              trOf(k, target).nodes = [];
            }),
          ],
        ),
        step('forget the note', forget),
      ],
    ),
  ];
});

/** update_ftrace_direct_mod(): from the image of the set to its own, seen by each call as one or the other. */
function moveSite({ attempt, call, step }: RoutineWords<BpfWorld, OwnArgs>): Part {
  return attempt(
    [
      call(updateFtraceDirectMod, (k, { target, link }) => ({
        ops: DIRECT_OPS,
        hash: { [target]: entry(entry(k.bpf.links, link).reg, target) },
        lockDirectMutex: true,
      })),
    ],
    [
      call(bpfTrampImagePut, (k, { target }) => ({ image: trOf(k, target).curImage })),
      step('it has no image', (k, { target }) => {
        trOf(k, target).curImage = '';
      }),
    ],
  );
}

/**
 * The note (`link->reg`) is what bpf_trampoline_update() wrote instead of calling ftrace.
 * update_ftrace_direct_mod() has taken the address from it; an old note would name an image that may be freed.
 */
function forget(k: BpfWorld, { link }: OwnArgs): void {
  entry(k.bpf.links, link).reg = {};
}
