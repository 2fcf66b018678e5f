import type { CallEvent } from '../core/event.ts';
import type { FunctionName } from '../core/ids.ts';
import { nothingForbidden } from '../task/current.ts';
import type { Cpu } from '../text/cpu.ts';
import type { TextWorld } from '../text/text.ts';
import type { TracepointWorld } from '../tracepoint/tracepoint.ts';
import { isTracepoint } from '../tracepoint/tracepoint.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { functionsWithin } from '../trampoline/traced-function.ts';
import { run } from '../x86/run.ts';
import { UnsupportedInstruction } from '../x86/unsupported.ts';
import { BadAddress } from './c-function.ts';
import { badAddressOf, invalidOpcode } from './call-fault.ts';
import type { CallEnd, CallRequest, CallRun } from './call-frame.ts';
import { layOut, resultOf } from './call-frame.ts';
import type { Room } from './machine-room.ts';
import { roomFor } from './room-cache.ts';
import type { InKernel, RunMachine } from './run-code.ts';
import { CodeFault, callingCpu, runCode } from './run-code.ts';
import { syncText } from './sync-text.ts';

/**
 * Calls a function in a kernel state. The effects of functions in C are on `k` itself, its text included: the
 * rest of the call runs in the text that they leave. A task whose call does not return is gone, with all that
 * it forbade.
 *
 * Nothing interferes: this is the call of a sequence, one action after the other. It runs in a machine
 * without cuts, where int3 and partial pokes do not exist, because every operation has finished. `caller.ts`
 * is the same for interleavings.
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
  // Before the frame is laid out: the decoded text and the data windows belong to the last state that used
  // this machine.
  syncText(room, k);
  layOut(room, k, request);
  const stepsBefore = machine.steps;
  const events: CallEvent[] = [];
  const end = runToEnd(room, k, callingCpu(room, k, events, inKernel, runMachine), inKernel, runMachine);
  if (end !== 'returned') k.current = nothingForbidden();
  return { ...resultOf(room, request, events, end), instructions: machine.steps - stepsBefore };
}

/**
 * Runs until the traced function has returned to its caller, the task has ended, or the kernel would have
 * crashed. The three errors are those of the code that is executed, of addresses that C was given, and of
 * bytes that are no instruction; all others are the model's own and pass through.
 */
function runToEnd<K extends TextWorld>(
  room: Room,
  k: K,
  cpu: Cpu,
  inKernel: InKernel<K>,
  runMachine: RunMachine,
): CallEnd {
  try {
    return runCode(room, k, cpu, inKernel, runMachine);
  } catch (error) {
    if (error instanceof CodeFault) return { fault: error.crash };
    if (error instanceof BadAddress) return { fault: badAddressOf(room, k, error) };
    if (error instanceof UnsupportedInstruction) return { fault: invalidOpcode(room, k, error) };
    throw error;
  }
}

/** The functions that a call of one of them can reach; code of a tracepoint calls none of them. */
export function functionsCalled(
  k: TracepointWorld & { readonly functions: Readonly<Record<string, string>> },
  fn: FunctionName,
): TracedFunction[] {
  return isTracepoint(k, fn) ? [] : functionsWithin(k.functions, fn);
}
