import type { Errno } from '../core/errno.ts';
import type { FunctionName, ImageId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { warn } from '../core/world.ts';
import { addressOf } from '../text/space.ts';
import { bodyAddress, freePage, SITE_BYTES } from '../text/text.ts';
import type { Word } from '../x86/word.ts';
import { enteredByJmp } from './flags.ts';
import { CALL_DEPTH, generate, patchPoints } from './generate.ts';
import { allocateImage, writeImage } from './image-memory.ts';
import { planImage } from './plan/plan.ts';
import type { ImagePlan, PlanRequest } from './plan/planner.ts';
import { IMAGE, IMAGE_STRUCT, ORIGINAL, TRACED } from './plan/symbols.ts';
import type { BpfProgram } from './program.ts';
import { CGROUP_RUN, programCode, programInsns } from './program.ts';
import { slotCount } from './signature.ts';
import type { BpfView, BpfWorld } from './world.ts';
import { imageStructAt, programInsnsAt, programStructAt } from './world.ts';

/** The parameters of an image, beside the kernel that generates it. */
export interface ImageRequest extends Omit<PlanRequest, 'profile' | 'mitigations' | 'ibt' | 'returnOffset'> {
  /** The traced function; empty: many of them. */
  readonly target: FunctionName;
  /** The serial of its trampoline. */
  readonly serial: number;
  /** The trampoline that many functions share. */
  readonly owner?: string;
}

/** The name of the new image, or the errno. */
export type MadeImage = { readonly image: ImageId } | { readonly refused: Errno };

/**
 * bpf_tramp_image_alloc() and arch_prepare_bpf_trampoline(): an image in executable memory, live, not yet
 * reachable from any site. A failure is ENOTSUPP, EFAULT with a WARN, or EINVAL (`generate()`), and frees the page.
 * The image is read-only from here on (arch_protect_bpf_trampoline()): later changes are text pokes.
 */
export function makeImage(k: BpfWorld, request: ImageRequest): MadeImage {
  const { target, serial, owner } = request;
  const plan = planFor(k, request);
  const image = `tramp#${k.bpf.imagesMade + 1}`;
  allocateImage(k, target, image);
  const shims = request.programs.filter(({ shim }) => shim === true);
  const symbols = new Map(shims.flatMap((shim) => symbolsOfShim(k, shim)));
  const generated = generate(
    plan,
    addressOf(k, image),
    (symbol) => symbols.get(symbol) ?? resolve(k, target, image, symbol),
  );
  if ('refused' in generated) {
    if (generated.refused === 'EFAULT') warn(k, { is: 'image outgrows its page', target });
    freePage(k, image);
    return generated;
  }
  const points = patchPoints(plan, generated.image);
  writeImage(k, image, Buffer.from(generated.image.bytes).toString('hex'), points);
  k.bpf.imagesMade++;
  k.bpf.images[image] = {
    target,
    serial,
    callOrig: plan.flags.CALL_ORIG,
    jmp: enteredByJmp(plan.flags),
    programs: request.programs.map(({ id }) => id),
    patchPoints: points,
    state: 'live',
    refs: 0,
    killed: false,
    ...(owner === undefined ? {} : { owner, words: slotCount(request.signature) }),
  };
  return { image };
}

/** The plan of an image in a kernel: the frame and the instructions, without addresses. */
export function planFor(
  k: BpfView,
  { target, serial: _serial, owner: _owner, ...request }: ImageRequest,
): ImagePlan {
  return planImage({ ...request, ...kernelOf(k, target === '') });
}

/** An image for many functions needs the offset from a call site to the original's body. */
function kernelOf({ profile: name, boot, text }: BpfView, shared: boolean) {
  const profile = profileNamed(name);
  const kernel = { profile, mitigations: profile.boots[boot as 'default'], ibt: profile.ibt };
  return shared ? { ...kernel, returnOffset: text.siteOffset + SITE_BYTES } : kernel;
}

/** The symbols of a shim: its code is a function of the kernel's. */
function symbolsOfShim(k: BpfView, shim: BpfProgram): [string, Word][] {
  return [
    [programCode(shim), addressOf(k, CGROUP_RUN)],
    [programInsns(shim), programInsnsAt(shim.id)],
  ];
}

/** Addresses of the symbols of a plan in this state. */
function resolve(k: BpfView, target: FunctionName, image: ImageId, symbol: string): Word | undefined {
  switch (symbol) {
    case TRACED:
      return addressOf(k, target);
    case ORIGINAL:
      return bodyAddress(k, target);
    case IMAGE:
      return addressOf(k, image);
    case IMAGE_STRUCT:
      return imageStructAt(image);
    case CALL_DEPTH:
      return { hi: 0, lo: 0x1f400 };
    default:
      return symbol.startsWith('&prog#') ? programStructAt(Number(symbol.slice(6))) : addressOf(k, symbol);
  }
}
