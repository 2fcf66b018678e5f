import { profileNamed } from '../core/profile.ts';
import type { EntryForm } from '../ftrace/entry/entry-code.ts';
import { entryAddress, entryCode, innerCallOffset, RUN_ENDS } from '../ftrace/entry/entry-code.ts';
import {
  C_FUNCTIONS,
  ENTRY_BYTES,
  ENTRY_CODE,
  FUNCTION_CODE_BYTES,
  functionAddress,
  PAGE_BYTES,
  pageAddress,
  SPACE,
  SPARE_STUBS,
  STUB_BYTES,
} from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import { SITE_BYTES } from '../text/text.ts';
import { assembleFunction } from '../trampoline/body.ts';
import { printSignature } from '../trampoline/signature.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { setBreakpoint } from '../x86/link.ts';
import type { Machine } from '../x86/machine.ts';
import { createMachine } from '../x86/machine.ts';
import type { Region, RegionSpec } from '../x86/memory.ts';
import { EXECUTE, offsetIn, READ, WRITE, writeBytes } from '../x86/memory.ts';
import type { Word } from '../x86/word.ts';
import { fromHex } from '../x86/word.ts';
import type { Windows } from './brought-data.ts';
import { createWindows, WINDOW_SPECS } from './brought-data.ts';
import { PAGES_MOST, PROGRAMS_MOST } from './code-place.ts';

/** Bottom of the calling task's stack, and its size: 16 KiB (`THREAD_SIZE`), the caller's frame at the upper end. */
export const STACK = fromHex('0xffffc90000100000');
export const STACK_BYTES = 0x4000;
/** What is seen of the caller's frame: its stack arguments, and words of its own above. */
export const CALLER_FRAME_BYTES = 0x100;

/** What nobody has written yet: recognisable in an event, undefined for a branch or an address. */
export const POISON = 0x5a5a5a5a;

/** What memory holds that no code was written to: text that is executed by mistake traps. */
export const INT3 = 0xcc;
const RET = 0xc3;

const CODE = READ | EXECUTE;

/** Few states have more pages of executable memory than these; a machine with room for no more is made in half the time. */
const FEW_PAGES = 16;

/**
 * A machine with the kernel's text in it. It is made once for a list of traced functions and used for thousands of
 * calls, in any states: what text holds in the state is compared with what is installed, and put right.
 */
export interface Room extends EntryForm {
  readonly machine: Machine;
  /** The machine's regions, in an array that may be changed. */
  readonly regions: Region[];
  readonly functions: readonly TracedFunction[];
  /** The number of each of them in the address space. */
  readonly places: readonly number[];
  readonly siteOffset: number;
  readonly stack: Region;
  readonly cFunctions: Region;
  readonly programs: Region;
  readonly traced: readonly Region[];
  readonly inner: readonly Inner[];
  readonly pages: readonly Slot[];
  /** Where data lies while it is read. */
  readonly windows: Windows;
  /** Bytes of each call site. */
  readonly sites: string[];
  /** Runs stop at every instruction that may be changed while it is executed, and at the start of each body. */
  readonly cuts: boolean;
}

/** A call inside ftrace's entry code. */
export interface Inner {
  readonly name: 'ftrace_call' | 'ftrace_regs_call';
  readonly region: Region;
  readonly offset: number;
  bytes: string;
}

/** Room for a page of executable memory. While that is not allocated, a region of no size has its place in the machine. */
export interface Slot {
  /** Number of the page: that of the slot, unless another was brought here (`bringPage()`). */
  at: number;
  mapped: Region;
  unmapped: Region;
  /** Undefined: not allocated. */
  bytes: string | undefined;
  patchable: readonly number[];
  seen: boolean;
}

/** The rooms that were used last, the latest first. */
const ROOMS: Room[] = [];
const ROOMS_MOST = 48;

/**
 * The room for a state, whatever text is in it, with the functions that a call can get to, in the state's order; with
 * `cuts`, one in which runs stop wherever others may interfere.
 */
export function roomFor(k: TextWorld, functions: readonly TracedFunction[], cuts = false): Room {
  const places = placesOf(k, functions);
  const { siteOffset } = k.text;
  const { jmpEntry, kretprobe } = profileNamed(k.profile);
  const form = { ibt: siteOffset > 0, jmp: jmpEntry, fullReturn: kretprobe === 'ret_stack' };
  const slots = slotsFor(k, cuts);
  const at = ROOMS.findIndex(
    (room) =>
      room.cuts === cuts &&
      room.siteOffset === siteOffset &&
      room.pages.length === slots &&
      room.jmp === form.jmp &&
      room.fullReturn === form.fullReturn &&
      areSame(room.functions, functions) &&
      room.places.every((place, i) => place === places[i]),
  );
  const room = at < 0 ? createRoom(functions, places, form, siteOffset, slots, cuts) : ROOMS[at]!;
  if (at === 0) return room;
  if (at > 0) ROOMS.splice(at, 1);
  ROOMS.unshift(room);
  ROOMS.length = Math.min(ROOMS.length, ROOMS_MOST);
  return room;
}

/** Room for the pages that a state has. Where runs stop at cuts, pages may come while one is under way. */
function slotsFor({ text }: TextWorld, cuts: boolean): number {
  if (cuts) return PAGES_MOST;
  for (const name in text.pages) if (text.pages[name]!.at >= FEW_PAGES) return PAGES_MOST;
  return FEW_PAGES;
}

/** A function's place in a list of all is its place in the address space; a shorter list keeps their order. */
function placesOf({ text }: TextWorld, functions: readonly TracedFunction[]): number[] {
  const places = functions.map(({ name }) => text.functions[name] ?? -1);
  const wrong = places.findIndex((place, i) => place <= (places[i - 1] ?? -1));
  if (wrong >= 0)
    throw new Error(
      `${functions[wrong]!.name} is function ${places[wrong]} of the state, and not in that order`,
    );
  return places;
}

/** Whether two lists say the same functions; most often it is a list of the very same ones. */
function areSame(a: readonly TracedFunction[], b: readonly TracedFunction[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !isSame(a[i]!, b[i]!)) return false;
  return true;
}

function isSame(a: TracedFunction, b: TracedFunction): boolean {
  if (a.name !== b.name || a.id !== b.id || a.nesting !== b.nesting || a.noreturn !== b.noreturn)
    return false;
  return a.signature === b.signature || printSignature(a.signature) === printSignature(b.signature);
}

function createRoom(
  functions: readonly TracedFunction[],
  places: readonly number[],
  form: EntryForm,
  siteOffset: number,
  slots: number,
  cuts: boolean,
): Room {
  const made = createMachine(regionSpecs(functions, places, slots), { stack: 'stack', data: 'stack' });
  const regions = [...made.regions];
  const machine: Machine = { ...made, regions };
  const named = (name: string) => regions.find((region) => region.name === name)!;
  const room: Room = {
    ...form,
    machine,
    regions,
    functions,
    places,
    siteOffset,
    stack: named('stack'),
    cFunctions: named('C functions'),
    programs: named('programs'),
    traced: functions.map(({ name }) => named(name)),
    inner: innerCalls(named),
    pages: Array.from({ length: slots }, (_, at) => slotOf(named(`page ${at}`), at)),
    windows: createWindows(regions),
    sites: functions.map(() => ''),
    cuts,
  };
  for (const { unmapped } of room.pages) regions[unmapped.number] = unmapped;
  fillCode(regions);
  for (const name of ENTRY_CODE) writeBytes(named(name), 0, entryCode(name, room));
  for (const [i, region] of room.traced.entries())
    writeBytes(region, 0, assembleFunction(functions, i, siteOffset, places));
  writeStubs(machine, room.cFunctions, 0);
  writeStubs(machine, room.programs, 1);
  setBreakpoint(machine, named('caller'), offsetIn(named('caller'), RUN_ENDS.hi, RUN_ENDS.lo));
  for (const region of regions) setCuts(room, region);
  return room;
}

function fillCode(regions: readonly Region[]): void {
  for (const region of regions)
    if ((region.permission & EXECUTE) !== 0) writeBytes(region, 0, new Uint8Array(region.size).fill(INT3));
}

/** Regions are searched in this order: what calls go through most often comes first. */
function regionSpecs(
  functions: readonly TracedFunction[],
  places: readonly number[],
  slots: number,
): RegionSpec[] {
  const code = (name: string, base: Word, size: number): RegionSpec => ({
    name,
    base,
    size,
    permission: CODE,
  });
  return [
    { name: 'stack', base: STACK, size: STACK_BYTES, permission: READ | WRITE },
    code('C functions', SPACE.STUBS, (C_FUNCTIONS.length + SPARE_STUBS) * STUB_BYTES),
    ...ENTRY_CODE.map((name) => code(name, entryAddress(name), ENTRY_BYTES)),
    ...functions.map(({ name }, order) => code(name, functionAddress(places[order]!), FUNCTION_CODE_BYTES)),
    code('programs', SPACE.PROGRAMS, (PROGRAMS_MOST + 1) * STUB_BYTES),
    ...Array.from({ length: slots }, (_, at) => code(`page ${at}`, pageAddress(at), PAGE_BYTES)),
    ...WINDOW_SPECS,
  ];
}

function innerCalls(named: (name: string) => Region): Inner[] {
  const inside = (name: Inner['name'], entry: 'ftrace_caller' | 'ftrace_regs_caller'): Inner => ({
    name,
    region: named(entry),
    offset: innerCallOffset(entry),
    bytes: '',
  });
  return [inside('ftrace_call', 'ftrace_caller'), inside('ftrace_regs_call', 'ftrace_regs_caller')];
}

function slotOf(region: Region, at: number): Slot {
  const unmapped = { ...region, size: 0 };
  return { at, mapped: region, unmapped, bytes: undefined, patchable: [], seen: false };
}

/**
 * A stub is a return with a breakpoint on it, where the model does what the function in C does. Programs are numbered
 * from 1.
 */
function writeStubs(machine: Machine, region: Region, first: number): void {
  for (let at = first * STUB_BYTES; at < region.size; at += STUB_BYTES) {
    writeBytes(region, at, [RET]);
    setBreakpoint(machine, region, at);
  }
}

/** In a room with cuts: runs stop at the instructions of a region that may be changed, and where a body starts. */
export function setCuts(room: Room, region: Region): void {
  if (room.cuts) for (const at of cutsIn(room, region)) setBreakpoint(room.machine, region, at);
}

function cutsIn({ traced, siteOffset, inner, pages }: Room, region: Region): readonly number[] {
  if (traced.includes(region)) return [siteOffset, siteOffset + SITE_BYTES];
  const call = inner.find((one) => one.region === region);
  if (call !== undefined) return [call.offset];
  return pages.find(({ mapped }) => mapped === region)?.patchable ?? [];
}
