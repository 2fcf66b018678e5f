import { functionsCalled } from '../../model/call/call.ts';
import { PAGES_MOST } from '../../model/call/code-place.ts';
import type { Room } from '../../model/call/machine-room.ts';
import { roomFor } from '../../model/call/room-cache.ts';
import type { InKernel, RunMachine } from '../../model/call/run-code.ts';
import type { ActionOf } from '../../model/client/all.ts';
import { entry, item } from '../../model/core/present.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { CFunctions } from '../../model/text/cpu.ts';
import type { Text } from '../../model/text/text.ts';
import { forgetCode } from '../../model/x86/machine.ts';
import type { Region } from '../../model/x86/memory.ts';
import { EXECUTE } from '../../model/x86/memory.ts';
import { run } from '../../model/x86/run.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import type { CallSeen } from './call-seen.ts';
import { CRASH, callIn, readSeen } from './call-seen.ts';
import type { Read } from './read-watch.ts';
import { ReadWatch } from './read-watch.ts';

/** The events of a call, and everything that it depends on. */
export interface WatchedCall {
  readonly seen: CallSeen;
  readonly reads: readonly Read[];
}

type Call = ActionOf<'call'>;

/** The same in all kernels of one kind. */
const CONSTANT: ReadonlySet<string> = new Set(['profile', 'boot', 'functions']);

/** Makes a call in a copy of a kernel. */
export function watchedCall(k: Kernel, call: Call): WatchedCall {
  return executeWatched(k, call) ?? readWatched(k, call);
}

/** A call that depends on all text, whether it is executed or not. */
function readWatched(k: KernelView, call: Call): WatchedCall {
  const watch = new ReadWatch(copyKernel(k), CONSTANT);
  return { seen: callIn(watch.front, call), reads: watch.reads };
}

/**
 * A call that depends only on the text that is executed: functions in C are watched, and reads of pages are recorded
 * by the instructions decoded on them. Undefined: it depends on more, as a crash, data that is read from code, or
 * text that is changed.
 */
function executeWatched(k: Kernel, call: Call): WatchedCall | undefined {
  const kernel = copyKernel(k);
  if (Object.values(kernel.text.pages).some(({ at: index }) => index >= PAGES_MOST)) return undefined;
  const { front, reads } = new ReadWatch(kernel, CONSTANT);
  const functions = functionsCalled(kernel, call.fn);
  const room = roomFor(kernel, functions);
  const code = codeOf(room);
  for (const region of code) forgetCode(room.machine, region);
  noteOutline(
    front.text,
    functions.map(({ name }) => name),
  );
  const seen = callIn(kernel, call, programOn(front), runExecuteOnly(code));
  for (const region of code)
    if (item(room.regions, region.number).code === region.code) room.regions[region.number] = region;
  if (readSeen(seen).returned === CRASH || !isSameText(k.text, kernel.text)) return undefined;
  noteExecuted(front.text, k.text, room);
  return { seen, reads };
}

/** Regions of text that differ between kernels: pages that may be mapped, ftrace's entry code. */
function codeOf({ pages, inner }: Room): Region[] {
  return [...pages.map(({ mapped }) => mapped), ...new Set(inner.map(({ region }) => region))];
}

/** A data access to such text faults. */
function runExecuteOnly(code: readonly Region[]): RunMachine {
  const closed = code.map((region) => ({ ...region, permission: EXECUTE }));
  return (machine, budget) => {
    for (const region of closed) {
      const there = item(machine.regions, region.number);
      if (there.size > 0) (machine.regions as Region[])[region.number] = region;
    }
    return run(machine, budget);
  };
}

/** Functions in C unchanged, in a kernel that is watched. */
function programOn(front: Kernel): InKernel<Kernel> {
  const { cFunctions, run: runRoutine, memory, int3 } = KERNEL_PROGRAM;
  return {
    cFunctions: functionsOn(front, cFunctions),
    run: (_, routine, args) => runRoutine(front, routine, args),
    memory: (_, address) => memory?.(front, address),
    int3: (_, cpu, place) => int3?.(front, cpu, place) ?? true,
  };
}

function functionsOn(front: Kernel, functions: CFunctions<Kernel>): CFunctions<Kernel> {
  const watched: Record<string, CFunctions<Kernel>[string]> = {};
  for (const [name, inC] of Object.entries(functions))
    watched[name] =
      'atOnce' in inC
        ? { atOnce: (_, cpu, number) => inC.atOnce(front, cpu, number) }
        : { routine: inC.routine, give: (_, cpu, number) => inC.give(front, cpu, number) };
  return watched;
}

/** Reads what every call depends on: the sites of its functions, and whether those exist. */
function noteOutline({ sites, probed, modules }: Text, functions: readonly string[]): void {
  for (const name of functions) sites[name];
  JSON.stringify(probed);
  JSON.stringify(modules);
}

/** Reads the text of the decoded instructions. Two pages never share a place: others do not matter. */
function noteExecuted({ pages, inner }: Text, before: Text, room: Room): void {
  for (const { name, region } of room.inner) if (region.code.count > 0) inner[name];
  for (const name in before.pages) {
    if (item(room.pages, entry(before.pages, name).at).mapped.code.count === 0) continue;
    entry(pages, name).at;
    entry(pages, name).bytes;
  }
}

function isSameText(before: Text, after: Text): boolean {
  return (
    isSame(before.sites, after.sites) &&
    isSame(before.probed, after.probed) &&
    isSame(before.inner, after.inner) &&
    isSame(before.pages, after.pages, (page, other) => page.at === other.at && page.bytes === other.bytes)
  );
}

function isSame<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  equal = (item: T, other: T) => item === other,
): boolean {
  const names = Object.keys(after);
  return (
    names.length === Object.keys(before).length &&
    names.every((name) => name in before && equal(entry(before, name), entry(after, name)))
  );
}
