import { bringData } from './brought-data.ts';
import { BadAddress, callC, cFunctionAt, cpuOf } from './c-function.ts';
import { describeBadAddress, describeFault, withPlace } from './call-fault.ts';
import type { CallEnd, CallRequest, CallRun } from './call-frame.ts';
import { layOut, resultOf, TASK_ENDS } from './call-frame.ts';
import { codePlace } from './code-place.ts';
import type { CallEvent } from './core/event.ts';
import type { RunRoutine } from './core/run.ts';
import { RUN_ENDS } from './ftrace/entry/entry-code.ts';
import type { Room } from './machine-room.ts';
import { roomFor } from './machine-room.ts';
import { bringPage, syncText } from './sync-text.ts';
import { nothingForbidden } from './task/current.ts';
import type { CFunctions, Cpu } from './text/cpu.ts';
import type { ReadsMemory } from './text/memory-object.ts';
import type { TextWorld } from './text/text.ts';
import type { TracedFunction } from './trampoline/traced-function.ts';
import { run } from './x86/execute.ts';
import type { Fault, Machine, Stop } from './x86/machine.ts';
import { UnsupportedInstruction } from './x86/unsupported.ts';
import { equal } from './x86/word.ts';

/** Instructions of one call, at the most. */
const BUDGET = 200_000;

/** What text calls: functions in C by name, and how those of them are run that are routines. */
export interface InKernel<K> {
  readonly cFunctions: CFunctions<K>;
  readonly run: RunRoutine;
  /** What data it has in memory; none if nothing is said. */
  readonly memory?: ReadsMemory<K>;
}

/** Runs a machine to a breakpoint, a fault, or for so many instructions. */
export type RunMachine = (machine: Machine, budget: number) => Stop;

/**
 * Calls a function in a kernel state. What functions in C do to the state is done to `k` itself, its text included: the
 * rest of the call runs in the text that they leave. A task whose call does not return is gone, with all that it forbade.
 */
export function runCall<K extends TextWorld>(
  k: K,
  functions: readonly TracedFunction[],
  request: CallRequest,
  inKernel: InKernel<K>,
  runMachine: RunMachine = run,
): CallRun {
  const room = roomFor(k, functions);
  const { machine } = room;
  syncText(room, k);
  layOut(room, k, request);
  const stepsBefore = machine.steps;
  const events: CallEvent[] = [];
  const end = runToEnd(room, k, cpuOf(machine, events), inKernel, runMachine);
  if (end !== 'returned') k.current = nothingForbidden();
  return { ...resultOf(room, request, events, end), instructions: machine.steps - stepsBefore };
}

/** Goes on at the first instruction of a page that was not in the room yet: what leads there has been done. */
function goesOn(room: Room, k: TextWorld, { access, kind, address }: Fault): boolean {
  if (access !== 'execute' || kind !== 'unmapped' || !bringPage(room, k, address)) return false;
  Object.assign(room.machine.rip, address);
  return true;
}

/** Runs until the traced function has returned to its caller, or does not any more. */
function runToEnd<K extends TextWorld>(
  room: Room,
  k: K,
  cpu: Cpu,
  { cFunctions, run: runRoutine, memory }: InKernel<K>,
  runMachine: RunMachine,
): CallEnd {
  const { machine } = room;
  const end = machine.steps + BUDGET;
  try {
    for (;;) {
      const stop = runMachine(machine, end - machine.steps);
      if (stop.kind === 'fault') {
        if (!goesOn(room, k, stop.fault) && !bringData(room, k, memory, stop.fault))
          return { fault: describeFault(k, stop.fault) };
        continue;
      }
      if (stop.kind !== 'breakpoint')
        return { fault: `does not end within ${BUDGET} instructions, at ${codePlace(k, stop.at)}` };
      if (equal(stop.at, RUN_ENDS)) return 'returned';
      callC(machine, k, cFunctionAt(room, k, stop.at, cFunctions), cpu, runRoutine);
      if (equal(stop.at, TASK_ENDS)) return 'gone';
      syncText(room, k);
    }
  } catch (error) {
    if (error instanceof BadAddress) return { fault: describeBadAddress(room, k, error) };
    if (error instanceof UnsupportedInstruction) throw withPlace(room, k, error);
    throw error;
  }
}
