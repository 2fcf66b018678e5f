import { plansOf } from '../../../checker/explain/plans-of.ts';
import { frameRows } from '../../../counterexamples/images/drawing.ts';
import type { Caller } from '../../../model/call/caller.ts';
import { whereabouts } from '../../../model/call/code-place.ts';
import { CALLER_FRAME_BYTES } from '../../../model/call/machine-room.ts';
import { savedWords } from '../../../model/call/snapshot.ts';
import { placeName } from '../../../model/core/whereabouts.ts';
import type { Kernel, KernelView } from '../../../model/kernel.ts';
import { pageAddress } from '../../../model/text/space.ts';
import type { ImagePlan } from '../../../model/trampoline/plan/planner.ts';
import { disassemble, hexBytes } from '../../../model/x86/listing.ts';
import { RBP, RSP } from '../../../model/x86/register.ts';
import type { Word } from '../../../model/x86/word.ts';
import { displacement, equal, plus, toHex } from '../../../model/x86/word.ts';

/** A word of a task's stack. */
export interface StackRow {
  /** Bytes above the stack pointer. */
  readonly offset: number;
  /** A place in code, `f1+0x9`, or the value. */
  readonly value: string;
  /** The word's name in the frame of an image; a return address has none. */
  readonly name: string;
  readonly isCode: boolean;
}

/** One instruction of a listing. */
export interface ListedLine {
  readonly offset: string;
  readonly bytes: string;
  readonly text: string;
  /** `is at this instruction`, `returns here`; empty: neither. */
  readonly mark: string;
}

/** A task in its call: its stack, the highest address first, and the code that it is in. */
export interface MachineView {
  readonly task: string;
  readonly place: string;
  readonly stack: readonly StackRow[];
  /** Undefined: it is in no page of executable memory, and returns to none. */
  readonly listing: { readonly name: string; readonly lines: readonly ListedLine[] } | undefined;
}

/** What a walk remembers of earlier states. */
export interface Remembered {
  /** The plans of images that are or were current, by their names. */
  readonly plans: Map<string, ImagePlan>;
  /** The last object that was in each page of executable memory, by the page's number. */
  readonly pages: Map<number, { readonly name: string; readonly bytes: string }>;
}

/** Adds what a kernel has now. */
export function remember(remembered: Remembered, k: Kernel): void {
  for (const [image, plan] of Object.entries(plansOf(k))) remembered.plans.set(image, plan);
  for (const [name, { at: page, bytes }] of Object.entries(k.text.pages))
    remembered.pages.set(page, { name, bytes });
}

export function machineView(
  task: string,
  k: KernelView,
  { machine, request }: Caller,
  remembered: Remembered,
): MachineView {
  const [rip, ...words] = savedWords(machine) as [Word, ...Word[]];
  const registers = words.slice(0, REGISTERS);
  const stack = words.slice(REGISTERS, words.length - CALLER_WORDS + request.stack.length);
  const code = new CodeNames(k, remembered);
  const places = [rip, ...stack].map((word) => code.placeOf(word));
  const named = frameNames(registers, places, remembered.plans);
  const page = places.flatMap((place) => (place?.page === undefined ? [] : [place.page]))[0];
  return {
    task,
    place: places[0]?.text ?? toHex(rip),
    stack: stack
      .map((word, i) => ({
        offset: 8 * i,
        value: places[i + 1]?.text ?? toHex(word),
        name: named.get(8 * i) ?? '',
        isCode: places[i + 1] !== undefined,
      }))
      .reverse(),
    listing: page === undefined ? undefined : listed(code, page, rip, stack),
  };
}

const REGISTERS = 16;
/** Words of the caller's own frame, below which its stack arguments and the return address are. */
const CALLER_WORDS = CALLER_FRAME_BYTES / 8;

/** A place in code. */
interface Place {
  /** `f1+0x9`; `tramp#1+0x32, freed`. */
  readonly text: string;
  /** `f1`, `tramp#1`. */
  readonly name: string;
  /** Number of its page of executable memory; undefined: it is in the kernel's text. */
  readonly page: number | undefined;
}

/** Names of addresses, also of memory that has been freed. */
export class CodeNames {
  constructor(
    private readonly k: KernelView,
    private readonly remembered: Remembered,
  ) {}

  /** Undefined: no code is or was there. */
  placeOf(address: Word): Place | undefined {
    const place = whereabouts(this.k, address);
    if (place.in === 'nothing') return undefined;
    if (place.in === 'named')
      return { text: placeName(place), name: place.name, page: this.k.text.pages[place.name]?.at };
    if (place.in !== 'free page') return undefined;
    const { page, offset } = place;
    const name = this.remembered.pages.get(page)?.name;
    if (name === undefined) return { text: placeName(place), name: `page ${page}`, page: undefined };
    return { text: `${placeName({ in: 'named', name, offset })}, freed`, name, page };
  }

  /** The object that is, or was, in a page. */
  page(number: number): { readonly name: string; readonly bytes: string } | undefined {
    return this.remembered.pages.get(number);
  }

  /** For listings. */
  nameOf(address: Word): string | undefined {
    return this.placeOf(address)?.text;
  }
}

/** Names of words in the frame of the innermost image, by their offsets from the stack pointer. */
function frameNames(
  registers: readonly Word[],
  places: readonly (Place | undefined)[],
  plans: ReadonlyMap<string, ImagePlan>,
): ReadonlyMap<number, string> {
  const plan = places.map((place) => plans.get(place?.name ?? '')).find((own) => own !== undefined);
  const [rbp, rsp] = [registers[RBP], registers[RSP]];
  const frame = rbp === undefined || rsp === undefined ? undefined : displacement(rbp, rsp);
  if (plan === undefined || frame === undefined || frame < 0) return new Map();
  return new Map(frameRows(plan).map(([index, name]) => [frame + index, name]));
}

/** The code of a page, with the instruction that a task is at and those that it returns to. */
export function listed(
  code: CodeNames,
  number: number,
  rip: Word,
  stack: readonly Word[],
): MachineView['listing'] {
  const page = code.page(number);
  if (page === undefined) return undefined;
  const base = pageAddress(number);
  const bytes = Buffer.from(page.bytes, 'hex');
  const markOf = (address: Word) => {
    if (equal(address, rip)) return 'is at this instruction';
    return stack.some((word) => equal(word, address)) ? 'returns here' : '';
  };
  return {
    name: page.name,
    lines: disassemble(bytes, base, (address) => code.nameOf(address)).map((line) => ({
      offset: `+0x${line.offset.toString(16)}`,
      bytes: hexBytes(line.bytes),
      text: line.text,
      mark: markOf(plus(base, line.offset)),
    })),
  };
}
