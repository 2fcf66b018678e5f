import { DO } from './instruction.ts';
import type { LinkedRoutines } from './link.ts';
import type { Flavour } from './part.ts';
import type { Operation, Watch } from './run.ts';
import { blockedOn, canEnd, nextInstruction, startOperation, stepOperation, waitsFor } from './run.ts';
import type { Deferred, Ended, RoutineFrame, World } from './world.ts';

/*
 * The sequential scheduler: one operation runs to its end. Work that it hands to a grace period stays after, and
 * resumes when a client waits for one of its flavour, or when time passes.
 */

/** Instructions that an operation may take for each traced function: more is a loop that does not end. */
const BUDGET = 100_000;

/** Work in the background that may gather before memory which only calls read is given back. */
const WORK_MOST = 256;

/**
 * Runs an operation to its end, changing the state in place. One that hands over much is long: meanwhile grace
 * periods pass that no client waits for.
 */
export function perform(
  program: LinkedRoutines,
  k: World,
  routine: string,
  args: object,
  { watch = {}, functions = 1 }: { readonly watch?: Watch | undefined; readonly functions?: number } = {},
): Ended {
  const operation = startOperation(program, routine, args);
  let most = WORK_MOST;
  for (let left = BUDGET * functions; left > 0; left--) {
    if (k.deferred.length > most) {
      reclaim(program, k, watch);
      most = WORK_MOST + 2 * k.deferred.length;
    }
    const next = nextInstruction(program, operation.frames);
    if (next.do === DO.WAIT) elapse(program, k, next.flavour, watch);
    else if (next.do === DO.LOCK && k.deferred.length > 0) waitForLock(program, k, operation, watch);
    const ended = stepOperation(program, k, operation, watch);
    if (ended === undefined) continue;
    if (k.deferred.length > 0) {
      finishBegun(program, k, watch);
      reclaim(program, k, watch);
    }
    return ended;
  }
  throw new Error(`${routine} does not end`);
}

/** Work in the background may wait for a grace period with a lock held: who wants that waits as long. */
function waitForLock(program: LinkedRoutines, k: World, operation: Operation, watch: Watch): void {
  for (let left = BUDGET; left > 0; left--)
    if (blockedOn(program, k, operation) === undefined || !advance(program, k, () => true, watch)) return;
}

/** A work item that has begun, and had to wait for a lock of the operation, ends before the next operation begins. */
function finishBegun(program: LinkedRoutines, k: World, watch: Watch): void {
  for (let left = BUDGET; left > 0 && k.deferred.some(({ begun }) => begun === true); left--)
    if (!advance(program, k, () => false, watch)) return;
}

/**
 * New background work starts. No call is under way between two operations: memory that only
 * calls read proceeds to its end.
 */
function reclaim(program: LinkedRoutines, k: World, watch: Watch): void {
  for (let left = BUDGET; left > 0; left--) {
    advance(program, k, isReclaimed, watch);
    if (!k.deferred.some(({ frames, reclaims }) => frames === undefined || reclaims === true)) return;
  }
  throw new Error('memory is not given back');
}

function isReclaimed(_: Flavour, { reclaims }: Deferred): boolean {
  return reclaims === true;
}

/**
 * Time passes: every grace period ends, and all deferred work with it, except work that
 * waits for something else forever.
 */
export function settle(program: LinkedRoutines, k: World, watch: Watch = {}): void {
  for (let left = BUDGET; left > 0; left--) if (!elapseOnce(program, k, watch)) return;
}

/** Deferred work resumes and runs to its next wait. Answers whether there was any that could. */
export function elapseOnce(program: LinkedRoutines, k: World, watch: Watch = {}): boolean {
  return advance(program, k, () => true, watch);
}

/**
 * A grace period of one flavour passes. One of RCU-tasks takes so long that all shorter ones which were waited for
 * before pass as well.
 */
function elapse(program: LinkedRoutines, k: World, flavour: Flavour, watch: Watch): void {
  // Everything else first: synchronize_rcu_tasks() takes a scan of all tasks and more than one RCU grace
  // period.
  if (flavour === 'rcu_tasks')
    for (let left = BUDGET; left > 0; left--)
      if (!advance(program, k, (other) => other !== 'rcu_tasks', watch)) break;
  advance(program, k, (other) => other === flavour, watch);
}

/** Whether what a piece of deferred work waits for is over. */
type Over = (flavour: Flavour, deferred: Deferred) => boolean;

/**
 * Runs deferred work to its next wait, if its present wait is over. Answers whether any did. What it
 * defers itself waits for the next time.
 */
function advance(program: LinkedRoutines, k: World, over: Over, watch: Watch): boolean {
  const waiting = k.deferred;
  if (waiting.length === 0) return false;
  k.deferred = [];
  let moved = false;
  const left: Deferred[] = [];
  for (const deferred of waiting) {
    const operation: Operation = {
      frames: deferred.frames ?? startOperation(program, deferred.routine, deferred.args).frames,
    };
    const begun = deferred.begun === true || waitsFor(program, operation) === 'workqueue';
    const isOver = (flavour: Flavour) => deferred.begun === true || over(flavour, deferred);
    const [ended, went] = goOn(program, k, operation, { isOver, begun, watch });
    moved ||= went;
    if (!ended) left.push(waitingAgain(deferred, operation.frames, begun && went));
  }
  k.deferred = [...left, ...k.deferred];
  return moved;
}

/** Work as it waits now: its frames are changed in place once it has some. */
function waitingAgain(deferred: Deferred, frames: RoutineFrame[], begun: boolean): Deferred {
  if (deferred.frames === frames && (!begun || deferred.begun === true)) return deferred;
  return { ...deferred, frames, ...(begun ? { begun } : {}) };
}

/**
 * Whether the operation has ended, and whether it has moved. A work item that has begun is an operation like those of
 * clients: the grace periods that it waits for pass.
 */
function goOn(
  program: LinkedRoutines,
  k: World,
  operation: Operation,
  {
    isOver,
    begun,
    watch,
  }: { readonly isOver: (flavour: Flavour) => boolean; readonly begun: boolean; readonly watch: Watch },
): [boolean, boolean] {
  const flavour = waitsFor(program, operation);
  if (flavour !== undefined && !(isOver(flavour) && canEnd(program, k, operation))) return [false, false];
  for (let steps = 0; steps < BUDGET; steps++) {
    const next = nextInstruction(program, operation.frames);
    const waits = steps > 0 && next.do === DO.WAIT;
    if (waits && !(begun && canEnd(program, k, operation))) return [false, true];
    if (next.do === DO.LOCK && blockedOn(program, k, operation) !== undefined) return [false, steps > 0];
    if (stepOperation(program, k, operation, watch) !== undefined) return [true, true];
  }
  throw new Error('deferred work does not end');
}
