import type { Crash } from './crash.ts';
import { crashText } from './crash-words.ts';
import type { Errno } from './errno.ts';
import type { Instruction, RefuseInstruction } from './instruction.ts';
import { DO } from './instruction.ts';
import type { LinkedRoutines } from './link.ts';
import { NotModelled } from './not-modelled.ts';
import type { Flavour, Locals, Name } from './part.ts';
import { unreachable } from './unreachable.ts';
import type { Ended, Loop, RoutineFrame, World, WorldView } from './world.ts';

/** An operation: the routine that a client called, and those that it is in, the innermost last. */
export interface Operation {
  frames: RoutineFrame[];
  /** By what name it holds locks; the routine that takes one, when nothing is said. */
  readonly who?: string;
}

/** An observer of a running operation, for reports and for coverage. */
export interface Watch {
  /** An instruction of an operation is about to run, with these locals of its routine. */
  readonly step?: (instruction: Instruction, k: World, locals: Locals, operation: Operation) => void;
  /** A return site was taken. */
  readonly refused?: (instruction: RefuseInstruction, errno: Errno) => void;
}

/** A lock was asked for that is held: the task waits for ever. */
export class Hung extends Error {
  override name = 'Hung';
  constructor(readonly crash: Crash<'deadlock'>) {
    super(crashText(crash));
  }
}

export function startOperation(program: LinkedRoutines, routine: string, args: object): Operation {
  const pc = program.entries.get(routine);
  if (pc === undefined) throw new Error(`${routine} is not part of the program`);
  return { frames: [{ pc, locals: { ...args } }] };
}

/**
 * Executes one instruction; gives the operation's result when that was its last. One switch on purpose: it
 * defines the instructions, and it runs for every step of every search.
 */
export function stepOperation(
  program: LinkedRoutines,
  k: World,
  operation: Operation,
  watch: Watch,
): Ended | undefined {
  const { frames } = operation;
  const frame = innermost(frames);
  const instruction = instructionAt(program, frame);
  program.executed[frame.pc] = 1;
  watch.step?.(instruction, k, frame.locals, operation);
  switch (instruction.do) {
    case DO.STEP:
      instruction.run(k, frame.locals);
      frame.pc++;
      return undefined;
    case DO.REFUSE: {
      const errno = instruction.find(k, frame.locals);
      if (errno === undefined) frame.pc++;
      else {
        watch.refused?.(instruction, errno);
        leave(frame, instruction, errno);
      }
      return undefined;
    }
    case DO.FINISH:
      if (instruction.when(k, frame.locals)) leave(frame, instruction, 0);
      else frame.pc++;
      return undefined;
    case DO.LOCK: {
      const lock = nameOf(instruction.lock, k, frame.locals);
      const holder = k.locks[lock];
      // One operation runs at a time here: no other can release the lock. The explorer tests `blockedOn()`
      // first.
      if (holder !== undefined)
        throw new Hung({ is: 'deadlock', routine: instruction.routine, lock, holder });
      k.locks[lock] = operation.who ?? instruction.routine;
      frame.pc++;
      return undefined;
    }
    case DO.TRYLOCK: {
      const lock = nameOf(instruction.lock, k, frame.locals);
      if (k.locks[lock] !== undefined) frame.pc = instruction.target;
      else {
        k.locks[lock] = operation.who ?? instruction.routine;
        frame.pc++;
      }
      return undefined;
    }
    case DO.UNLOCK:
      delete k.locks[nameOf(instruction.lock, k, frame.locals)];
      frame.pc = frame.end === undefined ? frame.pc + 1 : instruction.handler;
      return undefined;
    case DO.BRANCH:
      frame.pc = instruction.when(k, frame.locals) ? frame.pc + 1 : instruction.target;
      return undefined;
    case DO.JUMP:
      frame.pc = instruction.target;
      return undefined;
    case DO.LOOP:
      frame.loops ??= {};
      frame.loops[instruction.target] = { list: [...instruction.list(k, frame.locals)], next: 0 };
      frame.pc++;
      return undefined;
    case DO.NEXT: {
      const loop = loopAt(frame, frame.pc);
      if (loop.next < loop.list.length) {
        instruction.item(frame.locals, loop.list[loop.next]);
        loop.next++;
        frame.pc++;
      } else frame.pc = instruction.target;
      return undefined;
    }
    case DO.ROLLBACK:
      rollBack(frame, instruction);
      return undefined;
    case DO.REFAIL:
      frame.end = loopAt(frame, instruction.target).list[0] as Errno;
      frame.pc = instruction.handler;
      return undefined;
    case DO.WAIT:
      frame.pc++;
      return undefined;
    case DO.CALL:
      frames.push({ pc: instruction.target, locals: { ...instruction.give(k, frame.locals) } });
      return undefined;
    case DO.INDIRECT: {
      const name = instruction.choose(k, frame.locals);
      const pc = instruction.targets[name];
      if (pc === undefined) throw new NotModelled(`${name}() has been called, and nothing says what it does`);
      frames.push({ pc, locals: { ...instruction.give(k, frame.locals) } });
      return undefined;
    }
    case DO.RETURN:
      return endRoutine(program, k, operation);
    default:
      return unreachable(instruction);
  }
}

/**
 * Starts to end a routine: on to the handler of the part around it, which unlocks or rolls back and passes it
 * on.
 */
function leave(frame: RoutineFrame, instruction: Instruction, end: Ended): void {
  frame.end = end;
  frame.pc = instruction.handler;
}

/** Keeps the errno while the rollback runs; a routine that ends well has nothing to undo. */
function rollBack(frame: RoutineFrame, instruction: Instruction): void {
  if (frame.end === 0) {
    frame.pc = instruction.handler;
    return;
  }
  frame.loops ??= {};
  frame.loops[frame.pc] = { list: [frame.end], next: 0 };
  delete frame.end;
  frame.pc++;
}

/** Back to the caller, with the errno. */
function endRoutine(program: LinkedRoutines, k: World, { frames }: Operation): Ended | undefined {
  const { end = 0 } = innermost(frames);
  frames.pop();
  const caller = frames.at(-1);
  if (caller === undefined) return end;
  const call = instructionAt(program, caller);
  if (call.do === DO.CALL && call.take !== undefined) call.take(k, caller.locals, end);
  else if (end !== 0) {
    leave(caller, call, end);
    return undefined;
  }
  caller.pc++;
  return undefined;
}

/** Runs a routine in a traced call, as a function in C that text calls. */
export type RunRoutine = (k: World, routine: string, args: object) => void;

/** Instructions of such a routine, at most. */
const BUDGET = 10_000;

const UNWATCHED: Watch = {};

/** How the routines of a program are run that wait for nothing: from their start to their end, nothing between. */
export function runner(program: LinkedRoutines): RunRoutine {
  return (k, routine, args) => {
    const operation = startOperation(program, routine, args);
    for (let left = BUDGET; left > 0; left--)
      if (stepOperation(program, k, operation, UNWATCHED) !== undefined) return;
    throw new Error(`${routine} does not end`);
  };
}

/** The lock that an operation is about to take and cannot have; undefined when it can run. */
export function blockedOn(program: LinkedRoutines, k: WorldView, { frames }: Operation): string | undefined {
  const frame = innermost(frames);
  const instruction = instructionAt(program, frame);
  if (instruction.do !== DO.LOCK) return undefined;
  const lock = nameOf(instruction.lock, k, frame.locals);
  return k.locks[lock] === undefined ? undefined : lock;
}

/** The flavour of grace period that an operation waits for now, if any. */
export function waitsFor(program: LinkedRoutines, { frames }: Operation): Flavour | undefined {
  const instruction = nextInstruction(program, frames);
  return instruction.do === DO.WAIT ? instruction.flavour : undefined;
}

/** Whether what an operation waits for can end now, if it waits for anything. */
export function canEnd(program: LinkedRoutines, k: World, { frames }: Operation): boolean {
  const frame = innermost(frames);
  const instruction = instructionAt(program, frame);
  if (instruction.do === DO.STEP) return instruction.once?.(k, frame.locals) ?? true;
  return instruction.do !== DO.WAIT || instruction.when(k, frame.locals);
}

/** The instruction that an operation in these frames executes next. */
export function nextInstruction(program: LinkedRoutines, frames: readonly RoutineFrame[]): Instruction {
  return instructionAt(program, innermost(frames));
}

function innermost(frames: readonly RoutineFrame[]): RoutineFrame {
  const frame = frames[frames.length - 1];
  if (frame === undefined) throw new Error('the operation has ended');
  return frame;
}

function instructionAt(program: LinkedRoutines, { pc }: RoutineFrame): Instruction {
  const instruction = program.instructions[pc];
  if (instruction === undefined) throw new Error(`there is no instruction ${pc}`);
  return instruction;
}

function loopAt({ loops }: RoutineFrame, pc: number): Loop {
  const loop = loops?.[pc];
  if (loop === undefined) throw new Error(`no loop is under way at instruction ${pc}`);
  return loop;
}

function nameOf(lock: Name, k: WorldView, locals: Locals): string {
  return typeof lock === 'string' ? lock : lock(k, locals);
}
