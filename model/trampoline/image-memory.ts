import type { FunctionName, ImageId } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { HALF_BYTES } from '../text/space.ts';
import type { PageHalf } from '../text/text.ts';
import { allocatePage, freePage } from '../text/text.ts';
import type { PatchPoint } from './generate.ts';
import type { BpfView, BpfWorld } from './world.ts';

/*
 * The memory of an image. Since generation B it has its own page. In generation A (Linux 5.6 to 5.11) a
 * trampoline has one page for its whole life, and its images take turns:
 *
 * ```text
 *   tr(f2).image     0x000  tramp#3   the image that the call site calls
 *                    0x800  tramp#2   the previous one; the next is generated over it
 * ```
 *
 * The kernel increments `selector` with each image, takes the half by its lowest bit, and starts at 0 again when
 * the last program is detached. So the next image is in the half in which the current one is not, and the first
 * one, also after a pause, in the lower half. Nothing counts the tasks that are still in the other half.
 */

/** The page of all images of a trampoline (`tr->image`). */
export function imagePage(target: FunctionName): string {
  return `tr(${target}).image`;
}

/** bpf_jit_alloc_exec_page() for a new trampoline: generation A takes the page of its images then. */
export function allocateTrampolineMemory(k: BpfWorld, target: FunctionName): void {
  if (sharesPage(k)) allocatePage(k, imagePage(target), '');
}

/** Whether the images of a trampoline share a page (generation A). */
export function sharesPage({ profile }: BpfView): boolean {
  return profileNamed(profile).imageLifecycle === 'A';
}

/** Memory for the next image of a target, with its previous content. */
export function allocateImage(k: BpfWorld, target: FunctionName, image: ImageId): void {
  if (sharesPage(k)) k.text.halves[image] = nextHalf(k, target);
  else allocatePage(k, image, '');
}

/** The half that the current image is not in; the lower one if there is none. */
function nextHalf(k: BpfView, target: FunctionName): PageHalf {
  const current = k.text.halves[entry(k.bpf.trampolines, target).curImage];
  return { page: imagePage(target), offset: current?.offset === 0 ? HALF_BYTES : 0 };
}

/**
 * The bytes of an image, as hexadecimal text, and its patch points. In a half that held a longer image, the end
 * of that one stays; no patch points are recorded there.
 */
export function writeImage(k: BpfWorld, image: ImageId, bytes: string, points: readonly PatchPoint[]): void {
  const half = k.text.halves[image];
  if (half === undefined) {
    const own = entry(k.text.pages, image);
    own.bytes = bytes;
    if (points.length > 0) own.patchable = points.map(({ offset }) => offset);
    return;
  }
  for (const other of imagesIn(k, half.page))
    if (other !== image && entry(k.text.halves, other).offset === half.offset) freeImageMemory(k, other);
  const page = entry(k.text.pages, half.page);
  const from = half.offset * 2;
  page.bytes = page.bytes.slice(0, from).padEnd(from, TRAP) + bytes + page.bytes.slice(from + bytes.length);
}

/** Memory that was never written traps when it is executed. */
const TRAP = 'cc';

function imagesIn({ text }: BpfView, page: string): string[] {
  return Object.keys(text.halves).filter((image) => entry(text.halves, image).page === page);
}

/** Frees an image: its page, or its claim on a half. */
export function freeImageMemory(k: BpfWorld, image: ImageId): void {
  freePage(k, image);
  delete k.bpf.images[image];
}

/** bpf_jit_free_exec() of a trampoline's page (generation A), even with tasks in it. */
export function freeTrampolineMemory(k: BpfWorld, target: FunctionName): void {
  const page = imagePage(target);
  for (const image of imagesIn(k, page)) freeImageMemory(k, image);
  freePage(k, page);
}
