import { Oops } from '../core/oops.ts';
import { entry, item, present } from '../core/present.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import type { Grain } from '../task/advance.ts';
import { int3Handler, putDesc, searchHeld, tryGetDesc } from '../text/int3.ts';
import type { TextPlace } from '../text/text.ts';
import { SITE_BYTES } from '../text/text.ts';
import type { Fetch } from '../text/view.ts';
import { INT3, placeKey } from '../text/view.ts';
import { isBreakpoint } from '../x86/link.ts';
import type { Machine, MachineFault, Stop } from '../x86/machine.ts';
import { readRegister } from '../x86/machine.ts';
import type { Region } from '../x86/memory.ts';
import { offsetIn, readWord } from '../x86/memory.ts';
import { RSP } from '../x86/register.ts';
import { run } from '../x86/run.ts';
import type { Word } from '../x86/word.ts';
import { equal } from '../x86/word.ts';
import type { Room } from './machine-room.ts';
import type { Resumes } from './probed-place.ts';
import { executeProbed } from './probed-place.ts';
import { loadMachine, saveMachine } from './snapshot.ts';
import type { Stand } from './stand.ts';
import { install, resumeInPage } from './sync-text.ts';

/*
 * Reduction: the machine instructions between two points of a call are one move.
 *
 * A point is a place where another actor could make a difference or observe one: text that may be poked, a
 * function in C, the instructions of an image that a grace period may free, the end of the call. Between two
 * points a task reads and writes its own registers and its own stack, and fetches text that no operation changes,
 * so that each of these instructions commutes with every move of another actor, and no law checks a task there.
 * Hence each interleaving inside the segment equals one before or after it. Preemption and sleep at any
 * instruction of the segment have the same effect as at the point before it, for no flag that a grace period
 * checks changes in between. `grain: instruction` cuts at every instruction, and `reductions.test.ts` compares
 * the verdicts.
 */

/** The most instructions of a segment. */
const BUDGET = 20_000;

/**
 * Runs to the next point, from where a task is. A fetch at a place is one instruction, as is the return from
 * a function in C. Cut at every instruction, each is a segment. The breakpoint of the current point is no
 * obstacle: `run()` executes the instruction that it starts at.
 */
export function runToPoint(room: Room, { at: locals }: Stand, grain: Grain, brings: Brings): Stop {
  const { machine } = room;
  const single = locals === 'place' || locals === 'C function';
  const first = runBringing(room, single || grain === 'instruction' ? 1 : BUDGET, brings);
  if (first.kind !== 'budget' || !single || grain === 'instruction') return first;
  if (isBreakpoint(machine, first.at)) return { kind: 'breakpoint', at: first.at };
  const page = locals === 'C function' ? pageAt(room, first.at) : undefined;
  return page === undefined ? runBringing(room, BUDGET, brings) : runInPage(room, page, brings);
}

/** Puts data there that a fault says was read, or a page, if there is such. */
export interface Brings {
  readonly data: (fault: MachineFault) => boolean;
  readonly page: (address: Word) => boolean;
}

/**
 * Runs on where data, or a page, was not there yet. An instruction that faults on data has not been executed; a branch to
 * a page has.
 */
function runBringing({ machine }: Room, budget: number, brings: Brings): Stop {
  let end = machine.steps + budget;
  for (let left = budget + 1; left > 0; left--) {
    const stop = run(machine, end - machine.steps);
    if (stop.kind !== 'fault') return stop;
    const { fault } = stop;
    if (fault.kind === 'unmapped' && brings.page(fault.address)) {
      resumeInPage(machine, fault);
      if (machine.steps === end) return { kind: 'budget', at: { ...machine.rip } };
      if (!equal(fault.at, machine.rip) && isBreakpoint(machine, machine.rip))
        return { kind: 'breakpoint', at: { ...machine.rip } };
    } else if (brings.data(fault)) end = machine.steps + budget;
    else return stop;
  }
  return { kind: 'budget', at: { ...machine.rip } };
}

/** The page of executable memory that a task is in. */
function pageAt({ shown }: Room, { hi, lo }: Word): Region | undefined {
  return shown.find(({ mapped }) => offsetIn(mapped, hi, lo) < mapped.size)?.mapped;
}

/**
 * To the next point, from an instruction of a page. The last call may have dropped the reference that has kept the page so
 * far: when nothing else is called from there, the task stays before the page's last instructions.
 */
function runInPage(room: Room, page: Region, brings: Brings): Stop {
  const { machine } = room;
  const here = saveMachine(room);
  const stop = runBringing(room, BUDGET, brings);
  if (stop.kind === 'fault' || isCalledFrom(page, machine, stop.at)) return stop;
  loadMachine(room, here);
  return { kind: 'breakpoint', at: { ...machine.rip } };
}

/** Whether execution is in a page, or in something that was called from there. */
function isCalledFrom(page: Region, machine: Machine, address: Word): boolean {
  const isIn = ({ hi, lo }: Word) => offsetIn(page, hi, lo) < page.size;
  if (isIn(address)) return true;
  const top = readRegister(machine, RSP);
  const stack = machine.regions.find((region) => offsetIn(region, top.hi, top.lo) < region.size);
  return stack !== undefined && isIn(readWord(stack, offsetIn(stack, top.hi, top.lo)));
}

/** A task at an instruction that may be changed. */
interface AtPlace {
  readonly place: TextPlace;
  /** What its CPU fetches; a task in the handler of int3 has fetched already. */
  readonly fetch: Fetch | undefined;
  readonly trapped: boolean;
  readonly hit: () => Resumes;
}

/**
 * Executes it, or the handler of its int3: with a batch of text pokes to hold that is one move, and the rest another, with
 * interrupts disabled between them.
 */
export function executeAtPlace(
  room: Room,
  k: Kernel,
  { place, fetch, trapped, hit }: AtPlace,
): 'traps' | 'fetches again' | 'executes' {
  const fetched = trapped ? INT3_FETCHED : present(fetch, 'fetch of the task');
  if (trapped) searchHeld(k, place);
  else if (fetched.bytes === INT3 && tryGetDesc(k)) {
    k.current.preemptOff++;
    return 'traps';
  }
  const executes = putFetched(room, k, place, fetched, hit);
  if (trapped) {
    putDesc(k);
    k.current.preemptOff--;
  }
  return executes ? 'executes' : 'fetches again';
}

const INT3_FETCHED = { bytes: INT3, torn: false };

/**
 * Puts there what the CPU has fetched; the handler of int3 does what the new instruction does, or runs those of kprobes.
 * False: it returns to the place, whose int3 is gone, by an IRET, which serialises the CPU.
 */
function putFetched(
  room: Room,
  k: KernelView,
  place: TextPlace,
  { bytes, torn }: Pick<Fetch, 'bytes' | 'torn'>,
  hitProbe: () => Resumes,
): boolean {
  if (place.kind === 'probed') return executeProbed(room, k, place, bytes, hitProbe);
  if (torn) throw new Oops({ is: 'torn instruction', place: placeKey(place), bytes });
  const trap = bytes === INT3 ? int3Handler(k, place) : { emulates: bytes };
  if (trap === 'unhandled') throw new Oops({ is: 'unknown int3', place: placeKey(place) });
  if (trap === 'fetch again') return false;
  putAt(room, k, place, trap.emulates);
  return true;
}

function putAt(room: Room, k: KernelView, { kind, name, offset }: TextPlace, bytes: string): void {
  if (kind === 'site') {
    const order = entry(k.text.functions, name);
    if (room.sites[order] === bytes) return;
    room.sites[order] = bytes;
    install(room, item(room.traced, order), room.siteOffset, bytes);
  } else if (kind === 'inner') {
    const call = present(
      room.inner.find((inner) => inner.name === name),
      name,
    );
    if (call.bytes === bytes) return;
    call.bytes = bytes;
    install(room, call.region, call.offset, bytes);
  } else {
    const slot = item(room.pages, entry(k.text.pages, name).at);
    const index = 2 * offset;
    const before = present(slot.bytes, name);
    if (before.slice(index, index + 2 * SITE_BYTES) === bytes) return;
    slot.bytes = before.slice(0, index) + bytes + before.slice(index + bytes.length);
    install(room, slot.mapped, offset, bytes);
  }
}
