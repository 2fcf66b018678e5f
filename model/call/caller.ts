import type { Crash } from '../core/crash.ts';
import type { CallEvent } from '../core/event.ts';
import { Oops } from '../core/oops.ts';
import type { Operation } from '../core/run.ts';
import { startOperation } from '../core/run.ts';
import type { RoutineFrame } from '../core/world.ts';
import { RUN_ENDS } from '../ftrace/entry/entry-code.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import type { Grain } from '../task/advance.ts';
import { advance } from '../task/advance.ts';
import type { Context, Current } from '../task/current.ts';
import type { Cpu } from '../text/cpu.ts';
import type { TextPlace } from '../text/text.ts';
import type { Fetch } from '../text/view.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { UnsupportedInstruction } from '../x86/unsupported.ts';
import { equal } from '../x86/word.ts';
import { bringData } from './brought-data.ts';
import { BadAddress, cFunctionAt, enterC, leaveC } from './c-function.ts';
import { badAddressOf, faultOf, invalidOpcode, isInSharedPage } from './call-fault.ts';
import type { CallRequest, CallRun } from './call-frame.ts';
import { layOut, TASK_ENDS } from './call-frame.ts';
import type { CallInProgress } from './caller-kept.ts';
import { kept, over, withCpu } from './caller-kept.ts';
import { codePlace, whereabouts } from './code-place.ts';
import { crashOf } from './exception.ts';
import type { KernelProgram } from './kernel-program.ts';
import type { Room } from './machine-room.ts';
import { roomFor } from './room-cache.ts';
import { CodeFault, callingCpu, hitInt3, TaskEnded } from './run-code.ts';
import { loadMachine, savedRip, saveMachine } from './snapshot.ts';
import type { Stand } from './stand.ts';
import { standAt } from './stand.ts';
import type { Brings } from './stretch.ts';
import { executeAtPlace, runToPoint } from './stretch.ts';
import { bringPage, syncText } from './sync-text.ts';
import type { Misses, Thread } from './thread.ts';
import { giveThread, idleThread } from './thread.ts';

/** A task in the middle of a call, or before it: plain data. */
export interface Caller extends CallInProgress {
  /** What its call has added to counters of misses, by client: noted by the search, which sees them grow. */
  readonly missed: Readonly<Record<string, Misses>>;
  /** The call is one that an interrupt makes: what it came into the middle of. */
  readonly interrupted: Caller | null;
  /** The interrupt that makes it: its bit; 0: the call is the task's own. */
  readonly by: number;
  /** The bits of the interrupts that have come already. */
  readonly came: number;
  /** Of one that an interrupt has come into: how many operations of each client had ended when it began. */
  readonly since: number;
}

/** The result of a segment of execution: the task is at another point, its call is over, or the kernel crashed. */
export type Advance<C = CallInProgress> =
  /** Serialised: the task met an int3 that no longer is there, and executes its place again. */
  | { readonly caller: C; readonly isSerialised?: true }
  | { readonly over: CallRun; readonly thread: Thread }
  | { readonly crash: Crash };

/** Runs the calls of tasks from point to point, in whatever state the kernel is. */
export class CallRunner {
  constructor(
    private readonly functions: readonly TracedFunction[],
    private readonly program: KernelProgram,
    private readonly grain: Grain = 'visible',
  ) {}

  /** A task before its call. */
  begin(k: KernelView, request: CallRequest): Caller {
    const room = this.roomOf(k);
    layOut(room, k, request);
    return {
      request,
      machine: saveMachine(room),
      thread: threadFor(this.functions.find(({ name }) => name === request.fn)),
      events: [],
      missed: {},
      frames: null,
      behind: '',
      trapped: false,
      interrupted: null,
      by: 0,
      came: 0,
      since: 0,
    };
  }

  /**
   * An interrupt comes while a task is in its call, and makes a call of its own, on the task's CPU, with what the task has
   * forbidden, and preemption besides (HARDIRQ_OFFSET, irq_enter_rcu() in kernel/softirq.c). `front` is the task before
   * that call, in the context of the interrupt.
   *
   * `current` stays the interrupted task: the call shares its shadow stack, its rethook list and its `bpf_ctx`. Its
   * registers and its stack are its own, as on the CPU's interrupt stack.
   */
  interrupt(caller: Caller, front: Caller): Caller {
    const { current } = caller.thread;
    // One that preempt_count does not count yet is in the context of what it interrupts.
    const context = Math.max(current.context, front.thread.current.context) as Context;
    const early = front.thread.current.early;
    const forbidden: Current = { ...current, preemptOff: current.preemptOff + 1, context, early };
    const thread = { ...caller.thread, current: forbidden };
    return { ...front, thread, interrupted: caller, came: caller.came | front.by };
  }

  /** The interrupt is over: the task resumes where it was. `came`: the interrupts that have come by then. */
  resume({ current, ...thread }: Thread, interrupted: Caller, came: number): Caller {
    const { context, early } = interrupted.thread.current;
    const allowed = { ...current, preemptOff: current.preemptOff - 1, context, early };
    return { ...interrupted, thread: { ...thread, current: allowed }, came };
  }

  /** What a task is about to do. */
  standOf(k: KernelView, { machine }: CallInProgress): Stand {
    return standAt(this.roomOf(k), k, savedRip(machine));
  }

  /** Name of the address that a task is at. */
  placeOf(k: KernelView, { machine }: CallInProgress): string {
    return codePlace(k, savedRip(machine));
  }

  /**
   * Runs a task to its next point, changing the state. When it is at an instruction that may be changed,
   * `fetch` says what its CPU fetches.
   */
  advance<C extends CallInProgress>(k: Kernel, caller: C, fetch: Fetch | undefined): Advance<C> {
    const room = this.roomOf(k);
    loadMachine(room, caller.machine);
    giveThread(k, caller.thread);
    const events = [...caller.events];
    try {
      return this.goOn(room, k, caller, fetch, events);
    } catch (error) {
      if (error instanceof Oops || error instanceof CodeFault) return { crash: error.crash };
      if (error instanceof TaskEnded) return over(room, k, caller.request, events, 'gone');
      if (error instanceof BadAddress) return { crash: badAddressOf(room, k, error) };
      if (!(error instanceof UnsupportedInstruction)) return { crash: crashOf(error) };
      const { at: address } = error;
      if (isInSharedPage(k, address)) return { crash: { is: 'written over', at: whereabouts(k, address) } };
      return { crash: invalidOpcode(room, k, error) };
    }
  }

  private goOn<C extends CallInProgress>(
    room: Room,
    k: Kernel,
    caller: C,
    fetch: Fetch | undefined,
    events: CallEvent[],
  ): Advance<C> {
    // A task in C is at the stub's address: `frames` says how far it has got, null before the first step.
    // After the last one the stub's `ret` runs.
    const { machine } = room;
    const { request, frames } = caller;
    const stand = standAt(room, k, machine.rip);
    if (stand.at === 'C function') {
      const locals = { ...machine.rip };
      const inside = this.runInC(room, k, frames, callingCpu(room, k, events, this.program));
      // Still inside: the registers are those of the call, no instruction has run.
      if (inside !== null) return kept(room, k, caller, events, { frames: inside, behind: '' });
      if (equal(locals, TASK_ENDS)) return over(room, k, request, events, 'gone');
      syncText(room, k);
    } else if (stand.at === 'place') {
      const stays = this.runAtPlace(room, k, caller, stand.place, fetch, events);
      if (stays !== undefined) return stays;
    }
    const brings: Brings = {
      data: (fault) => bringData(room, k, this.program.memory, fault),
      page: (address) => bringPage(room, k, address),
    };
    const stop = runToPoint(room, stand, this.grain, brings);
    // A fault ends the run as an oops does: no access of modelled code has an entry in the exception table.
    if (stop.kind === 'fault') return { crash: faultOf(k, stop.fault, caller.behind) };
    if (stop.kind === 'budget' && this.grain === 'visible')
      return { crash: { is: 'endless', at: whereabouts(k, stop.at), instructions: undefined } };
    if (equal(stop.at, RUN_ENDS)) return over(room, k, request, events, 'returned');
    machine.rip.hi = stop.at.hi;
    machine.rip.lo = stop.at.lo;
    const comesBack = stand.at === 'C function' && standAt(room, k, stop.at).at === 'text';
    return kept(room, k, caller, events, { frames: null, behind: comesBack ? stand.name : '' });
  }

  /**
   * The instruction is one that text_poke_bp_batch() may be changing: memory does not decide what executes, the CPU's
   * fetch does. Undefined: the task leaves the place.
   */
  private runAtPlace<C extends CallInProgress>(
    room: Room,
    k: Kernel,
    caller: C,
    place: TextPlace,
    fetch: Fetch | undefined,
    events: CallEvent[],
  ): Advance<C> | undefined {
    const { frames, behind, trapped } = caller;
    const hit = () => hitInt3(k, callingCpu(room, k, events, this.program), place, this.program);
    const went = executeAtPlace(room, k, { place, fetch, trapped, hit });
    if (went === 'executes') return undefined;
    const stays = kept(room, k, caller, events, { frames, behind, trapped: went === 'traps' });
    return went === 'traps' ? stays : { ...stays, isSerialised: true };
  }

  /** The next step of a function in C; null when it returns. */
  private runInC(
    room: Room,
    k: Kernel,
    frames: readonly RoutineFrame[] | null,
    cpu: Cpu,
  ): RoutineFrame[] | null {
    const { machine } = room;
    const { inC, number } = cFunctionAt(room, k, machine.rip, this.program.cFunctions);
    if (frames === null) enterC(machine);
    if ('atOnce' in inC) inC.atOnce(k, cpu, number);
    else {
      const operation: Operation =
        frames === null
          ? startOperation(this.program, inC.routine, inC.give(k, cpu, number))
          : { frames: frames.map((frame) => withCpu(copied(frame), cpu)) };
      const ended = advance(this.program, k, operation, this.grain);
      if (ended === undefined) return operation.frames.map((frame) => withCpu(frame, null));
    }
    leaveC(machine);
    return null;
  }

  private roomOf(k: KernelView): Room {
    const room = roomFor(k, this.functions, true);
    syncText(room, k);
    return room;
  }
}

/** A deep copy of plain data, for a fraction of what structuredClone() takes. */
function copied<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as T & object;
  for (const key in copy) copy[key] = copied(copy[key]);
  return copy;
}

/** What runs a BPF program holds rcu_read_lock() for it. */
function threadFor(fn: TracedFunction | undefined): Thread {
  const thread = idleThread();
  return fn?.bpf === true ? { ...thread, current: { ...thread.current, rcu: 1 } } : thread;
}
