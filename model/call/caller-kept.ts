import type { CallEvent } from '../core/event.ts';
import type { RoutineFrame } from '../core/world.ts';
import type { Kernel } from '../kernel.ts';
import type { Cpu } from '../text/cpu.ts';
import type { CallEnd, CallRequest } from './call-frame.ts';
import { resultOf } from './call-frame.ts';
import type { Advance } from './caller.ts';
import type { Room } from './machine-room.ts';
import { saveMachine } from './snapshot.ts';
import type { Thread } from './thread.ts';
import { takeThread } from './thread.ts';

/** A call from the inside: all that decides how it continues. */
export interface CallInProgress {
  readonly request: CallRequest;
  /** Registers and stack, as `snapshot.ts` writes them. */
  readonly machine: string;
  readonly thread: Thread;
  readonly events: readonly CallEvent[];
  /** While it is in a function in C that is a routine: how far it has got there. */
  readonly frames: readonly RoutineFrame[] | null;
  /** The function in C that has just returned, if the task has not reached its next point. */
  readonly behind: string;
  /** It is in the int3 handler of its place, and holds the batch of text pokes (`int3.ts`). */
  readonly trapped: boolean;
}

/**
 * The task has got to another point. Its registers and stack leave the machine, for the next move may be of
 * another task.
 */
export function kept<C extends CallInProgress>(
  room: Room,
  k: Kernel,
  caller: C,
  events: readonly CallEvent[],
  where: Pick<CallInProgress, 'frames' | 'behind'> & Partial<Pick<CallInProgress, 'trapped'>>,
): { readonly caller: C } {
  const saved = { machine: saveMachine(room), thread: takeThread(k), events };
  return { caller: { ...caller, ...saved, trapped: false, ...where } };
}

/** The CPU is no plain data: it is taken out of locals that are kept, and put in again. */
export function withCpu(frame: RoutineFrame, cpu: Cpu | null): RoutineFrame {
  return 'cpu' in frame.locals ? { ...frame, locals: { ...frame.locals, cpu } } : frame;
}

/** The task's part of the state goes with its call. */
export function over(
  room: Room,
  k: Kernel,
  request: CallRequest,
  events: readonly CallEvent[],
  end: CallEnd,
): Advance<never> {
  return { over: { ...resultOf(room, request, events, end), instructions: 0 }, thread: takeThread(k) };
}
