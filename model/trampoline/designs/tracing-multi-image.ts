import type { FunctionName } from '../../core/ids.ts';
import { routine } from '../../core/routine.ts';
import { bpfTrampImagePut } from '../image-lifecycle.ts';
import { trOf } from '../trampoline.ts';
import type { BpfWorld } from '../world.ts';

/*
 * A multi link generates the images of all its targets before it changes a site: each trampoline keeps the image
 * that it had (`old_image`) until all sites call the new ones, so that it can be restored.
 *
 * ```text
 *   init       old_image = cur_image, old_flags = flags
 *   link       cur_image = the new image, not called yet
 *   free       put old_image      (all sites call the new one)
 *   rollback   put cur_image, cur_image = old_image, flags = old_flags
 * ```
 */

/** bpf_trampoline_multi_attach_init(), with the trampoline's lock held from here to free or rollback. */
export function attachInit(k: BpfWorld, { target }: { target: FunctionName }): void {
  const tr = trOf(k, target);
  tr.oldImage = tr.curImage;
  tr.oldFlags = tr.flags;
}

/** bpf_trampoline_multi_attach_free(): the image that was there before, unless it still is. */
export const attachFree = routine<
  BpfWorld,
  { target: FunctionName },
  { target: FunctionName; stale: string }
>('bpf_trampoline_multi_attach_free', ({ step, when, call }) => [
  step('forget the old image', (k, locals) => {
    const tr = trOf(k, locals.target);
    if (tr.oldImage !== '' && tr.oldImage !== tr.curImage) locals.stale = tr.oldImage;
    tr.oldImage = '';
    tr.oldFlags = null;
  }),
  when('it is stale', (_, locals) => 'stale' in locals, [
    call(bpfTrampImagePut, (_, { stale }) => ({ image: stale })),
  ]),
]);

/** bpf_trampoline_multi_attach_rollback(): the new image is freed, the old one and its flags are restored. */
export const attachRollback = routine<
  BpfWorld,
  { target: FunctionName },
  { target: FunctionName; stale: string }
>('bpf_trampoline_multi_attach_rollback', ({ step, when, call }) => [
  step('read the new image', (k, locals) => {
    const { curImage } = trOf(k, locals.target);
    if (curImage !== '') locals.stale = curImage;
  }),
  when('there is one', (_, locals) => 'stale' in locals, [
    call(bpfTrampImagePut, (_, { stale }) => ({ image: stale })),
  ]),
  step('restore image and flags', (k, { target }) => {
    const tr = trOf(k, target);
    tr.curImage = tr.oldImage;
    if (tr.oldFlags !== null) tr.flags = tr.oldFlags;
    tr.oldImage = '';
    tr.oldFlags = null;
  }),
]);
