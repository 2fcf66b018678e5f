import { watchStubs } from '../../checker/images/segment.ts';
import { stackWords } from '../../model/abi/x86-64.ts';
import { contractFor } from '../../model/contract/contract.ts';
import { InputError } from '../../model/core/input-error.ts';
import { enteredByJmp, imageFlags } from '../../model/trampoline/flags.ts';
import type { PatchPoint } from '../../model/trampoline/generate.ts';
import { generate, patchPoints } from '../../model/trampoline/generate.ts';
import { planImage } from '../../model/trampoline/plan/plan.ts';
import type { PlanRequest } from '../../model/trampoline/plan/planner.ts';
import { ORIGINAL, TRAMP_ENTER } from '../../model/trampoline/plan/symbols.ts';
import { createStage } from '../../model/trampoline/stage/create-stage.ts';
import { SITE_BYTES, siteOffset } from '../../model/trampoline/stage/install.ts';
import { CALL_DEPTH_ADDRESS, GS_BASE, LAYOUT } from '../../model/trampoline/stage/layout.ts';
import type { Code, Pad } from '../../model/trampoline/stage/spec.ts';
import { PLAIN_STAGE } from '../../model/trampoline/stage/spec.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { programStub } from '../../model/trampoline/stage/stubs.ts';
import { FAMILY, FORM } from '../../model/x86/instruction.ts';
import { RDI } from '../../model/x86/register.ts';
import type { Swept } from '../../model/x86/sweep.ts';
import { sweep } from '../../model/x86/sweep.ts';
import type { Word } from '../../model/x86/word.ts';
import { equal, fromHex, plus, toHex } from '../../model/x86/word.ts';
import type { Marks, Subject } from '../../properties/observed/subject.ts';
import type { Identity, Located } from './identity.ts';

/** An image that was not generated here: its bytes, its address, and the targets of its branches. */
export interface ForeignImage {
  readonly request: PlanRequest;
  readonly bytes: Uint8Array;
  readonly base: Word;
  readonly traced: Word;
  /** Names of the functions that it calls, by hexadecimal address: `__bpf_tramp_enter`, `prog#1` … */
  readonly names: ReadonlyMap<string, string>;
  readonly patchPoints: readonly PatchPoint[];
  readonly marks: Marks | undefined;
  /** Code that has to be mapped beside our stubs. */
  readonly extra?: (text: Word) => Code;
}

/** A foreign image ready to be judged: on its own stage, at its own addresses. */
export interface Staged {
  readonly stage: Stage;
  readonly subject: Subject;
}

/** The parts of an image, once it has been compared with the model's. */
export function foreignImage(located: Located, { difference, bound }: Identity): ForeignImage {
  const { request, bytes, base, traced, symbols } = located;
  const names = new Map<string, string>();
  for (const [name, address] of [...symbols, ...bound])
    if (STANDS_IN.test(name)) names.set(toHex(address), name);
  const plan = planImage(request);
  const generated = generate(plan, base, (symbol) => symbols.get(symbol) ?? bound.get(symbol));
  const same = difference === undefined && 'image' in generated ? generated.image : undefined;
  return {
    request,
    bytes,
    base,
    traced,
    names,
    patchPoints: same === undefined ? [] : patchPoints(plan, same),
    marks: same === undefined ? undefined : { items: plan.items, offsets: same.offsets },
  };
}

/** Names of functions that our stubs replace. */
const STANDS_IN = /^(prog#|__bpf_)|_return_thunk$/;

/** An image that does not do what its programs require, so that the laws cannot be applied. */
export class UnmatchedImage extends Error {
  override name = 'UnmatchedImage';
}

/**
 * Builds the stage that an image expects: pads at the helpers' addresses, structures at the targets of its pointers.
 */
export function stageForeign(image: ForeignImage): Staged {
  const { request, bytes, base, traced } = image;
  const swept = sweep(bytes, base);
  const contract = contractFor(request.signature, request.programs);
  const flags = imageFlags(request);
  const found = findStructures(swept, image);
  const text = freeText([base, traced, ...Array.from(image.names.keys(), fromHex)]);
  const extra = image.extra?.(text);
  const stage = createStage({
    ...PLAIN_STAGE,
    layout: { text, traced, image: base },
    imageBytes: bytes.length,
    callDepth: found.callDepth ?? CALL_DEPTH_ADDRESS,
    structs: found.programStructs,
    pads: padsOf(image, contract.slots.length),
    extra,
  });
  watchStubs(stage);
  const original = plus(traced, siteOffset(request.ibt) + SITE_BYTES);
  const nameOf = (address: Word) => (equal(address, original) ? ORIGINAL : image.names.get(toHex(address)));
  const subject: Subject = {
    request,
    flags,
    bytes,
    base,
    swept,
    contract,
    stackWords: stackWords(contract.slots),
    entry: {
      ibt: request.ibt,
      jmp: contract.isMember || enteredByJmp(flags),
      redirected: request.sticky.shareIpmodify,
    },
    patchPoints: image.patchPoints,
    marks: image.marks,
    addresses: { ...found, traced, nameOf },
    generation: undefined,
  };
  return { stage, subject };
}

/** Addresses that only the image itself reveals. */
interface Structures {
  readonly programStructs: readonly (Word | undefined)[];
  readonly imageStruct: Word | undefined;
  readonly callDepth: Word | undefined;
}

/**
 * Reads the addresses of structures from the code: a program's structure is the argument of its enter, the program is
 * the one called next. Whether exit gets the same is for the laws to judge.
 */
function findStructures(swept: readonly Swept[], { names, request }: ForeignImage): Structures {
  const programStructs: (Word | undefined)[] = [];
  let imageStruct: Word | undefined;
  let callDepth: Word | undefined;
  let given: Word | undefined;
  let entered: Word | undefined;
  for (const { family, form, reg, target, gs, disp } of swept) {
    if (gs) callDepth ??= plusWord(GS_BASE, disp);
    if (family === FAMILY.MOV && form === FORM.RI && reg === RDI) given = target;
    if (family !== FAMILY.CALL || form !== FORM.I) continue;
    const name = names.get(toHex(target)) ?? '';
    if (name === TRAMP_ENTER) imageStruct ??= given;
    if (name.startsWith('__bpf_prog_enter')) entered = given;
    const program = /^prog#([0-9]+)$/.exec(name);
    if (program !== null && entered !== undefined) programStructs[Number(program[1])] ??= entered;
  }
  requireStructures(programStructs, request);
  return { programStructs, imageStruct, callDepth };
}

/** Two programs with one structure, or a program that the image never enters, make the laws meaningless. */
function requireStructures(structs: readonly (Word | undefined)[], { programs }: PlanRequest): void {
  for (const { id } of programs) {
    const own = structs[id];
    if (own === undefined)
      throw new UnmatchedImage(`the image has no block that enters and calls prog#${id}`);
    const other = programs.find(
      (program) => program.id < id && structs[program.id] !== undefined && equal(structs[program.id]!, own),
    );
    if (other !== undefined)
      throw new UnmatchedImage(
        `prog#${other.id} and prog#${id} are entered with the same structure ${toHex(own)}`,
      );
  }
}

function plusWord(a: Word, b: Word): Word {
  const sum = (a.lo >>> 0) + (b.lo >>> 0);
  return { hi: (a.hi + b.hi + (sum > 4294967295 ? 1 : 0)) | 0, lo: sum | 0 };
}

/**
 * The ranges that have to be free around our stubs, and candidate places; the first that avoids the image's ranges is
 * used.
 */
const OUR_TEXT_BYTES = 0x200000;
const TEXT_BASES = ['0xffffffff8f000000', '0xffffffff9f000000', '0xffffffffaf000000', '0xffffffffb7000000'];

function freeText(taken: readonly Word[]): Word {
  const bases = [LAYOUT.text, ...TEXT_BASES.map(fromHex)];
  const free = bases.find((base) =>
    taken.every(({ hi, lo }) => hi !== base.hi || (lo - base.lo) >>> 0 >= OUR_TEXT_BYTES),
  );
  if (free === undefined)
    throw new InputError('there is no room for the stubs between the addresses of the image');
  return free;
}

/** A jump to our stub at the address of every function that the image calls. */
function padsOf({ names }: ForeignImage, slots: number): Pad[] {
  const pads: Pad[] = [];
  for (const [address, name] of names) {
    const program = /^prog#([0-9]+)$/.exec(name);
    if (program !== null)
      pads.push({ name, address: fromHex(address), stub: programStub(Number(program[1]), slots) });
    else if (STANDS_IN.test(name)) pads.push({ name, address: fromHex(address), stub: name });
  }
  return pads;
}
