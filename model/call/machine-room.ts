import type { Ip } from '../core/ids.ts';
import { item } from '../core/present.ts';
import type { EntryForm } from '../ftrace/entry/entry-code.ts';
import { entryAddress, entryCode, innerCallOffset, RUN_ENDS } from '../ftrace/entry/entry-code.ts';
import { probedAt } from '../text/body-address.ts';
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
import { SITE_BYTES } from '../text/text.ts';
import { assembleFunction } from '../trampoline/body.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { createMachine } from '../x86/create-machine.ts';
import { setBreakpoint } from '../x86/link.ts';
import type { Machine } from '../x86/machine.ts';
import { regionNamed } from '../x86/machine.ts';
import type { Region, RegionSpec } from '../x86/memory.ts';
import { EXECUTE, offsetIn, READ, WRITE, writeBytes } from '../x86/memory.ts';
import type { Word } from '../x86/word.ts';
import { fromHex } from '../x86/word.ts';
import type { Windows } from './brought-data.ts';
import { createWindows, WINDOW_SPECS } from './brought-data.ts';
import { PROGRAMS_MOST } from './code-place.ts';

/**
 * Bottom of the calling task's stack, in the vmalloc area as with CONFIG_VMAP_STACK, and its size: 16 KiB
 * (THREAD_SIZE, arch/x86/include/asm/page_64_types.h), the caller's frame at the upper end.
 */
export const STACK = fromHex('0xffffc90000100000');
export const STACK_BYTES = 0x4000;
/** The visible part of the caller's frame: its stack arguments, and its own words above. */
export const CALLER_FRAME_BYTES = 0x100;

/** Memory that was never written: recognisable in an event, undefined for a branch or an address. */
export const POISON = 0x5a5a5a5a;

/**
 * The content of code memory that no code was written to, as jit_fill_hole() in arch/x86/net/bpf_jit_comp.c
 * fills it: a stray jump there traps.
 */
export const INT3 = 0xcc;
const RET = 0xc3;

const CODE = READ | EXECUTE;

/**
 * A machine with the kernel's text in it. It is made once for a list of traced functions and used for
 * thousands of calls, in any states: the text of the state is compared with the installed text, and only
 * differences are written.
 *
 * ```text
 *  stack           the one task that runs; others are saved as text (`snapshot.ts`)
 *  C functions     a stub for each, with a breakpoint on its `ret`
 *  entry code      ftrace_caller and the others; their inner calls change with the state
 *  functions       traced functions; their call sites change
 *  programs        stubs of BPF programs, by number
 *  pages           images and copies of entry code; come and go
 *  windows         data of the state that code reads
 * ```
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
  readonly pages: readonly PageSlot[];
  /** Those of the pages that a machine with cuts has at present. */
  readonly shown: PageSlot[];
  /** Where data lies while it is read. */
  readonly windows: Windows;
  /** Bytes of each call site. */
  readonly sites: string[];
  /** The instructions of bodies that have an int3. The machine has the instruction, and runs stop before it. */
  readonly probed: Set<Ip>;
  /** Runs stop at every instruction that may be changed while it is executed, and at the start of each body. */
  readonly cuts: boolean;
}

/** A call inside ftrace's entry code, or the static call of the dispatcher. */
export interface Inner {
  readonly name: 'ftrace_call' | 'ftrace_regs_call' | 'bpf_dispatcher_xdp_call';
  readonly region: Region;
  readonly offset: number;
  bytes: string;
}

/** Room for a page of executable memory. While that is not allocated, a region of no size has its place in the machine. */
export interface PageSlot {
  /** Number of the page: that of the slot, unless another was loaded here (`bringPage()`). */
  at: number;
  mapped: Region;
  unmapped: Region;
  /** Undefined: not allocated. With cuts, those that it had when it was last in the machine. */
  bytes: string | undefined;
  patchable: readonly number[];
  seen: boolean;
}

/** A machine in which nothing was called yet. Pages and windows are replaced in its own list of regions. */
export function createRoom(
  functions: readonly TracedFunction[],
  places: readonly number[],
  form: EntryForm,
  siteOffset: number,
  slots: number,
  cuts: boolean,
): Room {
  const machine = createMachine(regionSpecs(functions, places, slots), { stack: 'stack', data: 'stack' });
  const regions = machine.regions as Region[];
  machine.regionsMove = true;
  const named = (name: string) => regionNamed(machine, name);
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
    inner: innerCalls(named, functions),
    pages: Array.from({ length: slots }, (_, index) => slotOf(named(`page ${index}`), index)),
    shown: [],
    windows: createWindows(regions),
    sites: functions.map(() => ''),
    probed: new Set(),
    cuts,
  };
  fillCode(room);
  for (const name of ENTRY_CODE) writeBytes(named(name), 0, entryCode(name, room));
  for (const [i, region] of room.traced.entries())
    writeBytes(region, 0, assembleFunction(functions, i, siteOffset, places));
  setStops(room, named('caller'));
  return room;
}

/** The breakpoints at which runs stop; of the caller's code, the one after its call. */
function setStops(room: Room, caller: Region): void {
  const { machine, regions, cFunctions, programs } = room;
  writeStubs(machine, cFunctions, 0);
  writeStubs(machine, programs, 1);
  setBreakpoint(machine, caller, offsetIn(caller, RUN_ENDS.hi, RUN_ENDS.lo));
  for (const region of regions) setCuts(room, region);
}

/** All code memory before anything is written to it, and its bytes get the tag CONSTANT; no page is mapped. */
function fillCode({ regions, pages }: Room): void {
  for (const { unmapped } of pages) regions[unmapped.number] = unmapped;
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
    ...functions.map(({ name }, order) =>
      code(name, functionAddress(item(places, order)), FUNCTION_CODE_BYTES),
    ),
    code('programs', SPACE.PROGRAMS, (PROGRAMS_MOST + 1) * STUB_BYTES),
    ...Array.from({ length: slots }, (_, index) => code(`page ${index}`, pageAddress(index), PAGE_BYTES)),
    ...WINDOW_SPECS,
  ];
}

function innerCalls(named: (name: string) => Region, functions: readonly TracedFunction[]): Inner[] {
  const inside = (name: Inner['name'], entry: 'ftrace_caller' | 'ftrace_regs_caller'): Inner => ({
    name,
    region: named(entry),
    offset: innerCallOffset(entry),
    bytes: '',
  });
  const call = 'bpf_dispatcher_xdp_call';
  const dispatched = functions.some(({ nesting }) => nesting === 'dispatcher');
  return [
    inside('ftrace_call', 'ftrace_caller'),
    inside('ftrace_regs_call', 'ftrace_regs_caller'),
    ...(dispatched ? [{ name: call, region: named(call), offset: 0, bytes: '' } as const] : []),
  ];
}

function slotOf(region: Region, index: number): PageSlot {
  const unmapped = { ...region, size: 0 };
  return { at: index, mapped: region, unmapped, bytes: undefined, patchable: [], seen: false };
}

/**
 * A stub is a return with a breakpoint on it, where the model executes the function in C on the state. Then
 * the `ret` itself runs: the return address is read from the stack, as it is at that time. Programs are
 * numbered from 1.
 */
function writeStubs(machine: Machine, region: Region, first: number): void {
  for (let index = first * STUB_BYTES; index < region.size; index += STUB_BYTES) {
    writeBytes(region, index, [RET]);
    setBreakpoint(machine, region, index);
  }
}

/**
 * Runs stop at the breakpoints of a region; in a machine with cuts also at its instructions that may be changed, and
 * where a body starts.
 */
export function setCuts(room: Room, region: Region): void {
  for (const ip of room.probed) {
    const { name, offset } = probedAt(ip);
    if (region.name === name) setBreakpoint(room.machine, region, offset);
  }
  if (room.cuts) for (const index of cutsIn(room, region)) setBreakpoint(room.machine, region, index);
}

/**
 * Offsets of the instructions that text_poke_bp_batch() may change: call sites, the calls in entry code,
 * patchable instructions of images. A body's start is the point where a task has left the call site.
 */
function cutsIn({ traced, siteOffset, inner, pages }: Room, region: Region): readonly number[] {
  if (traced.includes(region)) return [siteOffset, siteOffset + SITE_BYTES];
  const call = inner.find((inner) => inner.region === region);
  if (call !== undefined) return [call.offset];
  return pages.find(({ mapped }) => mapped === region)?.patchable ?? [];
}
