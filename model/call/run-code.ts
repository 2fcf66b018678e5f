import type { CodeCause } from '../core/crash.ts';
import { crashText } from '../core/crash-words.ts';
import type { CallEvent } from '../core/event.ts';
import { NotModelled } from '../core/not-modelled.ts';
import type { RunRoutine } from '../core/run.ts';
import { RUN_ENDS } from '../ftrace/entry/entry-code.ts';
import type { CFunctions, Cpu } from '../text/cpu.ts';
import type { ReadsMemory } from '../text/memory-object.ts';
import type { TextPlace, TextView, TextWorld } from '../text/text.ts';
import { readText, SITE_BYTES } from '../text/text.ts';
import { INT3, placeKey } from '../text/view.ts';
import type { Machine, MachineFault, Stop } from '../x86/machine.ts';
import { RSP } from '../x86/register.ts';
import { run } from '../x86/run.ts';
import type { Word } from '../x86/word.ts';
import { equal, plus } from '../x86/word.ts';
import { bringData } from './brought-data.ts';
import { callC, cFunctionAt, cpuOf } from './c-function.ts';
import { faultOf } from './call-fault.ts';
import { TASK_ENDS } from './call-frame.ts';
import { whereabouts } from './code-place.ts';
import type { Room } from './machine-room.ts';
import type { Resumes } from './probed-place.ts';
import { executeProbed } from './probed-place.ts';
import { standAt } from './stand.ts';
import { bringPage, resumeInPage, syncText } from './sync-text.ts';

/** Instructions of one call, at most. */
const BUDGET = 200_000;

/** What text calls: functions in C by name, and how those of them are run that are routines. */
export interface InKernel<K> {
  readonly cFunctions: CFunctions<K>;
  readonly run: RunRoutine;
  /** What data it has in memory; none if nothing is said. */
  readonly memory?: ReadsMemory<K>;
  /** What the int3 of a kprobe in a body does, and where the CPU continues. */
  readonly int3?: (k: K, cpu: Cpu, place: TextPlace) => Resumes;
}

/** Runs a machine to a breakpoint, a fault, or for a number of instructions; `events`: those of the call until then. */
export type RunMachine = (machine: Machine, budget: number, events: readonly CallEvent[]) => Stop;

/** Code that is executed does not come to its end. */
export class CodeFault extends Error {
  override name = 'CodeFault';
  constructor(readonly crash: CodeCause) {
    super(crashText(crash));
  }
}

/** The task has ended in code that a function in C called: that function does not continue. */
export class TaskEnded extends Error {
  override name = 'TaskEnded';
}

/**
 * Runs until execution returns to its caller, `RUN_ENDS`, or the task has ended; throws a CodeFault when it
 * does neither. Stops at instructions that may be changed are skipped.
 */
export function runCode<K extends TextWorld>(
  room: Room,
  k: K,
  cpu: Cpu,
  inKernel: InKernel<K>,
  runMachine: RunMachine,
): 'returned' | 'gone' {
  const { machine } = room;
  const { cFunctions, run: runRoutine, memory } = inKernel;
  const end = machine.steps + BUDGET;
  for (;;) {
    const stop = runMachine(machine, end - machine.steps, cpu.events);
    // Two kinds are no faults of the code: a page, or data of the state, that this machine has not loaded yet.
    if (stop.kind === 'fault') {
      if (goesOn(room, k, stop.fault) || bringData(room, k, memory, stop.fault)) continue;
      throw new CodeFault(faultOf(k, stop.fault));
    }
    if (stop.kind !== 'breakpoint')
      throw new CodeFault({ is: 'endless', at: whereabouts(k, stop.at), instructions: BUDGET });
    if (equal(stop.at, RUN_ENDS)) return 'returned';
    if (room.probed.size > 0) {
      const stand = standAt(room, k, stop.at);
      if (stand.at === 'place' && stand.place.kind === 'probed') {
        const { place } = stand;
        const now = readText(k, place, SITE_BYTES);
        const fetched = now.startsWith(INT3) ? INT3 : now;
        executeProbed(room, k, place, fetched, () => hitInt3(k, cpu, place, inKernel));
        continue;
      }
    }
    if (!returnsFrom(() => callC(machine, k, cFunctionAt(room, k, stop.at, cFunctions), cpu, runRoutine)))
      return 'gone';
    if (equal(stop.at, TASK_ENDS)) return 'gone';
    // The function may have poked text, freed an image or changed data.
    syncText(room, k);
  }
}

/** Whether a function in C returns: code that it calls may end the task. */
function returnsFrom(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (error instanceof TaskEnded) return false;
    throw error;
  }
}

/** A kprobe's int3 in a body: its handlers run. The instruction itself is executed by the machine. */
export function hitInt3<K>(k: K, cpu: Cpu, place: TextPlace, { int3 }: InKernel<K>): Resumes {
  if (int3 === undefined)
    throw new NotModelled(`${placeKey(place)} has a breakpoint, and nothing says what it does`);
  return int3(k, cpu, place);
}

/** Resumes where a page was not in the machine yet; without cuts, one that is only read need not be allocated. */
function goesOn(room: Room, k: TextView, fault: MachineFault): boolean {
  if (fault.kind !== 'unmapped' || (fault.access !== 'execute' && !room.cuts)) return false;
  if (!bringPage(room, k, fault.address)) return false;
  resumeInPage(room.machine, fault);
  return true;
}

/**
 * The CPU as functions in C see it that may call code through a pointer, as a handler of function graph does
 * in some designs. Calls nest: C calls code, which calls C.
 */
export function callingCpu<K extends TextWorld>(
  room: Room,
  k: K,
  events: CallEvent[],
  inKernel: InKernel<K>,
  runMachine: RunMachine = run,
): Cpu {
  const own = cpuOf(room.machine, events);
  const brought = (address: Word) => {
    if (room.cuts) bringPage(room, k, address);
    return address;
  };
  const cpu: Cpu = {
    ...own,
    read: (address) => own.read(brought(address)),
    write: (address, value) => own.write(brought(address), value),
    callCode: (code, top) => {
      callCode(room.machine, cpu, code, top, () => runCode(room, k, cpu, inKernel, runMachine));
    },
  };
  return cpu;
}

/**
 * The function in C is at its stub throughout, and has its stack frame from `top` upwards:
 *
 * ```text
 *  own rsp    return address of the function in C
 *  top        what it keeps for the code: context, saved registers
 *  top - 8    RUN_ENDS: the code's return address, where the nested run stops
 *  ...        frame of the code
 * ```
 *
 * The code has to return with `rsp` at `top`. Other registers are not restored: the function in C destroys
 * them when it returns.
 */
function callCode({ rip }: Machine, cpu: Cpu, code: Word, top: Word, runIt: () => 'returned' | 'gone'): void {
  const stub = { ...rip };
  const own = cpu.register(RSP);
  const below = plus(top, -8);
  cpu.write(below, RUN_ENDS);
  cpu.setRegister(RSP, below);
  Object.assign(rip, code);
  if (runIt() === 'gone') throw new TaskEnded();
  if (!equal(cpu.register(RSP), top)) throw new CodeFault({ is: 'lost stack' });
  cpu.setRegister(RSP, own);
  Object.assign(rip, stub);
}
