import type { Instruction } from '../../model/core/instruction.ts';
import { DO } from '../../model/core/instruction.ts';
import type { LinkedRoutines } from '../../model/core/link.ts';
import type { Operation, Watch } from '../../model/core/run.ts';
import type { World } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { LockFinding } from '../finding/lock-finding.ts';
import { isEqual } from '../observed/changed-paths.ts';
import { copyPart } from '../observed/copy-kernel.ts';
import { assertedIn } from './asserted-in.ts';
import type { GuardedPart } from './guarded-parts.ts';
import { GUARDED_PARTS, unlockedWrites } from './guarded-parts.ts';
import type { LockEdges } from './lock-order.ts';
import { withLock } from './lock-order.ts';

/** What an action has done with locks. */
export interface LockFacts {
  /** Writes without a lock, and assertions that fail. */
  readonly unlocked: readonly LockFinding[];
  /** Cycles in the order, and locks that are kept, or released by another task. */
  readonly disorder: readonly LockFinding[];
  /** Guarded state was written, or an assertion passed. */
  readonly isGuarded: boolean;
  /** A lock was taken while another one was held. */
  readonly isNested: boolean;
  /** The order of locks so far. */
  readonly edges: LockEdges;
}

/** Instructions after which state may be another one. */
const WRITES: ReadonlySet<number> = new Set([DO.STEP, DO.REFUSE, DO.FINISH, DO.CALL, DO.INDIRECT, DO.RETURN]);

const ALL_PARTS: readonly number[] = GUARDED_PARTS.map((_, i) => i);

/**
 * Watches an action that runs to its end, and the background work that runs meanwhile. A part of the state is compared when
 * one of its locks is taken or released, or another task runs: all that was written in between was written with the
 * same of them.
 */
export class LockWatch {
  readonly watch: Watch;
  private readonly unlocked: LockFinding[] = [];
  private readonly disorder: LockFinding[] = [];
  private isGuarded = false;
  private isNested = false;
  /** Each part as it was when its locks last changed, where it is not as before the action; and how much was written then. */
  private readonly known = new Map<number, unknown>();
  private readonly comparedAt: number[] = ALL_PARTS.map(() => 0);
  private writes = 0;
  /** The task that has taken each lock, by the frames of its operation. */
  private readonly owners = new Map<string, Operation['frames']>();
  private readonly background = new Set<Operation['frames']>();
  private readonly asserted: ReadonlyMap<Instruction, string>;
  private first: Operation['frames'] | undefined;
  private task: Operation['frames'] | undefined;
  private last: Instruction | undefined;
  private wrote: Instruction | undefined;

  constructor(
    program: LinkedRoutines,
    private readonly before: KernelView,
    private readonly k: KernelView & World,
    private edges: LockEdges,
    also: Watch | undefined,
  ) {
    this.asserted = assertedIn(program);
    this.noteBackground(k);
    this.watch = {
      ...also,
      step: (instruction, world, locals, operation) => {
        also?.step?.(instruction, world, locals, operation);
        this.step(instruction, world, operation);
      },
    };
  }

  /** Work items that have begun in earlier actions: one that waits for a grace period may hold locks meanwhile. */
  private noteBackground({ deferred, locks }: World): void {
    for (const { frames } of deferred) if (frames !== undefined) this.background.add(frames);
    for (const lock in locks) {
      const holder = deferred.find(({ routine, frames }) => frames !== undefined && routine === locks[lock]);
      if (holder?.frames !== undefined) this.owners.set(lock, holder.frames);
    }
  }

  private step(instruction: Instruction, { locks }: World, { frames }: Operation): void {
    this.noteLocks(locks);
    if (frames !== this.task) this.compare(ALL_PARTS);
    if (!this.background.has(frames)) this.first ??= frames;
    this.task = frames;
    this.last = instruction;
    if (WRITES.has(instruction.do)) {
      this.wrote = instruction;
      this.writes++;
    }
    const lock = this.asserted.get(instruction);
    if (lock === undefined) return;
    this.isGuarded = true;
    if (this.owners.get(lock) !== frames)
      this.unlocked.push({ is: 'runs-without-lock', routine: instruction.routine, lock });
  }

  /** What the last instruction has taken or released. */
  private noteLocks(locks: World['locks']): void {
    const { last, task } = this;
    if (last === undefined || task === undefined) return;
    if (last.do === DO.LOCK || last.do === DO.TRYLOCK) this.noteTaken(locks, task, last.do === DO.LOCK);
    else if (last.do === DO.UNLOCK) this.noteReleased(locks, task, last.routine);
  }

  private noteTaken(locks: World['locks'], task: Operation['frames'], waits: boolean): void {
    for (const lock in locks) {
      if (this.owners.has(lock)) continue;
      this.compare(partsUnder(lock));
      const held = this.heldBy(task);
      this.owners.set(lock, task);
      if (held.length === 0 || !waits) continue;
      this.isNested = true;
      const { edges, finding } = withLock(this.edges, held, lock);
      this.edges = edges;
      if (finding !== undefined) this.disorder.push(finding);
    }
  }

  private noteReleased(locks: World['locks'], task: Operation['frames'], by: string): void {
    const released: string[] = [];
    for (const lock of this.owners.keys()) if (!(lock in locks)) released.push(lock);
    if (released.length === 0 || released.some((lock) => this.owners.get(lock) !== task))
      this.disorder.push({ is: 'releases-without-holding', by });
    for (const lock of released) this.compare(partsUnder(lock));
    for (const lock of released) this.owners.delete(lock);
  }

  private heldBy(task: Operation['frames']): string[] {
    return [...this.owners].filter(([, owner]) => owner === task).map(([lock]) => lock);
  }

  /**
   * Compares parts of the state with what they were when their locks last changed: of a snapshot that shares its parts with
   * the kernel before the action most are the very same.
   */
  private compare(parts: readonly number[], k: KernelView = this.k): void {
    const { before, known, wrote, comparedAt, writes } = this;
    if (wrote === undefined) return;
    for (const i of parts) {
      if (comparedAt[i] === writes) continue;
      comparedAt[i] = writes;
      const part = GUARDED_PARTS[i]!;
      const now = part.of(k);
      const old = known.has(i) ? known.get(i) : part.of(before);
      if (isEqual(old, now)) continue;
      this.noteWrites(part, [old, now], `${wrote.routine}: ${wrote.id}`);
      known.set(i, copyPart(now));
    }
  }

  private noteWrites(part: GuardedPart, change: readonly [unknown, unknown], by: string): void {
    const { before, k, task } = this;
    const holds = (lock: string) => this.owners.get(lock) === task;
    const guarded = () => {
      this.isGuarded = true;
    };
    this.unlocked.push(...unlockedWrites(part, change, { before, after: k, holds, by }, guarded));
  }

  /** The action has ended, in a crash where it was; `after`: a snapshot of the kernel. */
  finish(died: boolean, after: KernelView): LockFacts {
    this.noteLocks(after.locks);
    this.compare(ALL_PARTS, after);
    if (!died)
      for (const lock of this.first === undefined ? [] : this.heldBy(this.first))
        this.disorder.push({ is: 'lock-is-kept', lock });
    const { unlocked, disorder, isGuarded, isNested, edges } = this;
    return { unlocked, disorder, isGuarded, isNested, edges };
  }
}

const PARTS_UNDER = new Map<string, readonly number[]>();

/** The parts that a lock may guard, by their numbers. */
function partsUnder(lock: string): readonly number[] {
  const noted = PARTS_UNDER.get(lock);
  if (noted !== undefined) return noted;
  const parts = ALL_PARTS.filter((i) => mayGuard(lock, GUARDED_PARTS[i]!));
  PARTS_UNDER.set(lock, parts);
  return parts;
}

/** A guard that names its lock; or one that says it by what is written, and that no table of another subsystem names. */
function mayGuard(lock: string, { name, rows }: GuardedPart): boolean {
  const guards = rows.flatMap(({ locks }) => locks);
  const isComputed = guards.some((guard) => typeof guard !== 'string');
  return guards.includes(lock) || (isComputed && !isNamedOutside(lock, roomOf(name)));
}

function isNamedOutside(lock: string, room: string): boolean {
  return GUARDED_PARTS.some(
    ({ name, rows }) => roomOf(name) !== room && rows.some(({ locks }) => locks.includes(lock)),
  );
}

function roomOf(part: string): string {
  return part.slice(0, part.indexOf('.'));
}
