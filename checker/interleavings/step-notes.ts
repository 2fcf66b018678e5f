import type { Instruction } from '../../model/core/instruction.ts';
import type { LinkedRoutines } from '../../model/core/link.ts';
import type { Operation, Watch } from '../../model/core/run.ts';
import type { World } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { LockFinding } from '../../properties/finding/lock-finding.ts';
import { assertedIn } from '../../properties/locks/asserted-in.ts';
import type { GuardedPart } from '../../properties/locks/guarded-parts.ts';
import { GUARDED_PARTS, unlockedWrites } from '../../properties/locks/guarded-parts.ts';
import type { DoneStep } from './cause/done-step.ts';
import { StepRecorder } from './cause/done-step.ts';
import type { Watched } from './watched.ts';
import type { WorldParts } from './world-parts.ts';

/*
 * What the steps of an operation do, and the locks that they lack by the tables of locks. Both are noted as a step is
 * worked out: it has its effect in every state with the same parts, and so this costs a search nothing for each of its
 * states. What a table reads of the kernel beside, the effect depends on as well.
 */

/** The notes of a step, or of several that are worked out together. */
export interface Noted {
  /** The parts that were executed. */
  readonly did: readonly DoneStep[];
  /** Writes without their lock, and assertions of one that fail. */
  readonly unlocked: readonly LockFinding[];
}

/** The notes of the steps that are worked out together. */
export class StepNotes {
  readonly recorder = new StepRecorder();
  unlocked: LockFinding[] = [];
  readonly asserted: ReadonlyMap<Instruction, string>;
  readonly guards: readonly (readonly [number, GuardedPart])[];
  readonly locksPart: number;

  constructor(
    readonly program: LinkedRoutines,
    readonly layout: WorldParts,
  ) {
    this.asserted = assertedIn(program);
    this.locksPart = layout.numberOf('locks');
    this.guards = GUARDED_PARTS.flatMap((part) => {
      const number = layout.find(part.name);
      return number === undefined ? [] : [[number, part] as const];
    });
  }

  /** The next step of an operation. */
  stepOf(watched: Watched, { who }: Operation): NotedStep {
    watched.noteAnswer(this.locksPart, locksOf, who ?? '');
    return new NotedStep(this, watched, who);
  }

  get count(): readonly [number, number] {
    return [this.recorder.count, this.unlocked.length];
  }

  /** Drops all notes after these. */
  cut([steps, findings]: readonly [number, number]): void {
    this.recorder.cut(steps);
    this.unlocked.length = findings;
  }

  /** The notes so far; begins again. */
  take(): Noted {
    const { unlocked } = this;
    this.unlocked = [];
    return { did: this.recorder.take(), unlocked };
  }
}

/** The locks that an actor has. */
function locksOf(locks: World['locks'], who: string): string[] {
  return Object.keys(locks)
    .filter((lock) => locks[lock] === who)
    .sort();
}

/** One step, with the locks that its actor has in it. */
class NotedStep {
  private readonly held = new Set<string>();
  private by = '';

  constructor(
    private readonly notes: StepNotes,
    private readonly watched: Watched,
    private readonly who: string | undefined,
  ) {}

  watch(operation: Operation, parts: readonly unknown[]): Watch {
    const { recorder, program, asserted, unlocked } = this.notes;
    const recording = recorder.watch(() => operation.frames, program.instructions);
    return {
      ...recording,
      step: (instruction, world, locals, under) => {
        recording.step?.(instruction, world, locals, under);
        this.by = `${instruction.routine}: ${instruction.id}`;
        this.noteLocks(parts);
        const lock = asserted.get(instruction);
        if (lock !== undefined && !this.held.has(lock))
          unlocked.push({ is: 'runs-without-lock', routine: instruction.routine, lock });
      },
    };
  }

  /** Adds the locks that the actor has now: they follow from those that it had, and from what it has done. */
  private noteLocks(parts: readonly unknown[]): void {
    const locks = parts[this.notes.locksPart] as World['locks'];
    for (const lock in locks) if (locks[lock] === this.who) this.held.add(lock);
  }

  /** Compares the parts before and after it. */
  compare(before: readonly unknown[], after: readonly unknown[]): void {
    const { guards, unlocked } = this.notes;
    this.noteLocks(after);
    let kernels: { readonly before: KernelView; readonly after: KernelView } | undefined;
    for (const [number, part] of guards) {
      const values = [before[number], after[number]] as const;
      if (values[0] === values[1]) continue;
      kernels ??= { before: this.watched.look((k) => k, before), after: this.watched.look((k) => k, after) };
      const change = { ...kernels, by: this.by, holds: (lock: string) => this.held.has(lock) };
      unlocked.push(...unlockedWrites(part, values, change, () => {}));
    }
  }
}
