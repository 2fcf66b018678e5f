import type { CallEvent } from '../core/event.ts';
import type { RoutineFrame } from '../core/world.ts';
import type { Kernel } from '../kernel.ts';
import type { Cpu } from '../text/cpu.ts';
import type { CallEnd, CallRequest } from './call-frame.ts';
import { resultOf } from './call-frame.ts';
import type { Advance, Caller } from './caller.ts';
import type { Room } from './machine-room.ts';
import { saveMachine } from './snapshot.ts';
import { takeThread } from './thread.ts';

/**
 * The task has got to another point. Its registers and stack leave the machine, for the next move may be of
 * another task.
 */
export function kept(
  room: Room,
  k: Kernel,
  caller: Caller,
  events: readonly CallEvent[],
  where: Pick<Caller, 'frames' | 'behind'> & Partial<Pick<Caller, 'trapped'>>,
): { readonly caller: Caller } {
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
): Advance {
  return { over: { ...resultOf(room, request, events, end), instructions: 0 }, thread: takeThread(k) };
}
