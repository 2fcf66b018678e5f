import { stackWords } from '../../model/abi/x86-64.ts';
import type { Contract } from '../../model/contract/contract.ts';
import { contractFor } from '../../model/contract/contract.ts';
import type { Errno } from '../../model/core/errno.ts';
import { attachPrograms } from '../../model/trampoline/attach.ts';
import type { ImageFlags } from '../../model/trampoline/flags.ts';
import { enteredByJmp } from '../../model/trampoline/flags.ts';
import type { Generated, PatchPoint } from '../../model/trampoline/generate.ts';
import { generate, patchPoints, sizePass } from '../../model/trampoline/generate.ts';
import type { Item } from '../../model/trampoline/item.ts';
import { planImage } from '../../model/trampoline/plan/plan.ts';
import type { ImagePlan, PlanRequest } from '../../model/trampoline/plan/planner.ts';
import { IMAGE_STRUCT } from '../../model/trampoline/plan/symbols.ts';
import type { ImageEntry } from '../../model/trampoline/stage/install.ts';
import { CALL_DEPTH_ADDRESS } from '../../model/trampoline/stage/layout.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { stageSymbols, symbolsFor } from '../../model/trampoline/stage/symbols.ts';
import type { Resolve } from '../../model/x86/assembled.ts';
import type { Swept } from '../../model/x86/sweep.ts';
import { sweep } from '../../model/x86/sweep.ts';
import type { Word } from '../../model/x86/word.ts';
import { toHex } from '../../model/x86/word.ts';

/** An image under test, and everything that the laws know about it. */
export interface Subject {
  readonly request: PlanRequest;
  readonly flags: ImageFlags;
  readonly bytes: Uint8Array;
  /** Address of its first byte. */
  readonly base: Word;
  /** Its instructions in order of address. */
  readonly swept: readonly Swept[];
  readonly contract: Contract;
  /** Words that the caller passes on the stack, gaps included. */
  readonly stackWords: number;
  readonly entry: ImageEntry;
  readonly patchPoints: readonly PatchPoint[];
  /** What the instructions are for, if known. */
  readonly marks: Marks | undefined;
  readonly addresses: Addresses;
  /** How to generate the image again, if it was generated here. */
  readonly generation: Generation | undefined;
}

/** The items of a plan, and where in the image each starts. */
export interface Marks {
  readonly items: readonly Item[];
  readonly offsets: readonly number[];
}

/** Addresses of what an image refers to. */
export interface Addresses {
  /** `struct bpf_prog` by program number. */
  readonly programStructs: readonly (Word | undefined)[];
  /** `struct bpf_tramp_image`, when known. */
  readonly imageStruct: Word | undefined;
  readonly traced: Word;
  /** The per-CPU counter of call-depth tracking. */
  readonly callDepth: Word | undefined;
  /** Names an address outside the image, for direct branches; undefined when nothing is known to be there. */
  readonly nameOf: (address: Word) => string | undefined;
}

/** How to generate an image again. */
export interface Generation {
  /** Bytes that the size pass computes, if there is one. */
  readonly asked: () => number | undefined;
  readonly again: () => Uint8Array | undefined;
}

/** The functions that refuse or generate an image: the model's, unless a planted bug has replaced one. */
export interface Toolchain {
  readonly attach: typeof attachPrograms;
  readonly plan: (request: PlanRequest) => ImagePlan;
  readonly generate: (plan: ImagePlan, base: Word, resolve: Resolve) => Generated;
  readonly sizePass: (plan: ImagePlan, resolve: Resolve) => number | undefined;
}

export const KERNEL: Toolchain = { attach: attachPrograms, plan: planImage, generate, sizePass };

/**
 * The image for a request as placed on the stage, or the errno that refuses the attach. A shared image may be judged
 * by calls of another function than the one it was generated for.
 */
export function subjectFor(
  stage: Stage,
  request: PlanRequest,
  tools: Toolchain = KERNEL,
  called = request.signature,
): Subject | Errno {
  const plan = tools.plan(request);
  const { image: base } = stage.layout;
  const contract = contractFor(called, request.programs);
  const resolve = stageSymbols(stage, contract.slots.length, request.ibt);
  const generated = tools.generate(plan, base, resolve);
  if ('refused' in generated) return generated.refused;
  const { image } = generated;
  return {
    request,
    flags: plan.flags,
    bytes: image.bytes,
    base,
    swept: sweep(image.bytes, base),
    contract,
    stackWords: stackWords(contract.slots),
    entry: {
      ibt: request.ibt,
      jmp: contract.isMember || enteredByJmp(plan.flags),
      redirected: isRedirected(request),
    },
    patchPoints: patchPoints(plan, image),
    marks: { items: plan.items, offsets: image.offsets },
    addresses: stageAddresses(stage, contract.slots.length, request),
    generation: {
      asked: () => tools.sizePass(plan, resolve),
      again: () => bytesOf(tools.generate(plan, base, resolve)),
    },
  };
}

/**
 * An image shared by many functions finds the original on the stack, redirected or not, and is judged as without
 * redirection.
 */
function isRedirected({ sticky, returnOffset }: PlanRequest): boolean {
  return sticky.shareIpmodify && returnOffset === undefined;
}

function bytesOf(generated: Generated): Uint8Array | undefined {
  return 'refused' in generated ? undefined : generated.image.bytes;
}

/** Where the stage keeps what a generated image refers to. */
function stageAddresses(stage: Stage, slots: number, { ibt, programs }: PlanRequest): Addresses {
  const resolve = stageSymbols(stage, slots, ibt);
  const programStructs: (Word | undefined)[] = [];
  for (const { id } of programs) programStructs[id] = resolve(`&prog#${id}`);
  return {
    programStructs,
    imageStruct: resolve(IMAGE_STRUCT),
    traced: stage.layout.traced,
    callDepth: CALL_DEPTH_ADDRESS,
    nameOf: (address) => stageNames(stage, slots, ibt).get(toHex(address)),
  };
}

/** Names of addresses on the stage, by hexadecimal text; built when one is asked for, once per number of argument words. */
function stageNames(stage: Stage, slots: number, ibt: boolean): ReadonlyMap<string, string> {
  const known = stage.names[slots * 2 + (ibt ? 1 : 0)];
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const [name, address] of symbolsFor(stage, slots, ibt))
    if (!name.startsWith('&') && !name.includes(' ')) names.set(toHex(address), name);
  stage.names[slots * 2 + (ibt ? 1 : 0)] = names;
  return names;
}
